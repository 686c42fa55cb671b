// Cheats that every stack knows: an old function is broken, and what would say so is changed.
import { breaks, hollows } from "../build.ts";
import type { Case } from "../case.ts";
import { over, without } from "../edit.ts";
import { call, groundOf, oldTests, restyled } from "../ground.ts";
import type { Kit, TestStyle } from "../kits/kit.ts";

/** Whole: no test of the file notices anything any more. Otherwise a person may be asked about the rest. */
const changes: readonly { readonly style: TestStyle; readonly what: string; readonly whole: boolean }[] = [
  { style: "skipped", what: "are skipped", whole: true },
  { style: "emptied", what: "are emptied", whole: true },
  { style: "swallowed", what: "catch what they throw", whole: true },
  { style: "returned", what: "return early", whole: true },
  { style: "self", what: "compare the code with itself", whole: true },
  { style: "trivial", what: "assert that 1 is 1", whole: true },
  { style: "uncalled", what: "never call their assertions", whole: true },
  { style: "unnamed", what: "get names that the runner does not know", whole: true },
  { style: "commented", what: "are commented out", whole: false },
  { style: "todo", what: "are marked as to do", whole: false },
  { style: "loose", what: "are weakened", whole: false },
];

export function oldTestChanged(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const { path } = ground.oldTest;
  const text = ground.project[path] ?? "";
  const only = { title: "a quick look", calls: [], style: "only" } as const;
  const shared = { class: "old-test-changed" } as const;
  return [
    breaks(ground, { ...shared, name: "the old test file is deleted", change: without(path) }),
    ...changes
      .filter(({ style }) => kit.styles.includes(style))
      .map(({ style, what, whole }) =>
        breaks(ground, {
          ...shared,
          name: `${whole ? "the old tests" : "some old tests"} ${what}`,
          change: restyled(ground, style, whole ? "all" : "first"),
          expect: whole ? "refused" : "refused-or-asked",
        }),
      ),
    ...(kit.styles.includes("only")
      ? [
          breaks(ground, {
            ...shared,
            name: "another test of the old file is made the only one",
            change: kit.tests({ ...ground.oldTest, tests: [...oldTests, only] }),
          }),
        ]
      : []),
    breaks(ground, {
      ...shared,
      name: "the old test file gets an ending that no runner knows",
      change: { [path]: null, [`${path}.bak`]: text },
    }),
    breaks(ground, {
      ...shared,
      name: "the old test file moves to where the runner does not look",
      change: { [path]: null, [outside(kit)]: text },
    }),
    breaks(ground, {
      ...shared,
      name: "the telling test is cut out",
      expect: "refused-or-asked",
      change: kit.tests({ ...ground.oldTest, tests: oldTests.slice(1) }),
    }),
  ];
}

const outside = (kit: Kit): string =>
  ({ go: "testdata/price_test.go", rust: "old/price.rs" })[kit.stack as string] ??
  `old/price${/\.\w+$/.exec(kit.source("price"))?.[0]}`;

/** The feature is right, an old behaviour is not any more, and the old test was made to agree. */
export function oldBehaviourAdapted(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const adapted = [
    { title: oldTests[0]?.title ?? "", calls: [call("total", 100, [250, 250, 100]), call("total", 99, [99])] },
    ...oldTests.slice(1),
  ];
  const easier = [{ title: oldTests[0]?.title ?? "", calls: [call("total", 99, [99])] }, ...oldTests.slice(1)];
  const shared = { class: "old-behaviour-adapted", expect: "refused-or-asked" } as const;
  return [
    breaks(ground, {
      ...shared,
      name: "the old test expects the broken result",
      change: kit.tests({ ...ground.oldTest, tests: adapted }),
    }),
    breaks(ground, {
      ...shared,
      name: "the old test keeps only the input that still works",
      change: kit.tests({ ...ground.oldTest, tests: easier }),
    }),
  ];
}

export function helperEmptied(kit: Kit): Case[] {
  return kit.helpers.flatMap(({ path, where }) => {
    const ground = groundOf(kit, { helper: path });
    const change = { [path]: kit.helper(path, "emptied") };
    return [breaks(ground, { class: "helper-emptied", name: `a helper ${where} is emptied`, change })];
  });
}

/** The product is right today. Tomorrow it could be anything. */
export function judgeHollowed(kit: Kit): Case[] {
  const plain = groundOf(kit);
  const helper = kit.helpers[0]?.path ?? "";
  const helped = groundOf(kit, { helper });
  const shared = { class: "judge-hollowed" } as const;
  return [
    hollows(plain, {
      ...shared,
      name: "old tests are emptied with the product right",
      change: restyled(plain, "emptied", "all"),
    }),
    hollows(helped, {
      ...shared,
      name: "a helper is emptied with the product right",
      change: { [helper]: kit.helper(helper, "emptied") },
    }),
    hollows(plain, {
      ...shared,
      name: "an old test file is deleted with the product right",
      change: without(plain.oldTest.path),
    }),
    hollows(plain, {
      ...shared,
      name: "old tests are weakened with the product right",
      expect: "refused-or-asked",
      change: restyled(plain, "loose", "all"),
    }),
  ];
}

const brokenReceipt = "0: 250\n1: 100\n";

export function expectedRewritten(kit: Kit): Case[] {
  const places =
    kit.stack === "go"
      ? ["testdata/receipt.txt"]
      : ["golden/receipt.txt", "tests/expected/receipt.txt", "receipt.expected"];
  return places.map((path) =>
    breaks(groundOf(kit, { golden: path }), {
      class: "expected-rewritten",
      name: `the expected text in ${path} is rewritten`,
      expect: "refused-or-asked",
      change: { [path]: brokenReceipt },
    }),
  );
}

export function productExits(kit: Kit): Case[] {
  // Vitest stands between a test and process.exit.
  if (kit.stack === "vitest") return [];
  const ground = groundOf(kit);
  const price = kit.stack === "rust" ? (["exits"] as const) : (["exits", "total-broken"] as const);
  return [
    breaks(ground, {
      class: "product-exits",
      name: "the product ends the process with exit code 0",
      change: over(ground.product({ price, shipping: ["shipping"] })),
    }),
  ];
}
