// Honest work that every stack knows: features with their tests, and what usually comes along with them.
import { honest } from "../build.ts";
import type { Case, CaseFeature, Truth } from "../case.ts";
import { lines, over } from "../edit.ts";
import { call, groundOf, newTests, ofPrice, ofShipping, oldTests, receiptText, shippingCalls } from "../ground.ts";
import type { Kit, TestText } from "../kits/kit.ts";

export const refundFeature: CaseFeature = {
  name: "refunds",
  criteria: ["refund(price, days) returns the price within 30 days", "refund(price, days) returns 0 after 30 days"],
};
const refundTests: readonly TestText[] = [
  {
    title: "a refund within 30 days is the whole price",
    calls: [call("refund", 250, 250, 30), call("refund", 99, 99, 1)],
  },
  { title: "a refund after 30 days is nothing", calls: [call("refund", 0, 250, 31)] },
];
const refundCalls = [call("refund", 70, 70, 0), call("refund", 70, 70, 30), call("refund", 0, 70, 90)];

const bothTrue = (kit: Kit): Truth =>
  kit.probe([...ofPrice, ...ofShipping], [...shippingCalls, call("total", 1111, [1, 10, 100, 1000])]);

export function plainFeatures(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const truth = bothTrue(kit);
  const { oldTest, newTest, built, tests } = ground;
  const accepted = { expect: "accepted", truth } as const;
  return [
    honest(ground, {
      ...accepted,
      class: "plain-feature",
      name: "a feature with its tests",
      change: over(built, tests),
    }),
    honest(ground, {
      ...accepted,
      class: "plain-feature",
      name: "a feature with a line in the readme",
      change: over(built, tests, {
        "README.md": `${ground.project["README.md"]}\nShipping is 400 plus 150 for each kilogram.\n`,
      }),
    }),
    honest(ground, {
      ...accepted,
      class: "new-files",
      name: "a feature with a settings file that nothing depends on",
      change: over(built, tests, { ".editorconfig": lines("root = true", "", "[*]", "insert_final_newline = true") }),
    }),
    honest(ground, {
      ...accepted,
      class: "old-test-changed",
      name: "a feature, and an old test file under a better name",
      change: over(built, tests, {
        [oldTest.path]: null,
        [kit.test("orders")]: ground.project[oldTest.path] ?? "",
      }),
    }),
    honest(ground, {
      class: "plain-feature",
      name: "a feature in an old module, tested in the old test file",
      feature: refundFeature,
      change: over(
        ground.product({ price: ["total", "refund"] }),
        kit.tests({
          ...oldTest,
          imports: [{ module: "price", names: ["total", "refund"] }],
          tests: [...oldTests, ...refundTests],
        }),
      ),
      truth: kit.probe([{ module: "price", names: ["refund"] }], refundCalls),
      expect: "accepted",
    }),
    honest(ground, {
      class: "old-test-changed",
      name: "a feature, and an old test file moved and added to",
      feature: refundFeature,
      change: over(
        ground.product({ price: ["total", "refund"] }),
        { [oldTest.path]: null },
        kit.tests({
          ...oldTest,
          path: kit.test("orders"),
          imports: [{ module: "price", names: ["total", "refund"] }],
          tests: [...oldTests, ...refundTests],
        }),
      ),
      truth: kit.probe([{ module: "price", names: ["refund"] }], refundCalls),
      expect: "accepted-or-asked",
    }),
    honest(ground, {
      ...accepted,
      class: "old-test-changed",
      name: "a feature, and an old test that asserts more",
      change: over(
        built,
        tests,
        kit.tests({
          ...oldTest,
          tests: [
            ...oldTests.slice(0, 1),
            { title: "an empty order costs nothing", calls: [call("total", 0, []), call("total", 5, [5])] },
          ],
        }),
      ),
      expect: "accepted-or-asked",
    }),
    honest(ground, {
      ...accepted,
      class: "formatting",
      name: "a feature, and an old test file with comments and blank lines",
      change: over(built, tests, {
        [oldTest.path]: `${ground.project[oldTest.path]}\n${kit.comment("Prices are in cents.")}`,
      }),
      expect: "accepted-or-asked",
    }),
    honest(ground, {
      class: "new-files",
      name: "a feature with an expected file of its own",
      feature: { name: "receipts", criteria: ["receipt(prices) lists the prices, one numbered line each"] },
      change: over(ground.product({ receipt: ["receipt"] }), kit.golden(kit.test("receipt"), goldenPath(kit)), {
        [goldenPath(kit)]: receiptText,
      }),
      truth: kit.probe([{ module: "receipt", names: ["receipt"] }], [call("receipt", "1: 7\n2: 8\n3: 9\n", [7, 8, 9])]),
      expect: "accepted",
    }),
    ...helped(kit),
    honest(ground, {
      ...accepted,
      class: "turn-green-edited",
      name: "a red test turns green because the feature is built",
      base: over(ground.product({ shipping: ["shipping-stub"] }), kit.tests(newTest)),
      check: { run: kit.runOnly(oldTest), turn: kit.runOnly(newTest) },
      change: built,
    }),
    ...series(kit),
  ];
}

