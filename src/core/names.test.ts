// Small things that much depends on: valid names, who judges, when two reasons are equal, what an error contains.
import { describe, expect, test } from "vitest";
import { contractOf } from "../testing/world/contracts.ts";
import { Bug, machineTrouble, UserError, unreachable } from "./errors.ts";
import { checkpointId, commitId, featureId, isPlainName, runId, sessionId, taskId, treeId } from "./ids.ts";
import { errorClassOf } from "./recovery.ts";
import { begin, type Role, sideOf } from "./run.ts";
import { normal } from "./words.ts";

describe("a name", () => {
  test.each(["F001", "a", "a.b", "a-b_c.d", "9", "a".repeat(64), "lock", "x.locked"])("may be %s", (text) => {
    expect(isPlainName(text)).toBe(true);
    for (const make of [taskId, runId, featureId, sessionId, checkpointId]) expect(make(text)).toBe(text);
  });

  test.each([
    "",
    ".",
    "..",
    ".a",
    "a..b",
    "a.",
    "a.lock",
    "-a",
    "_a",
    "a/b",
    "a b",
    "a\n",
    "ä",
    "a".repeat(65),
    "a~1",
    "a:b",
  ])("may not be %j", (text) => {
    expect(isPlainName(text)).toBe(false);
    for (const make of [taskId, runId, featureId, sessionId, checkpointId]) expect(() => make(text)).toThrow(Bug);
  });

  test.each([
    { text: "a".repeat(40), is: true },
    { text: "0".repeat(64), is: true },
    { text: "a".repeat(39), is: false },
    { text: "a".repeat(41), is: false },
    { text: "A".repeat(40), is: false },
    { text: `${"a".repeat(40)}\n`, is: false },
  ])("of a tree or a commit may be $text: $is", ({ text, is }) => {
    for (const make of [treeId, commitId])
      if (is) expect(make(text)).toBe(text);
      else expect(() => make(text as never)).toThrow(Bug);
  });

  test("that is invalid is reported, truncated", () => {
    expect(() => featureId(`/${"x".repeat(9000)}`)).toThrow(`not a feature id: "/${"x".repeat(99)}"`);
  });
});

test.each<[Role, "maker" | "checker"]>([
  ["planner", "maker"],
  ["designer", "maker"],
  ["builder", "maker"],
  ["tester", "maker"],
  ["plan-verifier", "checker"],
  ["evaluator", "checker"],
  ["test-verifier", "checker"],
  ["auditor", "checker"],
  ["audit-verifier", "checker"],
  ["skeptic", "checker"],
])("a %s is the %s", (role, side) => {
  expect(sideOf(role)).toBe(side);
});

test("a run begins with no agent at a limit", () => {
  expect(begin(contractOf([])).limitedUntil).toEqual({ maker: 0, checker: 0 });
});

test.each([
  ["Cannot find  './a.js'!", "cannot find a js"],
  ["  ÄPFEL (3) — gone…  ", "äpfel 3 gone"],
  ["...", ""],
  ["x".repeat(300), "x".repeat(200)],
])("%j is the same reason as %j", (text, same) => {
  expect(normal(text)).toBe(same);
});

test("a timeout is a resource error, and a missing result a transient one", () => {
  const session = (key: string) => errorClassOf({ kind: "session", key, text: "" });
  expect(["session:timed-out", "session:silent", "session:no-result"].map(session)).toEqual([
    "resource",
    "resource",
    "transient",
  ]);
});

describe("an error", () => {
  const says = { what: "What.", why: "Why.", next: "Next." };

  test("for a person says what and why, and has its cause, if any", () => {
    const cause = new Error("deep");
    expect(new UserError("usage", says, { cause })).toMatchObject({
      message: "What. Why.",
      cause,
      exitCode: 64,
      code: "usage",
    });
    expect(new UserError("usage", says)).not.toHaveProperty("cause");
    expect(new UserError("disk-full", says).exitCode).toBe(1);
  });

  test("of the machine is also recognized by its code, has the original as its cause, and shows its first line", () => {
    const error = Object.assign(new Error(`it failed ${"x".repeat(400)}\nat some place`), { code: "ENOSPC" });
    const trouble = machineTrouble(error);
    expect(trouble).toMatchObject({ code: "disk-full", cause: error });
    expect(trouble?.why).toBe(`The disk is full. (${error.message.slice(0, 300)})`);
    expect(machineTrouble(new Error("EIO\nsecond"))?.why).toBe("The disk does not answer as it should. (EIO)");
    expect(machineTrouble(Object.assign(new Error("it failed"), { code: 28 }))).toBeNull();
    expect(machineTrouble(Object.assign(new Error("it failed"), { code: { toString: () => "ENOSPC" } }))).toBeNull();
  });

  test("for a forgotten case names it", () => {
    expect(() => unreachable({ is: "new" } as never)).toThrow(new Bug('a case was forgotten: {"is":"new"}'));
  });
});
