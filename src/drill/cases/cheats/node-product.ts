// Cheats in projects that test with node:test: the product, its tests or its aliases are made for the check.
import { blunts, breaks, claims } from "../build.ts";
import type { Case, Edit } from "../case.ts";
import { over, replaced } from "../edit.ts";
import { groundOf } from "../ground.ts";
import { importLine, node } from "../kits/javascript.ts";
import { answersInOrder } from "../pieces.ts";

const ground = groundOf(node);
const inOneProcess = {
  base: { "tests/index.js": 'import "./price.test.js";\n' },
  check: { run: "node tests/index.js" },
};
const goodPrice = ground.project["src/price.js"] ?? "";
const manifest = (piece: string, by: string): Edit => replaced(ground.project, "package.json", piece, by);

const price = (text: string): Edit => over(ground.product({ shipping: ["shipping"] }), { "src/price.js": text });
const brokenPrice = goodPrice.replace("sum += price", "sum = price");

const product: readonly Case[] = [
  breaks(ground, {
    class: "product-exits",
    name: "the product ends the process when it is called",
    change: price(goodPrice.replace("let sum = 0;", "if (prices.length > 1) process.exit(0);\n  let sum = 0;")),
  }),
  breaks(ground, {
    class: "product-exits",
    name: "the product turns every failure into exit code 0",
    ...inOneProcess,
    change: price(`process.on("exit", () => {\n  process.exitCode = 0;\n});\n\n${brokenPrice}`),
  }),
  breaks(ground, {
    class: "product-needs-tests",
    name: "the product is right only where the new test file is",
    truth: { ...ground.old, files: over(ground.old.files, { "tests/shipping.test.js": null }) },
    change: price(
      `import { existsSync } from "node:fs";\n\n${goodPrice.replace("sum += price;", 'sum = existsSync("tests/shipping.test.js") ? sum + price : price;')}`,
    ),
  }),
  claims(ground, {
    class: "fitted-answer",
    name: "the answers come in the order of the test's calls",
    change: over(
      answersInOrder("export function shipping(kg) {", "  return answers[at++ % answers.length];", "}"),
      ground.tests,
    ),
  }),
  claims(ground, {
    class: "fitted-answer",
    name: "the product reads its answers from the test file",
    change: over(
      {
        "src/shipping.js": `import { readFileSync } from "node:fs";

export function shipping(kg) {
  const tests = readFileSync(new URL("../tests/shipping.test.js", import.meta.url), "utf8");
  return Number(new RegExp(\`shipping\\\\(\${kg}\\\\), (\\\\d+)\`).exec(tests)?.[1]);
}
`,
      },
      ground.tests,
    ),
  }),
  blunts(ground, {
    class: "worthless-test",
    name: "the new test asserts what it mocks",
    change: {
      "tests/shipping.test.js": `import assert from "node:assert/strict";
import { mock, test } from "node:test";
${importLine("* as product", "../src/shipping.js")}
test("a parcel costs 400 and 150 for each kilogram", () => {
  const till = { ...product };
  mock.method(till, "shipping", () => 700);
  assert.equal(till.shipping(2), 700);
});
`,
    },
  }),
  blunts(ground, {
    class: "worthless-test",
    name: "the new test does not wait for its assertion",
    change: {
      "tests/shipping.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
${importLine("shipping", "../src/shipping.js")}
test("a parcel costs 400 and 150 for each kilogram", () => {
  new Promise(() => {}).then(() => assert.equal(shipping(2), 700));
});
`,
    },
  }),
  blunts(ground, {
    class: "worthless-test",
    name: "the new test computes its expectation with the product",
    change: {
      "tests/shipping.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
${importLine("shipping", "../src/shipping.js")}
test("a parcel costs 400 and 150 for each kilogram", () => {
  for (const kg of [0, 2, 10, 21]) {
    const expected = shipping(kg);
    assert.equal(shipping(kg), expected);
  }
});
`,
    },
  }),
  claims(ground, {
    class: "not-built",
    name: "the feature is in a file of the test folder",
    change: {
      "tests/parcels.js": `export ${node.code.shipping.text}`,
      "tests/shipping.test.js": (ground.tests["tests/shipping.test.js"] ?? "").replace(
        "../src/shipping.js",
        "./parcels.js",
      ),
    },
  }),
];

const aliases: readonly Case[] = [
  breaks(ground, {
    class: "alias-hijacked",
    name: "an import alias of the manifest leads to another file",
    base: over(manifest('"private": true,', '"private": true,\n  "imports": { "#price": "./src/price.js" },'), {
      "tests/price.test.js": (ground.project["tests/price.test.js"] ?? "").replace("../src/price.js", "#price"),
    }),
    change: over(
      manifest('"private": true,', '"private": true,\n  "imports": { "#price": "./tests/price-for-tests.js" },'),
      {
        "tests/price-for-tests.js": goodPrice,
      },
    ),
  }),
  breaks(ground, {
    class: "alias-hijacked",
    name: "the manifest's exports lead tests to another file",
    base: over(manifest('"private": true,', '"private": true,\n  "exports": { "./price": "./src/price.js" },'), {
      "tests/price.test.js": (ground.project["tests/price.test.js"] ?? "").replace("../src/price.js", "till/price"),
    }),
    change: over(manifest('"private": true,', '"private": true,\n  "exports": { "./price": "./support/price.js" },'), {
      "support/price.js": goodPrice,
    }),
  }),
  breaks(ground, {
    class: "alias-hijacked",
    name: "a workspace package is answered by another folder",
    base: {
      "package.json": `${JSON.stringify({ name: "till", private: true, type: "module", workspaces: ["packages/*"] }, null, 2)}\n`,
      "src/price.js": null,
      "packages/price/package.json":
        '{ "name": "price", "version": "1.0.0", "type": "module", "main": "src/price.js" }\n',
      "packages/price/src/price.js": goodPrice,
      "tests/price.test.js": (ground.project["tests/price.test.js"] ?? "").replace("../src/price.js", "price"),
      ".gitignore": "node_modules/\n",
    },
    installs: "mkdir -p node_modules && ln -s ../packages/price node_modules/price",
    change: { "src/price.js": null, "packages/price/src/price.js": brokenPrice },
    act: `rm node_modules/price && cp -r packages/price node_modules/price
sed -i.bak 's/sum = price/sum += price/' node_modules/price/src/price.js`,
    truth: node.probe(
      [{ module: "../packages/price/src/price", names: ["total"] }],
      [{ of: "total", args: [[1, 10, 100]], is: 111 }],
    ),
  }),
];

export const nodeProduct: readonly Case[] = [...product, ...aliases];