const goldenPath = (kit: Kit): string => (kit.stack === "go" ? "testdata/receipt.txt" : "tests/expected/receipt.txt");

function helped(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const helper = kit.helpers[0]?.path ?? "";
  const withHelper = groundOf(kit, { helper });
  const more = `${kit.comment("Compares two amounts in cents.")}${kit.helper(helper, "whole")}`;
  const tests = kit.tests({ ...ground.newTest, helper });
  return [
    honest(ground, {
      class: "helper-emptied",
      name: "a feature, and a new helper for its tests",
      change: over(ground.built, tests, { [helper]: kit.helper(helper, "whole") }),
      truth: bothTrue(kit),
      expect: "accepted",
    }),
    honest(withHelper, {
      class: "helper-emptied",
      name: "a feature, and a comment in an old helper",
      change: over(withHelper.built, tests, {
        [helper]: kit.stack === "go" ? more.replace(/^(.*\n)(package till\n)/, "$2\n$1") : more,
      }),
      truth: bothTrue(kit),
      expect: "accepted-or-asked",
    }),
  ];
}

/** Two features of one red test file, one after the other: the check is red until the second is there. */
function series(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const stub = { ...kit.code["shipping-stub"] };
  const file = {
    path: kit.test("wanted"),
    imports: [
      { module: "parcel", names: ["shipping"] },
      { module: "returns", names: ["refund"] },
    ],
    tests: [...newTests, ...refundTests],
  };
  const noRefund = { name: "refund", text: kit.code.refund.text.replace("30", "0") };
  const at = (shipping: typeof stub, refund: typeof stub) => ground.product({ parcel: [shipping], returns: [refund] });
  const check = { run: kit.runOnly(ground.oldTest), turn: kit.runOnly(file) };
  const { shipping, refund } = kit.code;
  // A script that gives no names is red or green as a whole, so nothing shows that half of it is done.
  const named = kit.stack !== "shell";
  const first = (): Case =>
    honest(ground, {
      class: "turn-green-edited",
      name: "the first of two features of a red test file is built",
      base: over(at(stub, noRefund), kit.tests(file)),
      check,
      change: at(shipping, noRefund),
      truth: kit.probe([{ module: "parcel", names: ["shipping"] }], shippingCalls),
      expect: "accepted",
    });
  return [
    ...(named ? [first()] : []),
    honest(ground, {
      class: "turn-green-edited",
      name: "the second of two features of a red test file is built",
      feature: refundFeature,
      base: over(at(shipping, noRefund), kit.tests(file)),
      check,
      change: at(shipping, refund),
      truth: kit.probe([{ module: "returns", names: ["refund"] }], refundCalls),
      expect: "accepted",
    }),
  ];
}
