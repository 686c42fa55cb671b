// Honest changes that the first version of the prover refused, and the expected outcome of each.

import { honest } from "../../src/drill/cases/build.ts";
import type { Case } from "../../src/drill/cases/case.ts";
import { lines, over } from "../../src/drill/cases/edit.ts";
import { groundOf, shippingFeature } from "../../src/drill/cases/ground.ts";
import { cases } from "../../src/drill/cases/index.ts";
import { node, vitest } from "../../src/drill/cases/kits/javascript.ts";

export type Kind = {
  /** The name of its golden file. */
  readonly kind: string;
  /** accepted: without any question. asked: one question, or accepted where the feature names the files. */
  readonly becomes: "accepted" | "asked";
  readonly of: Case;
};

export function caseNamed(name: string): Case {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case is called ${name}`);
  return found;
}

const kind = (name: string, becomes: Kind["becomes"], of: Case): Kind => ({ kind: name, becomes, of });

export const kinds: readonly Kind[] = [
  kind("behaviour-change", "asked", caseNamed("node: a behaviour changes, and its test is rewritten")),
  kind("bug-fix", "asked", caseNamed("node: a bug is fixed that the old test asserts")),
  kind("signature-change", "asked", caseNamed("node: a signature changes, and its tests are adapted")),
  kind("expected-file", "asked", caseNamed("node: a receipt gets a title, and the expected text with it")),
  kind("expected-file-elsewhere", "asked", expectedElsewhere()),
  kind("snapshot", "asked", snapshotUpdate()),
  kind("function-renamed", "asked", caseNamed("node: a function is renamed with its tests")),
  kind("module-renamed", "accepted", caseNamed("node: a module is renamed, and the import in its test")),
  kind("folder-moved", "accepted", folderMoved()),
  kind("test-moved-and-added-to", "accepted", caseNamed("node: a feature, and an old test file moved and added to")),
  kind("dead-code-removed", "asked", caseNamed("node: dead code is removed with its tests")),
  kind("first-of-two-turn-green", "accepted", caseNamed("node: the first of two features of a red test file is built")),
  kind(
    "second-of-two-turn-green",
    "accepted",
    caseNamed("node: the second of two features of a red test file is built"),
  ),
  kind("rust-inline-tests", "accepted", caseNamed("rust: a feature with its tests in the source")),
  kind("shell-tests", "accepted", caseNamed("shell: a feature with its tests")),
  kind("import-widened", "accepted", caseNamed("node: a feature in an old module, tested in the old test file")),
  kind("script-that-asserts", "accepted", plainScript()),
  kind("tests-formatted", "accepted", reformatted()),
  kind("server-that-answers", "accepted", server()),
];

/** Expected output need not be in the tests folder. */
function expectedElsewhere(): Case {
  const golden = "data/receipt.txt";
  const ground = groundOf(node, { golden });
  return honest(ground, {
    class: "expected-rewritten",
    name: "a receipt gets a title, and the expected text in a data folder with it",
    feature: { name: "titled receipts", criteria: ["receipt(prices) begins with the line Receipt"] },
    change: over(ground.product({ receipt: ["receipt-titled"] }), { [golden]: "Receipt\n1: 250\n2: 100\n" }),
    truth: node.probe(
      [{ module: "receipt", names: ["receipt"] }],
      [{ of: "receipt", args: [[5]], is: "Receipt\n1: 5\n" }],
    ),
    expect: "asked",
  });
}

/** `toMatchSnapshot` of a receipt that gets a title: the test stays the same, and its snapshot is updated. */
function snapshotUpdate(): Case {
  const ground = groundOf(vitest);
  const snapshot = (...text: readonly string[]): string =>
    lines(
      "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html",
      "",
      "exports[`a receipt lists its prices 1`] = `",
      ...text,
      '"',
      "`;",
    );
  const at = "tests/__snapshots__/receipt.test.js.snap";
  return honest(ground, {
    class: "expected-rewritten",
    name: "a receipt gets a title, and its snapshot with it",
    feature: { name: "titled receipts", criteria: ["receipt(prices) begins with the line Receipt"] },
    base: over(ground.product({ receipt: ["receipt"] }), {
      "tests/receipt.test.js": lines(
        'import { expect, test } from "vitest";',
        'import { receipt } from "../src/receipt.js";',
        "",
        'test("a receipt lists its prices", () => {',
        "  expect(receipt([250, 100])).toMatchSnapshot();",
        "});",
      ),
      [at]: snapshot('"1: 250', "2: 100"),
    }),
    change: over(ground.product({ receipt: ["receipt-titled"] }), { [at]: snapshot('"Receipt', "1: 250", "2: 100") }),
    truth: vitest.probe(
      [{ module: "receipt", names: ["receipt"] }],
      [{ of: "receipt", args: [[7]], is: "Receipt\n1: 7\n" }],
    ),
    expect: "asked",
  });
}

