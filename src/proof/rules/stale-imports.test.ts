// Names that are gone and still imported somewhere, judged by the texts alone.
import { describe, expect, test } from "vitest";
import { sidesBetween, type Texts } from "../../testing/sides-rig.ts";
import { staleImportQuestions } from "./stale-imports.ts";

const node: Texts = {
  "package.json": '{ "type": "module", "main": "src/index.js", "bin": { "price": "bin/price.js" } }',
  "src/cart.js":
    "export function discount(total) {\n  return total * 0.9;\n}\n\nexport const net = 1, gross = 2;\n\nexport class Cart {}\n",
  "src/index.js": 'export * from "./cart.js";\n',
  "test/cart.test.js": 'import { discount } from "../src/cart.js";\n',
};
const python: Texts = {
  "pyproject.toml": '[project]\nname = "ledger"\nversion = "1"\n',
  "src/ledger/__init__.py": "from .money import format_amount\n",
  "src/ledger/money.py": "def format_amount(cents):\n    return str(cents)\n\n\nRATE = 2\n",
  "tests/test_money.py": "from ledger.money import format_amount\n",
};
const renamed = (base: Texts, path: string, from: string, to: string): Texts => ({
  ...base,
  [path]: (base[path] ?? "").replaceAll(from, to),
});
const asked = (base: Texts, after: Texts): string =>
  staleImportQuestions({ sides: sidesBetween(base, after) }).join("");

describe("a name of JavaScript that is gone", () => {
  test.each([
    [
      "a program",
      'import { discount } from "../src/cart.js";\ndiscount(1);\n',
      "bin/price.js:1 (discount of ../src/cart.js)",
    ],
    [
      "a program, through the package",
      'import { Cart, discount as off } from "../src/index.js";\n',
      "bin/price.js:1 (discount of ../src/index.js)",
    ],
    [
      "a program that is loaded when it runs",
      '#!/usr/bin/env node\nconst { discount } = await import("../src/cart.js");\n',
      "bin/price.js:2",
    ],
    [
      "a function that loads it later",
      'export async function run() {\n  const { discount: off } = await import("../src/cart.js");\n}\n',
      "bin/price.js:2",
    ],
    ["one name of what is loaded", 'const off = (await import("../src/cart.js")).discount;\n', "bin/price.js:1"],
    ["what follows a promise", 'import("../src/cart.js").then(({ discount }) => discount(1));\n', "bin/price.js:1"],
    [
      "all of a module",
      'import * as cart from "../src/cart.js";\nconsole.log(1);\nconsole.log(cart.discount(1));\n',
      "bin/price.js:3",
    ],
    ["require", 'const { discount } = require("../src/cart.js");\n', "bin/price.js:1"],
    ["require as a whole", 'const cart = require("../src/cart.js");\ncart.discount(1);\n', "bin/price.js:2"],
    ["passed on", 'export { discount } from "../src/cart.js";\n', "bin/price.js:1"],
  ])("%s is asked about", (_, text, named) => {
    const base = { ...node, "bin/price.js": text };
    expect(asked(base, renamed(base, "src/cart.js", "discount", "applyDiscount"))).toContain(named);
  });

  test.each([
    ["types only", 'import type { discount } from "../src/cart.js";\n'],
    ["a type among others", 'import { type discount, Cart } from "../src/cart.js";\n'],
    ["in a try", 'let off;\ntry {\n  ({ discount: off } = await import("../src/cart.js"));\n} catch {}\n'],
    ["in a try, declared there", 'try {\n  const { discount } = await import("../src/cart.js");\n} catch {}\n'],
    ["asked for first", 'import * as cart from "../src/cart.js";\nconst off = cart.discount ?? cart.applyDiscount;\n'],
    ["another module's", 'import { discount } from "elsewhere";\n'],
    ["in a comment", '// import { discount } from "../src/cart.js";\n'],
    ["in a text", "console.log('import { discount } from \"../src/cart.js\"');\n"],
    ["another name", 'import { Cart } from "../src/cart.js";\n'],
  ])("%s is not", (_, text) => {
    const base = { ...node, "bin/price.js": text };
    expect(asked(base, renamed(base, "src/cart.js", "discount", "applyDiscount"))).toBe("");
  });

  const program: Texts = { ...node, "bin/price.js": 'import { discount, gross } from "../src/cart.js";\n' };
  const cart = program["src/cart.js"] ?? "";
  test.each([
    [
      "under its old name as well",
      `${cart.replace("discount", "applyDiscount")}export { applyDiscount as discount };\n`,
    ],
    ["of another file", `export { discount } from "./off.js";\nexport const gross = 2;\n`],
    ["of all of another file", `export * from "./off.js";\nexport const gross = 2;\n`],
    ["of a package", `export * from "off";\nexport const gross = 2;\n`],
    ["taken out of a table", "export const { discount, gross } = { discount: () => 1, gross: 2 };\n"],
    ["in the older form", "module.exports = { discount() {}, gross: 2 };\n"],
    ["set one by one", "exports.discount = () => 1;\nexports.gross = 2;\n"],
    ["put together", "module.exports = make();\n"],
    ["async", cart.replace("function", "async function")],
  ])("a name that is still there is not: %s", (_, now) => {
    const off = { ...program, "src/off.js": "export const discount = () => 1;\n" };
    expect(asked(off, { ...off, "src/cart.js": now })).toBe("");
  });

  test("a module that is gone is asked about, and one that moved with its programs is not", () => {
    const { "src/cart.js": text = "", ...rest } = program;
    const moved = { ...rest, "src/off/cart.js": text, "src/index.js": 'export * from "./off/cart.js";\n' };
    expect(asked(program, moved)).toContain("bin/price.js:1 (discount of ../src/cart.js)");
    const program2 = { "bin/price.js": 'import { discount, gross } from "../src/off/cart.js";\n' };
    expect(asked(program, { ...moved, ...program2 })).toBe("");
  });
});

