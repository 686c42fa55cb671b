// Old functions, objects and tables answer as before for inputs that no test has, also where the feature names them and says
// that they stay. Honest changes next to each.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

type Feature = Parameters<typeof play>[0]["feature"];

const keep: Feature = { name: "Refactor it", criteria: ["it answers as before"], kind: "keep" };
const node = (source: string, test_: string): Edit => ({
  "package.json":
    '{ "name": "shop", "type": "module", "main": "src/index.js", "scripts": { "test": "node --test" } }\n',
  "src/index.js": 'export * from "./shop.js";\n',
  "src/shop.js": source,
  "test/shop.test.js": nodeTest(test_),
});
const nodeTest = (body: string): string =>
  `import assert from "node:assert/strict";\nimport test from "node:test";\nimport * as shop from "../src/shop.js";\n\nconst { ${[...new Set(body.match(/\b[a-zA-Z]+(?=\()/g))].filter((name) => !/^(?:equal|deepEqual|throws)$/.test(name)).join(", ")} } = shop;\n\ntest(${JSON.stringify(body.slice(0, 20))}, () => {\n  ${body}\n});\n`;
const python = (source: string, test_: string, init = ""): Edit => ({
  "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
  "shop/__init__.py": init,
  "shop/cart.py": source,
  "tests/__init__.py": "",
  "tests/test_cart.py": pythonTest("from shop.cart import *", "test_old", test_),
});
const pythonTest = (imports: string, name: string, body: string): string =>
  `import unittest\n${imports}\n\n\nclass CartTest(unittest.TestCase):\n    def ${name}(self):\n        ${body}\n`;
const [npmTest, unittest] = ["npm test", "python3 -m unittest -q"];

const csv = node(
  'export function parseLine(line) {\n  return line.split(",");\n}\n',
  'assert.deepEqual(parseLine("a,b,c"), ["a", "b", "c"]);',
);
const quoted: Feature = {
  name: "Quoted fields in parseLine",
  criteria: ["a field in double quotes may contain commas", "lines without quotes are split like today"],
};
const quotedTest = nodeTest('assert.deepEqual(parseLine(\'"x,y",z\'), ["x,y", "z"]);');
const rates = node(
  "export const RATES = {\n  de: 19,\n  fr: 20,\n};\n\nexport function rate(country) {\n  return RATES[country];\n}\n",
  'assert.equal(rate("fr"), 20);',
);
const austria: Feature = { name: "A rate for Austria", criteria: ['rate("at") is 21'] };
const austriaTest = nodeTest('assert.equal(rate("at"), 21);');
const total =
  "def total(prices):\n    result = 0\n    for price in prices:\n        result += price\n    return result\n";
const packaged = python(total, "self.assertEqual(total([1, 2, 3]), 6)", "from .cart import total\n");
const discount: Feature = {
  name: "Add discounted(prices, percent)",
  criteria: ["discounted(prices, percent) is less"],
};
const discountTest = pythonTest(
  "from shop.discounts import discounted",
  "test_discounted",
  "self.assertEqual(discounted([50, 50], 10), 90)\n        self.assertEqual(discounted([20, 20], 50), 20)",
);
const point = (more: string): string =>
  `class Point:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n\n${more}    def moved(self, dx, dy):\n        return Point(self.x + dx, self.y + dy)\n`;
const points = python(point(""), "self.assertEqual(Point(1, 2).moved(3, 4).x, 4)");
const byValue: Feature = { name: "Points compare by value", criteria: ["Point(1, 2) == Point(1, 2)"] };
const equality =
  "    def __eq__(self, other):\n        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)\n\n";
