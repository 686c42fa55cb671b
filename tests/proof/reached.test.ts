// Old tests whose assertions run only under a condition: a change must not get past them by no longer meeting it.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const node: Edit = {
  "package.json":
    '{ "name": "sample", "type": "module", "main": "src/index.js", "scripts": { "test": "node --test" } }\n',
  "src/index.js": `export class Account {
  constructor(balance) {
    this.balance = balance;
    this.log = [];
  }
  withdraw(amount) {
    if (amount > this.balance) throw new RangeError("insufficient funds");
    this.balance -= amount;
    this.log.push({ amount });
    return this.balance;
  }
}
`,
  "test/index.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { Account } from "../src/index.js";

test("withdraw", () => assert.equal(new Account(10).withdraw(4), 6));
test("cannot overdraw", () => {
  try {
    new Account(10).withdraw(20);
  } catch (error) {
    assert.ok(error instanceof RangeError);
  }
});
`,
};
const python: Edit = {
  "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
  "shop/__init__.py": "",
  "shop/stock.py":
    "class Stock:\n    def __init__(self, names):\n        self.items = list(names)\n\n    def names(self):\n        return [name.strip() for name in self.items]\n",
  "tests/test_stock.py":
    'from shop.stock import Stock\n\n\ndef test_items():\n    assert Stock(["a"]).items == ["a"]\n\n\ndef test_names():\n    for name in Stock([" a", "b "]).names():\n        assert name == name.strip()\n',
};

const inNode = (guard: string): Edit => ({
  "src/index.js": `export class Account {
  constructor(balance) {
    this.balance = balance;
    this.log = [];
  }
  withdraw(amount, note) {
${guard}    this.balance -= amount;
    this.log.push(note === undefined ? { amount } : { amount, note });
    return this.balance;
  }
}
`,
  "test/note.test.js":
    'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { Account } from "../src/index.js";\n\ntest("a note", () => {\n  const account = new Account(10);\n  assert.equal(account.withdraw(3, "rent"), 7);\n  account.withdraw(2);\n  assert.deepEqual(account.log, [{ amount: 3, note: "rent" }, { amount: 2 }]);\n});\n',
});
const inPython = (listed: string): Edit => ({
  "shop/stock.py": `class Stock:\n    def __init__(self, names):\n        self.items = list(names)\n\n    def names(self, most=${listed}):\n        return [name.strip() for name in self.items][:most]\n`,
  "tests/test_most.py":
    'from shop.stock import Stock\n\n\ndef test_most():\n    assert Stock(["a", "b ", "c"]).names(2) == ["a", "b"]\n\n\ndef test_one():\n    assert Stock([" x", "y"]).names(1) == ["x"]\n',
});

test.each([
  [
    "node, in a catch",
    { project: node, run: "npm test" },
    { name: "Notes", criteria: ["Account.withdraw(amount, note) keeps the note in the log entry when one is given"] },
    inNode(""),
    inNode('    if (amount > this.balance) throw new RangeError("insufficient funds");\n'),
    "cannot overdraw",
  ],
  [
    "pytest, in a loop over what the product gives",
    { project: python, run: "python3 -m pytest -q" },
    { name: "A limit", criteria: ["Stock.names(most) gives at most that many names"] },
    inPython("0"),
    inPython("None"),
    "test_names",
  ],
])(
  "%s: a test that reaches none of its assertions any more is a question",
  async (_, of, feature, bad, good, name) => {
    expect(await play({ ...of, feature, change: bad })).toMatchObject({
      outcome: "asked",
      why: expect.stringContaining(name),
    });
    expect(await play({ ...of, feature, change: good })).toMatchObject({ outcome: "accepted", grade: "strong" });
  },
  120_000,
);

test("a guard that is gone is a question, although another old test may change and the new line of its hunk is tested", async () => {
  const feature = {
    name: "Notes",
    criteria: ["Account.withdraw(amount, note) keeps the note in the log entry, which is no longer a bare object"],
    mayChange: ["test/index.test.js > withdraw"],
  };
  const may = (change: Edit): Edit => ({
    ...change,
    "test/index.test.js": String(node["test/index.test.js"]).replace(
      "assert.equal(new Account(10).withdraw(4), 6)",
      'assert.equal(new Account(10).withdraw(4, "x"), 6)',
    ),
  });
  const of = { project: node, run: "npm test", feature };
  expect(await play({ ...of, change: may(inNode("")) })).not.toMatchObject({ outcome: "accepted" });
  const good = inNode('    if (amount > this.balance) throw new RangeError("insufficient funds");\n');
  expect(await play({ ...of, change: may(good) })).toMatchObject({ outcome: "accepted", grade: "strong" });
}, 120_000);