describe("a name of Python that is gone", () => {
  test.each([
    [
      "a script",
      "import sys\nfrom ledger.money import format_amount\n",
      "scripts/show.py:2 (format_amount of ledger.money)",
    ],
    [
      "inside a function",
      "def main():\n    from ledger.money import (\n        RATE,\n        format_amount as shown,\n    )\n",
      "scripts/show.py:4",
    ],
    ["through the package", "from ledger import format_amount\n", "scripts/show.py:1 (format_amount of ledger)"],
    ["of a module", "from ledger import money\n\nprint(money.format_amount(1))\n", "scripts/show.py:3"],
    ["of a module under another name", "import ledger.money as m\nprint(m.format_amount(1))\n", "scripts/show.py:2"],
    [
      "of a module with its package",
      "import ledger.money\nprint(ledger.money.format_amount(1))\n",
      "scripts/show.py:2",
    ],
  ])("%s is asked about", (_, text, named) => {
    const base = { ...python, "scripts/show.py": text };
    const after = renamed(
      renamed(base, "src/ledger/money.py", "format_amount", "shown"),
      "src/ledger/__init__.py",
      "format_amount",
      "shown",
    );
    expect(asked(base, after)).toContain(named);
  });

  test.each([
    [
      "optional",
      "try:\n    from ledger.money import shown\nexcept ImportError:\n    from ledger.money import format_amount as shown\n",
    ],
    ["tried first", "try:\n    from ledger.money import format_amount\nexcept ImportError:\n    format_amount = str\n"],
    ["in a text", '"""from ledger.money import format_amount"""\n'],
    ["another name", "from ledger.money import RATE\n"],
    ["a module", "from ledger import money\nprint(money.RATE)\n"],
  ])("%s is not", (_, text) => {
    const base = { ...python, "src/ledger/__init__.py": "", "scripts/show.py": text };
    expect(asked(base, renamed(base, "src/ledger/money.py", "format_amount", "shown"))).toBe("");
  });

  const script = { ...python, "scripts/show.py": "from ledger.money import format_amount, RATE\n" };
  test.each([
    ["set to the new one", "def shown(cents):\n    return str(cents)\n\n\nformat_amount = shown\nRATE = 2\n"],
    ["imported", "from .text import format_amount\nRATE = 2\n"],
    ["imported with all others", "from .text import *\nRATE = 2\n"],
    [
      "defined under a condition",
      "import sys\nif sys.platform:\n    def format_amount(cents):\n        return 1\nRATE: int = 2\n",
    ],
    ["given when asked", "def __getattr__(name):\n    return 1\n"],
    ["a class", "class format_amount:\n    pass\n\n\nRATE, OTHER = 2, 3\n"],
  ])("a name that is still there is not: %s", (_, now) => {
    const base = { ...script, "src/ledger/text.py": "def format_amount(cents):\n    return 1\n" };
    expect(asked(base, { ...base, "src/ledger/money.py": now })).toBe("");
  });

  test("a name that only a function has is gone", () => {
    const now =
      "class Money:\n    def format_amount(self):\n        format_amount = 1\n        return format_amount\n\n\nRATE = 2\n";
    expect(asked(script, { ...script, "src/ledger/money.py": now })).toContain("src/ledger/__init__.py:1");
  });
});