const hash = "    def __hash__(self):\n        return hash((self.x, self.y))\n\n";
const equalityTest = pythonTest(
  "from shop.cart import Point",
  "test_equal",
  "self.assertTrue(Point(1, 2) == Point(1, 2))\n        self.assertFalse(Point(1, 2) == Point(1, 3))\n        self.assertFalse(Point(1, 2) == Point(0, 2))\n        self.assertFalse(Point(1, 2) == 5)",
);
const cartClass = (items: string): string =>
  `class Cart:\n    ${items}\n    def add(self, price):\n        self.items.append(price)\n\n    def total(self):\n        return sum(self.items)\n`;
const carts: Feature = { name: "Add a class Cart", criteria: ["a Cart adds prices, and tells their total"] };
const cartTest = pythonTest(
  "from shop.carts import Cart",
  "test_add",
  "cart = Cart()\n        cart.add(3)\n        cart.add(4)\n        self.assertEqual(cart.total(), 7)",
);

const stock = (more: string, method = ""): string =>
  `class Cart:\n    def __init__(self):\n        self.items = []\n\n    def add(self, name, price, count=1):\n        for item in self.items:\n            if item["name"] == name:\n                item["count"] += count\n${more}                return\n        self.items.append({"name": name, "price": price, "count": count})\n\n${method}    def total(self):\n        return sum(item["price"] * item["count"] for item in self.items)\n`;
const removal =
  '    def remove(self, name):\n        for item in self.items:\n            if item["name"] == name:\n                self.items.remove(item)\n                return item\n        return None\n\n';
const removing: Feature = {
  name: "Add remove(name) to Cart",
  criteria: ["Cart().remove(name) takes the item out and returns it, or None", "Everything else of Cart stays"],
};
const removalTest = pythonTest(
  "from shop.cart import Cart",
  "test_remove",
  'cart = Cart()\n        cart.add("pen", 2)\n        cart.add("book", 10)\n        self.assertEqual(cart.remove("pen"), {"name": "pen", "price": 2, "count": 1})\n        self.assertEqual(cart.total(), 10)\n        self.assertIsNone(cart.remove("pen"))',
);

