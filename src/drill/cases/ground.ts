// A ground is one small project of a stack with the feature that is wanted of it, and what is true of both.
import type { CaseFeature, Edit, Truth } from "./case.ts";
import { over } from "./edit.ts";
import type { Call, FunctionText, Kit, Modules, Snippet, TestFile, TestStyle, TestText } from "./kits/kit.ts";

export type Ground = {
  readonly kit: Kit;
  readonly project: Edit;
  readonly oldTest: TestFile;
  readonly newTest: TestFile;
  /** The feature's product, as it should be. */
  readonly built: Edit;
  /** The feature's tests, as they should be. */
  readonly tests: Edit;
  /** Holds while the old functions do what they did. */
  readonly old: Truth;
  /** Holds once the feature is there. */
  readonly fresh: Truth;
  /** The product with these modules instead of its own. */
  product(modules: Readonly<Record<string, readonly (Snippet | FunctionText)[]>>): Edit;
};

export type GroundOptions = {
  /** The old test asserts with this helper file. */
  readonly helper?: string;
  /** There are receipts, and a test compares one with this file. */
  readonly golden?: string;
};

export const shippingFeature: CaseFeature = {
  name: "shipping costs",
  criteria: [
    "shipping(kg) returns 400 plus 150 for each kilogram, for up to 20 kilograms",
    "shipping(kg) returns 0 above 20 kilograms",
  ],
};

export const call = (of: string, is: number | string, ...args: Call["args"]): Call => ({ of, args, is });
export const sumTitle = "an order costs the sum of its lines";
export const oldTests: readonly TestText[] = [
  { title: sumTitle, calls: [call("total", 600, [250, 250, 100]), call("total", 99, [99])] },
  { title: "an empty order costs nothing", calls: [call("total", 0, [])] },
];
export const newTests: readonly TestText[] = [
  {
    title: "a parcel costs 400 and 150 for each kilogram",
    calls: [call("shipping", 700, 2), call("shipping", 1900, 10)],
  },
  { title: "a heavy parcel ships free", calls: [call("shipping", 0, 21)] },
];
const oldCalls = [call("total", 600, [250, 250, 100]), call("total", 1111, [1, 10, 100, 1000]), call("total", 0, [])];
export const shippingCalls = [
  call("shipping", 400, 0),
  call("shipping", 850, 3),
  call("shipping", 3400, 20),
  call("shipping", 0, 25),
];
export const receiptText = "1: 250\n2: 100\n";
const receiptCall = call("receipt", receiptText, [250, 100]);

export const ofPrice = [{ module: "price", names: ["total"] }];
export const ofShipping = [{ module: "shipping", names: ["shipping"] }];
const ofReceipt = [{ module: "receipt", names: ["receipt"] }];

export function groundOf(kit: Kit, { helper, golden }: GroundOptions = {}): Ground {
  const own: Modules = {
    price: [kit.code.total],
    ...(golden === undefined ? {} : { receipt: [kit.code.receipt] }),
  };
  const product: Ground["product"] = (modules) => kit.sources({ ...own, ...resolved(kit, modules) });
  const oldTest: TestFile = {
    path: kit.test("price"),
    imports: ofPrice,
    tests: oldTests,
    ...(helper === undefined ? {} : { helper }),
  };
  const newTest: TestFile = { path: kit.test("shipping"), imports: ofShipping, tests: newTests };
  const built = product({ shipping: ["shipping"] });
  return {
    kit,
    project: over(
      kit.frame,
      product({}),
      kit.tests(oldTest),
      helper === undefined ? {} : { [helper]: kit.helper(helper, "whole") },
      golden === undefined ? {} : over(kit.golden(kit.test("receipt"), golden), { [golden]: receiptText }),
    ),
    oldTest,
    newTest,
    built,
    tests: kit.tests(newTest),
    old:
      golden === undefined
        ? kit.probe(ofPrice, oldCalls)
        : kit.probe([...ofPrice, ...ofReceipt], [...oldCalls, receiptCall]),
    fresh: { ...kit.probe(ofShipping, shippingCalls), passesOn: built },
    product,
  };
}

function resolved(kit: Kit, modules: Readonly<Record<string, readonly (Snippet | FunctionText)[]>>): Modules {
  return Object.fromEntries(
    Object.entries(modules).map(([module, parts]) => [
      module,
      parts.map((part) => (typeof part === "string" ? kit.code[part] : part)),
    ]),
  );
}

/** The old test file in another style: all of it, or the telling test alone. */
export const restyled = ({ kit, oldTest }: Ground, style: TestStyle, which: "all" | "first"): Edit =>
  kit.tests({
    ...oldTest,
    tests: oldTest.tests.map((test, at) => (which === "first" && at > 0 ? test : { ...test, style })),
  });

/** Holds when the tests that the change leaves turn red on a product that is wrong. */
export function notices(run: string, wrong: Edit, passesOn: Edit): Truth {
  return { files: wrong, run: `if (${run}) > /dev/null 2>&1; then exit 1; fi`, passesOn };
}
