// Modules that no test loads still load, export what they did, and change nothing else; new functions answer twice alike.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const node: Edit = {
  "package.json":
    '{ "name": "shop", "type": "module", "exports": "./src/index.js", "scripts": { "test": "node --test" } }\n',
  "src/index.js": 'export * from "./price.js";\nexport * from "./text.js";\n',
  "src/price.js":
    'export function format(cents) {\n  return cents + " ct";\n}\n\nexport function withTax(cents) {\n  return Math.round(cents * 1.2);\n}\n',
  "src/text.js": "export function words(text) {\n  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];\n}\n",
  "test/price.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { format, withTax } from "../src/price.js";

test("format", () => assert.equal(format(5), "5 ct"));
test("tax", () => assert.equal(withTax(100), 120));
`,
  "test/text.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { words } from "../src/text.js";

test("words", () => assert.deepEqual(words("A b"), ["a", "b"]));
`,
};
const slug = 'import { words } from "./text.js";\n\nexport function slug(text) {\n  return words(text).join("-");\n}\n';
const tested = `import assert from "node:assert/strict";
import test from "node:test";
import { slug } from "../src/slug.js";

test("slug", () => assert.equal(slug("Hello, World"), "hello-world"));
test("slug of two", () => assert.equal(slug("A b"), "a-b"));
test("slug of nothing", () => assert.equal(slug(""), ""));
`;
const honest: Edit = {
  "src/slug.js": slug,
  "src/index.js": `${node["src/index.js"]}export * from "./slug.js";\n`,
  "test/slug.test.js": tested,
};
const feature = { name: "Add slug(text)", criteria: ['slug("Hello, World") is "hello-world"', 'slug("") is ""'] };
const price = node["src/price.js"] ?? "";
const text = node["src/text.js"] ?? "";

test.each([
  [
    "an entry that names a file which does not exist",
    { ...honest, "src/index.js": `${node["src/index.js"]}export * from "./slugs.js";\n` },
    /src\/index\.js: it could be loaded, and is not loaded/,
  ],
  [
    "a second name that hides an old one of the entry",
    { ...honest, "src/slug.js": `${slug}\nexport const format = (text) => slug(text);\n` },
    /what it exports was format \(function\)/,
  ],
  [
    "a handler for the whole process",
    { ...honest, "src/slug.js": `process.on("uncaughtException", () => {});\n${slug}` },
    /a handler of uncaughtException/,
  ],
  [
    "an old function that prints",
    { ...honest, "src/price.js": price.replace("  return Math", "  console.log(cents);\n  return Math") },
    /withTax\(100\) was 120, and is 120, and it prints/,
  ],
  [
    "a new function that answers otherwise the second time",
    {
      ...honest,
      "src/slug.js": `${slug}\nconst pattern = /^[a-z]+$/g;\n\nexport function isSlug(text) {\n  return pattern.test(text);\n}\n`,
      "test/slug.test.js": `${tested}\nimport { isSlug } from "../src/slug.js";\ntest("isSlug", () => {\n  assert.equal(isSlug("abc"), true);\n  assert.equal(isSlug("a b"), false);\n  assert.equal(isSlug("xyz"), true);\n});\n`,
    },
    /isSlug\("\w+"\) is true, and false when it is asked again/,
  ],
] as const)("%s is held", { timeout: 60_000 }, async (_, change, says) => {
  const { outcome, why } = await play({ project: node, run: "npm test", change, feature });
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(says)]);
});