test.each([
  [
    "a number too large for 32 bits",
    node("export function cents(amount) {\n  return Math.trunc(amount * 100);\n}\n", "assert.equal(cents(2.5), 250);"),
    npmTest,
    keep,
    { "src/shop.js": "export function cents(amount) {\n  return (amount * 100) | 0;\n}\n" },
    /cents\(\d+\) was \d+, and is -?\d+/,
  ],
  [
    "a zero that becomes the default",
    node(
      "export function page(list, { size } = {}) {\n  return list.slice(0, size === undefined ? 3 : size);\n}\n",
      "assert.deepEqual(page([1, 2, 3, 4], { size: 2 }), [1, 2]);",
    ),
    npmTest,
    keep,
    { "src/shop.js": "export function page(list, { size } = {}) {\n  return list.slice(0, size || 3);\n}\n" },
    /page\(.*"size": 0.*\) was \[\], and is \[1,2,3\]/,
  ],
  [
    "an option that no test uses",
    node(
      "export function each(list, act, { onError } = {}) {\n  const found = [];\n  for (const item of list) {\n    try {\n      found.push(act(item));\n    } catch (error) {\n      if (!onError) throw error;\n      onError(error);\n    }\n  }\n  return found;\n}\n",
      "assert.deepEqual(each([1, 2], (x) => x * 2), [2, 4]);",
    ),
    npmTest,
    keep,
    {
      "src/shop.js":
        "export function each(list, act, { onError } = {}) {\n  return list.map((item) => act(item));\n}\n",
    },
    /each\(\[1, 2\], .*"onError".*\) was .*, and is an error \(RangeError\)/,
  ],
  [
    "a promise that is no longer one",
    node(
      'export async function load(id) {\n  if (id === "") throw new RangeError("no id");\n  return id;\n}\n',
      'return load("a").then((id) => assert.equal(id, "a"));',
    ),
    npmTest,
    keep,
    {
      "src/shop.js":
        'export function load(id) {\n  if (id === "") throw new RangeError("no id");\n  return Promise.resolve(id);\n}\n',
    },
    /load\(""\) was a promise of an error \(RangeError\), and is an error \(RangeError\)/,
  ],
  [
    "a key that is put together",
    node(
      'const known = new Map();\n\nexport function key(a, b) {\n  return a.length + ":" + a + "/" + b;\n}\n',
      'assert.equal(key("ab", "c"), "2:ab/c");',
    ),
    npmTest,
    keep,
    {
      "src/shop.js":
        'const known = new Map();\n\nexport function key(a, b) {\n  const at = a + "/" + b;\n  if (!known.has(at)) known.set(at, a.length + ":" + at);\n  return known.get(at);\n}\n',
    },
    /key\("a", "b\/c"\) was "1:a\/b\/c", and is "3:a\/b\/c"/,
  ],
  [
    "a text that ends with a new line",
    python(
      'def is_code(text):\n    return 4 <= len(text) <= 6 and all(each in "0123456789" for each in text)\n',
      'self.assertTrue(is_code("1234"))\n        self.assertFalse(is_code("12a4"))',
    ),
    unittest,
    keep,
    { "shop/cart.py": 'import re\n\n\ndef is_code(text):\n    return re.match(r"^[0-9]{4,6}$", text) is not None\n' },
    /is_code\('1234\\n'\) was False, and is True/,
  ],
  [
    "a list where tests have tuples",
    python("def spread(values):\n    return max(values) - min(values)\n", "self.assertEqual(spread((3, 9)), 6)"),
    unittest,
    keep,
    {
      "shop/cart.py":
        "known = {}\n\n\ndef spread(values):\n    if values not in known:\n        known[values] = max(values) - min(values)\n    return known[values]\n",
    },
    /spread\(list\(\(3, 9\)\)\) was 6, and is an error \(TypeError\)/,
  ],
  [
    "what a named function did before, where the feature says so",
    csv,
    npmTest,
    quoted,
    {
      "src/shop.js":
        'export function parseLine(line) {\n  return [...line.matchAll(/"([^"]*)"|([^,]+)/g)].map((match) => match[1] ?? match[2]);\n}\n',
      "test/quoted.test.js": quotedTest,
    },
    /parseLine\(""\) was \[""\], and is \[\]/,
  ],
  [
    "a function of a file that reaches the disk only now",
    node("export function convert(amount) {\n  return amount * 1.25;\n}\n", "assert.equal(convert(4), 5);"),
    npmTest,
    { name: "Add loadRates(file)", criteria: ["loadRates(file) gives the rates of a JSON file"] },
    {
      "src/shop.js":
        'import { readFileSync } from "node:fs";\n\nexport function convert(amount) {\n  return Math.min(amount, 9999) * 1.25;\n}\n\nexport function loadRates(file) {\n  return JSON.parse(readFileSync(file, "utf8"));\n}\n',
      "test/load.test.js": nodeTest('assert.equal(loadRates("package.json").name, "shop");'),
    },
    /convert\(\d+\) was \d+.*, and is \d+/,
  ],
  [
    "a second entry of the same key",
    rates,
    npmTest,
    austria,
    {
      "src/shop.js": (rates["src/shop.js"] ?? "").replace("  fr: 20,\n", "  fr: 20,\n  at: 21,\n  de: 7,\n"),
      "test/austria.test.js": austriaTest,
    },
    /RATES had de=19, and has not any more/,
  ],
  [
    "a name of the package that is another function now",
    packaged,
    unittest,
    discount,
    {
      "shop/__init__.py": "from .cart import total\nfrom .discounts import *\n",
      "shop/discounts.py":
        "def total(prices):\n    return sum(prices[:10])\n\n\ndef discounted(prices, percent):\n    return total(prices) * (100 - percent) / 100\n",
      "tests/test_discounts.py": discountTest,
    },
    /shop\/__init__\.py: total\(.*\) was \d+, and is \d+/,
  ],
  [
    "objects that can no longer be put into a set",
    points,
    unittest,
    byValue,
    { "shop/cart.py": point(equality), "tests/test_equal.py": equalityTest },
    /objects of Point could be put into a set, and cannot any more/,
  ],
  [
    "a new class whose objects share what they hold",
    points,
    unittest,
    carts,
    { "shop/carts.py": cartClass("items = []\n"), "tests/test_carts.py": cartTest },
    /answers otherwise the second time: shop\/carts\.py: Cart\(\)/,
  ],
  [
    "an old method, where the feature says that everything else of the class stays",
    python(
      stock(""),
      "cart = Cart()\n        cart.add('pen', 2)\n        cart.add('book', 10, 2)\n        self.assertEqual(cart.total(), 22)",
    ),
    unittest,
    removing,
    { "shop/cart.py": stock('                item["price"] = price\n', removal), "tests/test_remove.py": removalTest },
    /cart\.py: new Cart\(\)\.add\(.*\)\.add\(.*\).* was .*, and is/,
  ],
] as const)("%s is held", { timeout: 90_000 }, async (_, project, run, feature, change, says) => {
  const { outcome, why } = await play({ project, run, change, feature });
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(says)]);
});

