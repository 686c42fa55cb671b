// New tests must run and assert something, and examples in a feature's text must hold.
import { describe, expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import type { Played } from "../../src/drill/matrix/play-case.ts";
import { play as playOne } from "./play.ts";

const node: Edit = {
  "package.json":
    '{ "name": "sample", "type": "module", "main": "src/index.js", "scripts": { "test": "node --test" } }\n',
  "src/index.js": "export function add(a, b) {\n  return a + b;\n}\n",
  "test/index.test.js":
    'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { add } from "../src/index.js";\ntest("add", () => assert.equal(add(1, 2), 3));\n',
};
const python: Edit = {
  "pyproject.toml": '[project]\nname = "calc"\nversion = "1"\n',
  "calc/__init__.py": "",
  "calc/ops.py": "def add(a, b):\n    return a + b\n",
  "tests/test_ops.py": "from calc.ops import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
};
const head =
  'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { divide } from "../src/index.js";\n';
const divide = "export function divide(a, b) {\n  return a / b;\n}\n";
const guarded = "export function divide(a, b) {\n  if (b === 0) throw new RangeError('by zero');\n  return a / b;\n}\n";
const divides = 'test("divide", () => {\n  assert.equal(divide(6, 3), 2);\n  assert.equal(divide(9, 2), 4.5);\n});\n';

type Given = {
  readonly project?: Edit;
  readonly run?: string;
  readonly change: Edit;
  readonly criteria: readonly string[];
};

const play = ({ project = node, run = "npm test", change, criteria }: Given): Promise<Played> =>
  playOne({ project, run, change, feature: { name: "Add divide(a, b)", criteria } });

const made = (tests: string, code = divide): Edit => ({
  "src/index.js": `${node["src/index.js"] ?? ""}${code}`,
  "test/divide.test.js": `${head}${divides}${tests}`,
});

describe("a new test", { timeout: 120_000 }, () => {
  test.each([
    [
      "that is marked as one to do",
      'test("by zero throws", { todo: true }, () => assert.throws(() => divide(1, 0), RangeError));\n',
      "skipped or expected to fail",
    ],
    [
      "whose assertion is never reached",
      'test("by zero is infinite", () => {\n  try {\n    throw new Error();\n  } catch {\n    return;\n  }\n  assert.equal(divide(1, 0), 7);\n});\n',
      "assert nothing: test/divide.test.js > by zero is infinite",
    ],
  ])("%s leaves the work unproved", async (_, tests, says) => {
    const { outcome, why } = await play({ change: made(tests), criteria: ["It divides"] });
    expect([outcome, why]).toEqual(["asked", expect.stringContaining(says)]);
  });

  test("is accepted with any style of assertion", async () => {
    const tests = [
      'test("by zero throws", () => assert.throws(() => divide(1, 0), RangeError));',
      'test("is not seven", () => assert.notEqual(divide(6, 3), 7));',
      'test("is more than one", () => assert.ok(divide(6, 3) > 1));',
      'test("each", () => {\n  for (const [a, b, want] of [[1, 1, 1], [4, 2, 2]]) assert.equal(divide(a, b), want);\n});',
    ];
    const played = await play({ change: made(`${tests.join("\n")}\n`, guarded), criteria: ["It divides"] });
    expect([played.outcome, played.why]).toEqual(["accepted", expect.anything()]);
  });
});

describe("an example in the feature's text", { timeout: 120_000 }, () => {
  const criteria = ["divide(6, 3) is 2", "divide(1, 0) throws a RangeError"];

  test("that does not hold leaves the work unproved, even if the tests pass", async () => {
    const { outcome, why } = await play({ change: made(""), criteria });
    expect([outcome, why]).toEqual([
      "asked",
      expect.stringContaining("divide(1, 0) throws a RangeError, but it returns"),
    ]);
  });

  test("that holds is part of a strong proof", async () => {
    const tests = 'test("by zero throws", () => assert.throws(() => divide(1, 0), RangeError));\n';
    expect((await play({ change: made(tests, guarded), criteria })).outcome).toBe("accepted");
  });

  test("is run in Python as well", async () => {
    const change = {
      "calc/ops.py": `${python["calc/ops.py"] ?? ""}\n\ndef median(items):\n    return sorted(items)[0]\n`,
      "tests/test_median.py":
        "from calc.ops import median\n\n\ndef test_median():\n    assert median([3, 1, 2]) == 1\n    assert median([9, 8]) == 8\n",
    };
    const given = { project: python, run: "python3 -m pytest -q", change, criteria: ["median([3, 1, 2]) is 2"] };
    const { outcome, why } = await play(given);
    expect([outcome, why]).toEqual(["asked", expect.stringContaining("median([3, 1, 2]) is 2, but it is 1")]);
  });
});

const account = `class Account:
    def __init__(self, owner):
        self.owner = owner
        self.entries = []

    def deposit(self, amount):
        self.entries.append(amount)
        return sum(self.entries)
`;
const accounts: Edit = {
  ...python,
  "calc/account.py": account,
  "tests/test_account.py":
    'from calc.account import Account\n\n\ndef test_deposit():\n    assert Account("ann").deposit(5) == 5\n',
};
const withStatement = (lines: string, deposits: string): Edit => ({
  "calc/account.py": `${account}
    def statement(self):
        return "\\n".join([${lines}, f"balance {sum(self.entries)}"])
`,
  "tests/test_statement.py": `from calc.account import Account


def test_statement():
    a = Account("ann")
    a.deposit(5)
    a.deposit(20)
    assert a.statement() == "${deposits}balance 25"
`,
});

describe("a method without arguments", { timeout: 120_000 }, () => {
  test("may depend on what other methods were given", async () => {
    const change = withStatement('*[f"deposit {entry}" for entry in self.entries]', "deposit 5\\ndeposit 20\\n");
    const given = { project: accounts, run: "python3 -m pytest -q", change, criteria: ["It lists each deposit"] };
    expect((await play(given)).outcome).toBe("accepted");
  });

  test("must do what an example of it says", async () => {
    const change = withStatement("*[]", "");
    const criteria = ["Account('ann').deposit(5) is 5", "Account('ann').statement() is 'nothing yet'"];
    const { outcome, why } = await play({ project: accounts, run: "python3 -m pytest -q", change, criteria });
    expect([outcome, why]).toEqual([
      "asked",
      expect.stringContaining("Account('ann').statement() is 'nothing yet', but it is 'balance 0'"),
    ]);
  });
});

test.each([
  [
    "a round trip and a length",
    'assert.equal(turn(turn("Hello")), "Hello");\n  assert.equal(turn("ab").length, 2);\n  assert.equal(turn("eye"), "eye");',
    ["asked", /give back what they are given: turn\(\) of src\/turn\.js/],
  ],
  [
    "another result",
    'assert.equal(turn(turn("Hello")), "Hello");\n  assert.equal(turn("ab"), "ba");',
    ["accepted", /./],
  ],
] as const)("a new function, tested by %s", { timeout: 120_000 }, async (_, asserts, [outcome, says]) => {
  const change = {
    "src/turn.js": 'export function turn(text) {\n  return text.split("").toReversed().join("");\n}\n',
    "test/turn.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { turn } from "../src/turn.js";
test("turn", () => {
  ${asserts}
});
`,
  };
  const played = await play({ change, criteria: ["turn(text) gives the letters in reverse order"] });
  expect([played.outcome, played.why]).toEqual([outcome, expect.stringMatching(says)]);
});

test("texts may matter where numbers do not", { timeout: 120_000 }, async () => {
  const change = {
    "src/index.js": `${node["src/index.js"] ?? ""}export function matches(one, target) {
  return Object.entries(target).every(([key, value]) => one[key] === value);
}
`,
    "test/match.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { matches } from "../src/index.js";
test("matches", () => assert.equal(matches({ city: "Rome", age: 30 }, { city: "Rome" }), true));
test("does not", () => assert.equal(matches({ city: "Rome", age: 30 }, { city: "Rome", age: 31 }), false));
`,
  };
  expect((await play({ change, criteria: ["matches(one, target) compares every key of the target"] })).outcome).toBe(
    "accepted",
  );
});

test("an old test that no longer reaches its assertion leaves the work unproved", { timeout: 120_000 }, async () => {
  const port = (guard: string) => `export function port(text) {\n${guard}  return Number(text);\n}\n`;
  const guard = "  if (!/^\\d+$/.test(text)) throw new Error('not a port');\n";
  const tests = `import assert from "node:assert/strict";
import test from "node:test";
import { port } from "../src/net.js";
test("a port", () => assert.equal(port("80"), 80));
test("no port", () => {
  try {
    port("x");
  } catch (error) {
    assert.equal(error.message, "not a port");
  }
});
`;
  const { outcome, why } = await play({
    project: { ...node, "src/net.js": port(guard), "test/net.test.js": tests },
    change: {
      "src/net.js": `${port("")}export function host(text) {\n  return text.split(":")[0];\n}\n`,
      "test/host.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { host, port } from "../src/net.js";
test("host", () => {
  assert.equal(host("a:1"), "a");
  assert.equal(host("bc:2"), "bc");
});
test("any port", () => assert.ok(Number.isNaN(port("y"))));
`,
    },
    criteria: ["It takes the host"],
  });
  expect([outcome, why]).toEqual(["asked", expect.stringContaining("test/net.test.js > no port")]);
});
