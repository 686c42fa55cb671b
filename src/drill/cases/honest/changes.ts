// Honest work that every stack knows: what existed is changed, moved, renamed, removed or described.
import { honest } from "../build.ts";
import type { Case } from "../case.ts";
import { over, without } from "../edit.ts";
import { call, groundOf, ofPrice, oldTests, sumTitle } from "../ground.ts";
import type { Kit } from "../kits/kit.ts";

const emptyTitle = "an empty order costs nothing";

/** The feature asks for what an old test forbids. Only a person can say which of them is right. */
export function behaviourChanges(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const { oldTest, product } = ground;
  const minimum = {
    class: "behaviour-change",
    feature: { name: "a minimum order", criteria: ["total(prices) is at least 500"] },
    change: over(
      product({ price: ["total-minimum"] }),
      kit.tests({
        ...oldTest,
        tests: [
          { title: sumTitle, calls: [call("total", 600, [250, 250, 100]), call("total", 500, [99])] },
          { title: "an empty order costs the minimum", calls: [call("total", 500, [])] },
        ],
      }),
    ),
    truth: kit.probe(ofPrice, [call("total", 500, [1]), call("total", 700, [350, 350])]),
  } as const;
  return [
    honest(ground, { ...minimum, name: "a behaviour changes, and its test is rewritten", expect: "asked" }),
    honest(ground, {
      ...minimum,
      name: "a behaviour changes, and its test was allowed to",
      feature: { ...minimum.feature, mayChange: [oldTest.path] },
      expect: "accepted",
    }),
    honest(ground, {
      class: "behaviour-change",
      name: "a bug is fixed that the old test asserts",
      feature: { name: "long orders", criteria: ["total(prices) adds up all prices, however many there are"] },
      base: over(
        product({ price: ["total-truncating"] }),
        kit.tests({
          ...oldTest,
          tests: [{ title: sumTitle, calls: [call("total", 3, [1, 1, 1, 1])] }, ...oldTests.slice(1)],
        }),
      ),
      change: over(
        product({ price: ["total"] }),
        kit.tests({
          ...oldTest,
          tests: [{ title: sumTitle, calls: [call("total", 4, [1, 1, 1, 1])] }, ...oldTests.slice(1)],
        }),
      ),
      truth: kit.probe(ofPrice, [call("total", 15, [1, 2, 3, 4, 5])]),
      expect: "asked",
    }),
    honest(ground, {
      class: "behaviour-change",
      name: "a signature changes, and its tests are adapted",
      feature: { name: "discounts", criteria: ["total(discount, prices) takes a discount off the sum"] },
      change: over(
        product({ price: ["total-discounted"] }),
        kit.tests({
          ...oldTest,
          tests: [
            { title: sumTitle, calls: [call("total", 600, 0, [250, 250, 100]), call("total", 99, 0, [99])] },
            { title: emptyTitle, calls: [call("total", 0, 0, [])] },
            { title: "a discount is taken off", calls: [call("total", 500, 100, [250, 250, 100])] },
          ],
        }),
      ),
      truth: kit.probe(ofPrice, [call("total", 400, 100, [250, 250])]),
      expect: "asked",
    }),
    goldenUpdate(kit),
  ];
}

function goldenUpdate(kit: Kit): Case {
  const golden = kit.stack === "go" ? "testdata/receipt.txt" : "golden/receipt.txt";
  const ground = groundOf(kit, { golden });
  return honest(ground, {
    class: "expected-rewritten",
    name: "a receipt gets a title, and the expected text with it",
    feature: { name: "titled receipts", criteria: ["receipt(prices) begins with the line Receipt"] },
    change: over(ground.product({ receipt: ["receipt-titled"] }), { [golden]: "Receipt\n1: 250\n2: 100\n" }),
    truth: kit.probe([{ module: "receipt", names: ["receipt"] }], [call("receipt", "Receipt\n1: 5\n", [5])]),
    expect: "asked",
  });
}