test.each([
  [
    "a named function that changes only as it was asked to",
    csv,
    npmTest,
    quoted,
    {
      "src/shop.js":
        'export function parseLine(line) {\n  const fields = [];\n  let field = "";\n  let isQuoted = false;\n  for (const char of line) {\n    if (char === \'"\') isQuoted = !isQuoted;\n    else if (char === "," && !isQuoted) {\n      fields.push(field);\n      field = "";\n    } else field += char;\n  }\n  return [...fields, field];\n}\n',
      "test/quoted.test.js": quotedTest,
    },
  ],
  [
    "one more entry of a table",
    rates,
    npmTest,
    austria,
    {
      "src/shop.js": (rates["src/shop.js"] ?? "").replace("  fr: 20,\n", "  fr: 20,\n  at: 21,\n"),
      "test/austria.test.js": austriaTest,
    },
  ],
  [
    "a new module that its package passes on",
    packaged,
    unittest,
    discount,
    {
      "shop/__init__.py": "from .cart import total\nfrom .discounts import discounted\n",
      "shop/discounts.py":
        "from .cart import total\n\n\ndef discounted(prices, percent):\n    return total(prices) * (100 - percent) / 100\n",
      "tests/test_discounts.py": discountTest,
    },
  ],
  [
    "equality with a hash",
    points,
    unittest,
    byValue,
    {
      "shop/cart.py": point(`${equality}${hash}`),
      "tests/test_equal.py": equalityTest.replace(
        "        self.assertTrue",
        "        self.assertEqual(len({Point(1, 2), Point(1, 2)}), 1)\n        self.assertTrue",
      ),
    },
  ],
  [
    "a new class whose objects are apart",
    points,
    unittest,
    carts,
    {
      "shop/carts.py": cartClass("def __init__(self):\n        self.items = []\n"),
      "tests/test_carts.py": cartTest,
    },
  ],
  [
    "a new method beside old ones that stay",
    python(
      stock(""),
      "cart = Cart()\n        cart.add('pen', 2)\n        cart.add('book', 10, 2)\n        self.assertEqual(cart.total(), 22)",
    ),
    unittest,
    removing,
    { "shop/cart.py": stock("", removal), "tests/test_remove.py": removalTest },
  ],
  [
    "a decorated function",
    python(
      "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n",
      "self.assertEqual(fib(10), 55)\n        self.assertEqual(fib(1), 1)",
    ),
    unittest,
    keep,
    {
      "shop/cart.py":
        "from functools import lru_cache\n\n\n@lru_cache(maxsize=None)\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n",
    },
  ],
] as const)("%s is accepted", { timeout: 90_000 }, async (_, project, run, feature, change) => {
  const { outcome, why } = await play({ project, run, change, feature });
  expect([outcome, why]).toEqual(["accepted", expect.any(String)]);
});