/** Two modules in one folder, one importing the other, each with a test: only paths change. */
function folderMoved(): Case {
  const ground = groundOf(node);
  const tree = (folder: string): Record<string, string> => ({
    [`src/${folder}/tax.js`]: "export function tax(price) {\n  return Math.round(price * 0.2);\n}\n",
    [`src/${folder}/gross.js`]:
      'import { tax } from "./tax.js";\n\nexport function gross(price) {\n  return price + tax(price);\n}\n',
    "tests/tax.test.js": testOf(folder, "tax", "tax(500)", 100),
    "tests/gross.test.js": testOf(folder, "gross", "gross(500)", 600),
  });
  return honest(ground, {
    class: "rename-or-move",
    name: "a folder moves, and the imports in two tests",
    feature: { name: "a folder for taxes", criteria: ["tax and gross are in src/taxes"], kind: "keep" },
    base: tree("money"),
    change: over({ "src/money/tax.js": null, "src/money/gross.js": null }, tree("taxes")),
    truth: { files: {}, run: "test ! -e src/money && node --test" },
    expect: "accepted",
  });
}

function testOf(folder: string, name: string, call: string, is: number): string {
  return lines(
    'import assert from "node:assert/strict";',
    'import { test } from "node:test";',
    `import { ${name} } from "../src/${folder}/${name}.js";`,
    "",
    `test("${name} of 500", () => {`,
    `  assert.equal(${call}, ${is});`,
    "});",
  );
}

/** A test script that only asserts, next to named tests: it reports no names, but still fails without the feature. */
function plainScript(): Case {
  const ground = groundOf(node);
  const script = lines(
    'import assert from "node:assert/strict";',
    'import { shipping } from "../src/shipping.js";',
    "",
    "assert.equal(shipping(2), 700);",
    "assert.equal(shipping(10), 1900);",
    "assert.equal(shipping(21), 0);",
  );
  return honest(ground, {
    class: "plain-feature",
    name: "a feature with a test script that only asserts",
    change: over(ground.built, { [ground.newTest.path]: script }),
    truth: ground.fresh,
    expect: "accepted",
  });
}

/** When a piece of it is reverted, the server does not respond, and its test hangs. */
function server(): Case {
  const ground = groundOf(node);
  const code = lines(
    'import { createServer } from "node:http";',
    "",
    "function answer(request, response) {",
    '  const kilos = Number(new URL(request.url, "http://shop").searchParams.get("kilos"));',
    "  response.end(String(kilos * 2));",
    "}",
    "",
    "export const serve = () => createServer(answer);",
  );
  const test = lines(
    'import assert from "node:assert/strict";',
    'import test from "node:test";',
    'import { serve } from "../src/serve.js";',
    "",
    'test("the server answers", async () => {',
    "  const server = serve();",
    "  await new Promise((resolve) => server.listen(0, resolve));",
    '  const answer = await fetch("http://127.0.0.1:" + server.address().port + "/?kilos=4");',
    '  assert.equal(await answer.text(), "8");',
    "  server.closeAllConnections();",
    "  server.close();",
    "});",
  );
  return honest(ground, {
    class: "plain-feature",
    name: "a server that answers, with a test that asks it",
    feature: { name: "a server", criteria: ["serve() answers ?kilos=n with twice that"] },
    change: { "src/serve.js": code, "tests/serve.test.js": test },
    truth: ground.fresh,
    expect: "accepted",
  });
}

/** A formatter also changed the old test: different indentation, and more blank lines. */
function reformatted(): Case {
  const ground = groundOf(node);
  const old = ground.project[ground.oldTest.path] ?? "";
  const formatted = old.replace(/^ {2}/gm, "\t").replace(/\n\n/g, "\n\n\n");
  return honest(ground, {
    class: "formatting",
    name: "a feature, and a formatter went over an old test",
    feature: shippingFeature,
    change: over(ground.built, ground.tests, { [ground.oldTest.path]: formatted }),
    truth: ground.fresh,
    expect: "accepted",
  });
}