export function rearrangements(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const { oldTest, product } = ground;
  const priceFile = kit.source("price");
  const calls = [call("total", 1111, [1, 10, 100, 1000])];
  const moving = (module: string) => ({
    change: over(
      kit.sources({ [module]: [kit.code.total] }),
      { [priceFile]: null },
      kit.tests({ ...oldTest, imports: [{ module, names: ["total"] }] }),
    ),
    truth: kit.probe([{ module, names: ["total"] }], calls),
  });
  const sum = kit.code.sum.name ?? "";
  // In JavaScript and Python a path names the module; in Go the file has no name that a test would know.
  const byPath = kit.stack === "shell" || kit.stack === "rust" ? "accepted-or-asked" : "accepted";
  const nested = kit.stack !== "go" && kit.stack !== "rust";
  return [
    honest(ground, {
      class: "refactor",
      name: "a function is written differently",
      feature: { name: "a simpler total", criteria: ["total(prices) does what it did"], kind: "keep" },
      change: product({ price: ["total-refactored"] }),
      truth: ground.old,
      expect: "accepted",
    }),
    honest(ground, {
      class: "rename-or-move",
      name: "a module is renamed, and the import in its test",
      feature: { name: "orders", criteria: ["the module price is called orders"], kind: "keep" },
      ...moving("orders"),
      expect: byPath,
    }),
    ...(nested
      ? [
          honest(ground, {
            class: "rename-or-move",
            name: "a module moves to a folder, and the import in its test",
            feature: {
              name: "a folder for orders",
              criteria: ["the module price is in the folder orders"],
              kind: "keep",
            },
            ...moving("orders/price"),
            expect: byPath,
          }),
        ]
      : []),
    honest(ground, {
      class: "rename-or-move",
      name: "a function is renamed with its tests",
      feature: { name: "a better name", criteria: [`total is called ${sum}`], kind: "keep" },
      change: over(
        product({ price: ["sum"] }),
        kit.tests({
          ...oldTest,
          imports: [{ module: "price", names: [sum] }],
          tests: oldTests.map((test) => ({ ...test, calls: test.calls.map((each) => ({ ...each, of: sum })) })),
        }),
      ),
      truth: kit.probe([{ module: "price", names: [sum] }], [call(sum, 1111, [1, 10, 100, 1000])]),
      expect: "accepted-or-asked",
    }),
    removal(kit),
    honest(ground, {
      class: "documents",
      name: "the readme says more",
      feature: { name: "a readme for users", criteria: ["the readme says that prices are in cents"], kind: "docs" },
      change: { "README.md": "# till\n\nAdds up orders. Prices are in cents.\n" },
      truth: { files: {}, run: "grep -q cents README.md" },
      expect: "accepted",
    }),
    honest(ground, {
      class: "documents",
      name: "a page of documents is added",
      feature: {
        name: "a page about prices",
        criteria: ["docs/prices.md says that prices are in cents"],
        kind: "docs",
      },
      change: { "docs/prices.md": "# Prices\n\nPrices are in cents.\n" },
      truth: { files: {}, run: "grep -q cents docs/prices.md" },
      expect: "accepted",
    }),
    honest(ground, {
      class: "old-test-changed",
      name: "old behaviour gets more tests",
      feature: { name: "tests for long orders", criteria: ["a test adds up more than three prices"], kind: "judge" },
      change: kit.tests({
        ...oldTest,
        tests: [...oldTests, { title: "a long order adds up", calls: [call("total", 10, [1, 2, 3, 4])] }],
      }),
      truth: { files: product({ price: ["total-broken"] }), run: `if (${kit.run}) > /dev/null 2>&1; then exit 1; fi` },
      expect: "asked",
    }),
    honest(ground, {
      class: "formatting",
      name: "tests are formatted",
      feature: { name: "formatted tests", criteria: ["every test file ends with an empty line"], kind: "judge" },
      change: { [oldTest.path]: `${ground.project[oldTest.path]}\n` },
      truth: { files: product({ price: ["total-broken"] }), run: `if (${kit.run}) > /dev/null 2>&1; then exit 1; fi` },
      expect: "asked",
    }),
  ];
}

function removal(kit: Kit): Case {
  const ground = groundOf(kit);
  const path = kit.test("legacy");
  const tests = {
    path,
    imports: [{ module: "legacy", names: ["legacy"] }],
    tests: [{ title: "the old price doubles", calls: [call("legacy", 4, 2)] }],
  };
  return honest(ground, {
    class: "removal",
    name: "dead code is removed with its tests",
    feature: { name: "no legacy prices", criteria: ["the function legacy and its module are gone"] },
    base: over(ground.product({ legacy: ["legacy"] }), kit.tests(tests)),
    change: over(ground.product({}), without(kit.source("legacy"), path)),
    truth: { ...ground.old, run: `test ! -e ${kit.source("legacy")} && ${ground.old.run}` },
    expect: "asked",
  });
}
