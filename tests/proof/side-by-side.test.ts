// Refactored functions answer the same calls as before, including calls that no test makes.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import type { Played } from "../../src/drill/matrix/play-case.ts";
import { play as playOne } from "./play.ts";

const price = `export function quote(sku, quantity) {
  const base = sku.length * 10;
  return base * quantity;
}
`;
const node: Edit = {
  "package.json":
    '{ "name": "price", "type": "module", "main": "src/price.js", "scripts": { "test": "node --test" } }\n',
  "src/price.js": price,
  "test/price.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { quote } from "../src/price.js";

test("one", () => assert.equal(quote("ab", 1), 20));
test("three", () => assert.equal(quote("abcd", 3), 120));
`,
};
const low = `def low(items, limit):
    found = []
    for item in items:
        if item < limit:
            found.append(item)
    return found
`;
const python: Edit = {
  "pyproject.toml": '[project]\nname = "stock"\nversion = "1"\n',
  "stock/__init__.py": "",
  "stock/query.py": low,
  "tests/test_query.py":
    "from stock.query import low\n\nITEMS = [1, 5]\n\n\ndef test_low():\n    assert list(low(ITEMS, 3)) == [1]\n",
};
const cached = (key: string): string => `const cache = new Map();

export function quote(sku, quantity) {
  const key = ${key};
  if (!cache.has(key)) cache.set(key, sku.length * 10 * quantity);
  return cache.get(key);
}
`;

const cart = (add: string): string => `export class Cart {
  #lines = new Map();

  add(sku, cents, quantity = 1) {
    ${add}
    return this;
  }

  total() {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.cents * line.quantity, 0);
  }
}
`;
const mean = (fails: string): Edit => ({
  ...node,
  "src/price.js": `export function mean(values) {\n  if (values.length === 0) {\n    ${fails}\n  }\n  return values.reduce((sum, each) => sum + each, 0) / values.length;\n}\n`,
  "test/price.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { mean } from "../src/price.js";

test("mean", () => assert.equal(mean([1, 3]), 2));
test("of nothing", () => assert.throws(() => mean([]), RangeError));
`,
});
const parsed = (fails: string): Edit => ({
  ...python,
  "stock/query.py": `def parse(text):\n    try:\n        return int(text)\n    except ValueError:\n        ${fails}\n`,
  "tests/test_query.py":
    "import pytest\nfrom stock.query import parse\n\n\ndef test_parse():\n    assert parse(str(12)) == 12\n\n\ndef test_parse_nothing():\n    with pytest.raises(ValueError):\n        parse('')\n",
});
const cents = "const line = this.#lines.get(sku) ?? { cents, quantity: 0 };";
const withClass: Edit = {
  "package.json": '{ "name": "cart", "type": "module", "main": "src/cart.js", "scripts": { "test": "node --test" } }\n',
  "src/cart.js": cart(`${cents}\n    line.quantity += quantity;\n    this.#lines.set(sku, line);`),
  "test/cart.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { Cart } from "../src/cart.js";

test("total", () => assert.equal(new Cart().add("a", 100, 2).add("b", 50).total(), 250));
`,
};
const account = (withdraw: string): string => `class Account:
    def __init__(self, balance=0):
        self._balance = balance

    def withdraw(self, amount):
        ${withdraw}
        return self._balance
`;
const withPythonClass: Edit = {
  "pyproject.toml": '[project]\nname = "bank"\nversion = "1"\n',
  "bank/__init__.py": "",
  "bank/account.py": account("self._balance = self._balance - amount"),
  "tests/test_account.py":
    "from bank.account import Account\n\n\ndef test_withdraw():\n    assert Account(10).withdraw(3) == 7\n",
};

const play = (project: Edit, run: string, change: Edit): Promise<Played> =>
  playOne({
    project,
    run,
    change,
    feature: { name: "Refactor it", criteria: ["no change in behaviour"], kind: "keep" },
  });

test.each([
  [
    "a cache that forgets an argument",
    node,
    "npm test",
    { "src/price.js": cached("sku") },
    /quote\("ab"\) was NaN, and is 20|asked again|quote\(/,
  ],
  [
    "a list that becomes an iterator",
    python,
    "python3 -m pytest -q",
    { "stock/query.py": "def low(items, limit):\n    return (item for item in items if item < limit)\n" },
    /low\(\[1, 5\], 3\) was list\[1\], and is an iterator/,
  ],
  [
    "a list that callers share",
    {
      ...python,
      "stock/query.py": 'def low(items, limit):\n    return {"items": [], "limit": limit}\n',
      "tests/test_query.py": "from stock.query import low\n\n\ndef test_low():\n    assert low([], 3)['limit'] == 3\n",
    },
    "python3 -m pytest -q",
    { "stock/query.py": "EMPTY = []\n\n\ndef low(items, limit):\n    return {'items': EMPTY, 'limit': limit}\n" },
    /low\(\[\], 3\), after a caller changed an earlier answer, was \{'items':list\[\],'limit':3\}, and is/,
  ],
  [
    "another value in a table that callers share, then as now",
    {
      ...node,
      "src/price.js":
        "const rates = { ab: { full: 20, reduced: 7 } };\nexport const quote = (sku, quantity) => rates[sku];\n",
      "test/price.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { quote } from "../src/price.js";

test("full", () => assert.equal(quote("ab", 1).full, 20));
`,
    },
    "npm test",
    {
      "src/price.js":
        "const rates = { ab: { full: 20, reduced: 8 } };\nexport const quote = (sku, quantity) => {\n  return rates[sku];\n};\n",
    },
    /quote\("ab", 1\) was .*"reduced",7.*, and is .*"reduced",8/,
  ],
  [
    "a pattern that lets more through",
    {
      ...node,
      "src/price.js": 'export const quote = (sku, quantity) => sku.replace(/[^a-zA-Z0-9]+/g, "-").repeat(quantity);\n',
      "test/price.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { quote } from "../src/price.js";

test("one", () => assert.equal(quote("a b", 1), "a-b"));
`,
    },
    "npm test",
    {
      "src/price.js":
        'const other = /\\W+/g;\nexport const quote = (sku, quantity) => sku.replace(other, "-").repeat(quantity);\n',
    },
    /quote\("ä_a b", 1\) was "-a-b", and is "-_a-b"/,
  ],
  [
    "recursion that is not deep enough",
    python,
    "python3 -m pytest -q",
    {
      "stock/query.py":
        "def low(items, limit):\n    if not items:\n        return []\n    first, *rest = items\n    return ([first] if first < limit else []) + low(rest, limit)\n",
    },
    /1500.* is an error \(RecursionError\)/,
  ],
  [
    "an error without its code",
    mean('throw Object.assign(new RangeError("no values"), { code: "E_EMPTY" });'),
    "npm test",
    mean('throw new RangeError("no values");'),
    /mean\(\[\]\) was an error \(RangeError, code "E_EMPTY"\), and is an error \(RangeError\)/,
  ],
  [
    "an error without its line, in Python",
    parsed("raise ValueError('line', 3) from None"),
    "python3 -m pytest -q",
    parsed("raise ValueError('line 3') from None"),
    /parse\(''\) was an error \(ValueError, 3\), and is an error \(ValueError\)/,
  ],
  [
    "an object that forgets what it had",
    withClass,
    "npm test",
    { "src/cart.js": cart("this.#lines.set(sku, { cents, quantity });") },
    /new Cart\(\)\.add\(.*\)\.add\(.*\)\.total\(\) was itself; itself; \d+, and is itself; itself; \d+/,
  ],
  [
    "an object that differs the second time",
    withPythonClass,
    "python3 -m pytest -q",
    { "bank/account.py": account("self._balance = max(self._balance - amount, 0)") },
    /new Account\(10\)\.withdraw\(.*\) was .*, and is/,
  ],
] as const)("%s is held", { timeout: 60_000 }, async (_, project, run, change, says) => {
  const { outcome, why } = await play(project, run, change);
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(says)]);
});

test.each([
  [
    "an error that says it otherwise",
    mean('throw Object.assign(new RangeError("no values"), { code: "E_EMPTY" });'),
    "npm test",
    mean('const error = new RangeError("there are no values");\n    error.code = "E_EMPTY";\n    throw error;'),
  ],
  [
    "an error that is made elsewhere, in Python",
    parsed("raise ValueError('line', 3) from None"),
    "python3 -m pytest -q",
    parsed("error = ValueError('line', 3)\n        raise error from None"),
  ],
  ["a cache by all arguments", node, "npm test", { "src/price.js": cached("[sku, quantity].join()") }],
  [
    "the same in one expression",
    node,
    "npm test",
    { "src/price.js": "export function quote(sku, quantity) {\n  return sku.length * 10 * quantity;\n}\n" },
  ],
  [
    "a comprehension",
    python,
    "python3 -m pytest -q",
    { "stock/query.py": "def low(items, limit):\n    return [item for item in items if item < limit]\n" },
  ],
  [
    "a class that says it shorter",
    withClass,
    "npm test",
    {
      "src/cart.js": cart(
        "const { quantity: had = 0, cents: price = cents } = this.#lines.get(sku) ?? {};\n    this.#lines.set(sku, { cents: price, quantity: had + quantity });",
      ),
    },
  ],
  [
    "a class with a shorter statement",
    withPythonClass,
    "python3 -m pytest -q",
    { "bank/account.py": account("self._balance -= amount") },
  ],
] as const)("%s is accepted", { timeout: 60_000 }, async (_, project, run, change) => {
  const { outcome, why } = await play(project, run, change);
  expect([outcome, why]).toEqual(["accepted", expect.any(String)]);
});

test("an answer that depends on chance is not compared", { timeout: 60_000 }, async () => {
  const random =
    "export function quote(sku, quantity) {\n  return sku.length * 10 * quantity;\n}\n\nexport function dice(sides) {\n  return 1 + Math.floor(Math.random() * sides);\n}\n";
  const tested = `${node["test/price.test.js"]}\nimport { dice } from "../src/price.js";\ntest("dice", () => assert.ok(dice(6) <= 6));\n`;
  const project = { ...node, "src/price.js": random, "test/price.test.js": tested };
  const { outcome, why } = await play(project, "npm test", {
    "src/price.js": random.replace("sku.length * 10", "10 * sku.length"),
  });
  expect([outcome, why]).toEqual(["accepted", expect.any(String)]);
});

test("a field that the feature names may be new in an old answer", { timeout: 60_000 }, async () => {
  const project: Edit = {
    ...node,
    "src/price.js":
      'export function parse(args) {\n  return { files: args.filter((arg) => !arg.startsWith("-")), force: args.includes("--force") };\n}\n',
    "test/price.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { parse } from "../src/price.js";

test("files", () => assert.deepEqual(parse(["a"]).files, ["a"]));
test("force", () => assert.equal(parse(["--force"]).force, true));
`,
  };
  const { outcome, why } = await playOne({
    project,
    run: "npm test",
    change: {
      "src/price.js":
        'export function parse(args) {\n  const dryRun = args.includes("--dry-run");\n  return { files: args.filter((arg) => !arg.startsWith("-")), force: args.includes("--force"), dryRun };\n}\n',
      "test/dry.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { parse } from "../src/price.js";

test("dry", () => assert.equal(parse(["--dry-run", "b"]).dryRun, true));
test("wet", () => assert.equal(parse(["b"]).dryRun, false));
`,
    },
    feature: { name: "Add --dry-run", criteria: ["dryRun is true with --dry-run, and false without it"] },
  });
  expect([outcome, why]).toEqual(["accepted", expect.any(String)]);
});