test("an option that changes what calls without it answer is held", { timeout: 60_000 }, async () => {
  const change = {
    "src/text.js": text
      .replace("words(text)", "words(text, { upper = false } = {})")
      .replace(
        "text.toLowerCase().match(/[a-z0-9]+/g)",
        "(upper ? text.toUpperCase() : text.toLowerCase()).match(/\\w+/g)",
      ),
    "test/upper.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { words } from "../src/text.js";

test("upper", () => assert.deepEqual(words("A b", { upper: true }), ["A", "B"]));
test("upper of one", () => assert.deepEqual(words("xy", { upper: true }), ["XY"]));
`,
  };
  const asked = { name: "words(text, { upper })", criteria: ['words("A b", { upper: true }) is ["A", "B"]'] };
  const { outcome, why } = await play({ project: node, run: "npm test", change, feature: asked });
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(/words\("ä_A b"\) was .*, and is/)]);
});

test("a new export of the entry is accepted", { timeout: 60_000 }, async () => {
  const { outcome, why } = await play({ project: node, run: "npm test", change: honest, feature });
  expect([outcome, why]).toEqual(["accepted", "strong"]);
});

const close = "export function close(a, b) {\n  return Math.abs(a - b) <= 1e-9;\n}\n";
const rated: Edit = {
  ...node,
  "src/close.js": close,
  "src/rates.js": "export function monthly(rate) {\n  return (1 + rate) ** (1 / 12) - 1;\n}\n",
  "test/rates.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { close } from "../src/close.js";
import { monthly } from "../src/rates.js";

test("monthly", () => assert.ok(close((1 + monthly(0.12)) ** 12, 1.12)));
`,
};
const yearly = (monthly: string): Edit => ({
  "src/rates.js": `export function monthly(rate) {\n  return ${monthly};\n}\n\nexport function yearly(rate) {\n  return (1 + rate) ** 12 - 1;\n}\n`,
  "test/yearly.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { yearly } from "../src/rates.js";

test("yearly", () => assert.equal(yearly(0.01).toFixed(6), "0.126825"));
test("yearly of nothing", () => assert.equal(yearly(0), 0));
`,
});

test("a helper of the tests in a product folder that lets more pass is held", { timeout: 60_000 }, async () => {
  const change = { ...yearly("rate / 12"), "src/close.js": close.replace("1e-9", "1e-2") };
  const asked = { name: "Add yearly(rate)", criteria: ["yearly(0) is 0"] };
  const { outcome, why } = await play({ project: rated, run: "npm test", change, feature: asked });
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(/only because src\/close\.js was changed/)]);
  const good = { ...yearly("(1 + rate) ** (1 / 12) - 1"), "src/close.js": `// Rounding aside.\n${close}` };
  expect(await play({ project: rated, run: "npm test", change: good, feature: asked })).toMatchObject({
    grade: "strong",
  });
});

const python: Edit = {
  "pyproject.toml": '[project]\nname = "stock"\nversion = "1"\n',
  "stock/__init__.py": "from .text import title\nfrom .sums import total\n",
  "stock/text.py": "def title(text):\n    return text.title()\n",
  "stock/sums.py": "def total(items):\n    return sum(items)\n",
  "tests/test_text.py": 'from stock.text import title\n\n\ndef test_title():\n    assert title("a b") == "A B"\n',
  "tests/test_sums.py": "from stock.sums import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
};
const mean = "def mean(items):\n    return sum(items) / len(items)\n";
const testedMean = (module: string): string =>
  `from ${module} import mean\n\n\ndef test_mean():\n    assert mean([1, 3]) == 2\n\n\ndef test_mean_of_one():\n    assert mean([5]) == 5\n`;

test.each([
  [
    "a package that no longer passes on a name",
    {
      "stock/mean.py": mean,
      "stock/__init__.py": "from .mean import mean\nfrom .sums import total\n",
      "tests/test_mean.py": testedMean("stock.mean"),
    },
    /stock\/__init__\.py: what it exports was title \(function\)/,
  ],
  [
    "a module that hides a function of the package",
    { "stock/total.py": mean, "tests/test_mean.py": testedMean("stock.total") },
    /stock\/__init__\.py: what it exports was total \(function\)/,
  ],
] as const)("%s is held", { timeout: 60_000 }, async (_, change, says) => {
  const asked = { name: "Add mean(items)", criteria: ["mean([1, 3]) is 2"] };
  const { outcome, why } = await play({ project: python, run: "python3 -m pytest -q", change, feature: asked });
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(says)]);
});
