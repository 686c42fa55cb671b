// Running checks in the scratch checkout: what is run, how often, and what its endings are taken for.
import { afterEach, describe, expect, test } from "vitest";
import type { CheckSpec } from "../../src/core/contract.ts";
import { bringFolders, type CheckedTree, evidenceOf, runChecks } from "../../src/runtime/proof/run-checks.ts";
import { type Ending, ended, judged, Scripted, where } from "./scripted.ts";
import { check } from "./trees.ts";

let scripted = new Scripted();
afterEach(() => scripted.remove());

const run = (specs: readonly CheckSpec[], endings: Readonly<Record<string, readonly Ending[]>>, at = where()) => {
  scripted.remove();
  scripted = new Scripted(endings);
  return runChecks(specs, at, { checks: specs }, scripted.ports, new AbortController().signal);
};
const red: Ending = { how: "failed", exitCode: 1 };

describe("a check", () => {
  test.each<{ ends: NonNullable<Ending["how"]>[]; is: string; runs: number }>([
    { ends: ["passed"], is: "green", runs: 1 },
    { ends: ["failed", "failed"], is: "red", runs: 2 },
    { ends: ["not-found", "not-found"], is: "red", runs: 2 },
    { ends: ["failed", "passed"], is: "flaky", runs: 2 },
    { ends: ["failed", "interrupted"], is: "cut", runs: 2 },
    { ends: ["interrupted"], is: "cut", runs: 1 },
    { ends: ["timed-out"], is: "red", runs: 1 },
  ])("that ended $ends is $is", async ({ ends, is, runs }) => {
    const [one] = await run([check()], { "npm test": ends.map((how) => ({ how })) });
    expect([one?.how, scripted.ran.length]).toEqual([is, runs]);
  });

  test.each<{ what: string; at: Partial<CheckedTree>; runs: number }>([
    { what: "on the code as it was before", at: { on: "before" }, runs: 1 },
    { what: "where it may be red", at: { mayBeRed: new Set(["test"]) }, runs: 1 },
    { what: "where another may be red", at: { mayBeRed: new Set(["lint"]) }, runs: 2 },
    { what: "with the seal laid back", at: { on: "sealed" }, runs: 2 },
  ])("that is red $what is run $runs times", async ({ at, runs }) => {
    const [one] = await run([check()], { "npm test": [red, red] }, where(at));
    expect([one?.how, scripted.ran.length]).toEqual(["red", runs]);
  });

  test.each<{ setup: NonNullable<Ending["how"]>; is: string; ran: string[] }>([
    { setup: "passed", is: "green", ran: ["npm ci", "npm test"] },
    { setup: "failed", is: "red", ran: ["npm ci"] },
    { setup: "timed-out", is: "red", ran: ["npm ci"] },
    { setup: "interrupted", is: "cut", ran: ["npm ci"] },
  ])("whose setup ended $setup is $is", async ({ setup, is, ran }) => {
    const [one] = await run([check({ setup: "npm ci" })], { "npm ci": [{ how: setup }] });
    expect([one?.how, scripted.ran]).toEqual([is, ran]);
  });

  test("keeps the output of each of its runs, and is known by the mark of the run", async () => {
    await run([check({ setup: "npm ci" })], { "npm test": [red, red] });
    expect(scripted.orders.map(({ outputFile }) => outputFile.slice(scripted.dir.length))).toEqual([
      "/checks/F1-i1-candidate-test-setup.log",
      "/checks/F1-i1-candidate-test.log",
      "/checks/F1-i1-candidate-test-again.log",
    ]);
    expect(scripted.orders[0]).toMatchObject({ cwd: scripted.dir, timeoutMs: 1000, env: { LOOP_RUN: "r1" } });
  });

  test("is played in a browser where it says so, and its setup is not", async () => {
    const browser = { url: "http://127.0.0.1:1", steps: [] } as unknown as NonNullable<CheckSpec["browser"]>;
    await run([check({ setup: "npm ci", browser })], {});
    expect(scripted.orders.map((order) => "browser" in order)).toEqual([false, true]);
    await run([check()], {});
    expect(scripted.orders.map((order) => "browser" in order)).toEqual([false]);
  });

  test("is counted by its first run, also when it is red", async () => {
    const tap = (passed: number, failed: number): string =>
      `# tests ${passed + failed}\n# pass ${passed}\n# fail ${failed}\n`;
    const [green] = await run([check()], { "npm test": [{ prints: tap(3, 0) }] });
    expect(green?.counts).toMatchObject({ total: 3, passed: 3 });
    const [failing] = await run([check()], { "npm test": [{ ...red, prints: tap(1, 2) }, red] });
    expect(failing?.counts).toMatchObject({ total: 3, failed: 2 });
    const [expected] = await run([check()], { "npm test": [{ ...red, prints: tap(1, 2) }] }, where({ on: "before" }));
    expect(expected?.counts).toMatchObject({ total: 3, failed: 2 });
  });

  test("that left processes behind is noted, and no other", async () => {
    await run([check(), check({ name: "lint", run: "eslint" })], { "npm test": [{ leftBehind: 2 }] });
    expect(scripted.notes).toEqual(["strays: The check test left 2 processes running; they were ended."]);
  });
});

describe("several checks", () => {
  const all = [check(), check({ name: "lint", run: "eslint" }), check({ name: "types", run: "tsc" })];
  const untilRed = { on: "before", untilRed: true } as const;

  test("are all run, whatever one of them says", async () => {
    const found = await run(all, { "npm test": [red, red] });
    expect(found.map(({ how }) => how)).toEqual(["red", "green", "green"]);
  });

  test.each<{ lint: Ending; ran: string[] }>([
    { lint: red, ran: ["npm test", "eslint"] },
    { lint: { how: "timed-out" }, ran: ["npm test", "eslint", "tsc"] },
    { lint: {}, ran: ["npm test", "eslint", "tsc"] },
  ])("where one red check is enough, run $ran when lint ends $lint", async ({ lint, ran }) => {
    await run(all, { eslint: [lint] }, where(untilRed));
    expect(scripted.ran).toEqual(ran);
  });

  test("that are none need no checkout", async () => {
    expect(await run([], {})).toEqual([]);
    expect(scripted.checkouts).toEqual([]);
  });
});

describe("the checkout", () => {
  test("has what no tree holds, with what the checks ask for, and what is laid over it", async () => {
    const lay = [{ path: "test/a.js", content: null }];
    await run([check({ bring: ["data", "target"] })], {}, where({ lay }));
    expect(scripted.checkouts).toEqual([
      { tree: where().tree, bring: bringFolders({ checks: [check({ bring: ["data"] })] }), lay },
    ]);
    expect(scripted.checkouts[0]?.bring).toEqual(expect.arrayContaining(["node_modules", ".venv", "target", "data"]));
    await run([check()], {});
    expect(scripted.checkouts[0]).not.toHaveProperty("lay");
  });

  test("is looked at before the first check has written to it", async () => {
    const seen: unknown[] = [];
    await run([check()], {}, where({ look: (dir) => void seen.push(dir, scripted.ran) }));
    expect(seen).toEqual([scripted.dir, []]);
  });

  test("is given back, also when something throws", async () => {
    await run([check()], {});
    expect(scripted.disposed).toBe(1);
    const thrown = run(
      [check()],
      {},
      where({
        look: () => {
          throw new Error("no");
        },
      }),
    );
    await expect(thrown).rejects.toThrow("no");
    expect(scripted.disposed).toBe(1);
  });
});

test.each([
  { how: "green", result: "passed", says: "green" },
  { how: "flaky", result: "failed", says: "flaky: red, then green on the same tree" },
  { how: "red", result: "timed-out", says: "timed-out" },
  { how: "cut", result: "interrupted", says: "interrupted" },
] as const)("evidence says of a $how check that ended $result: $says", ({ how, result, says }) => {
  const counts = { passed: 1, failed: 0, skipped: 0, total: 1, names: { a: "passed" } } as const;
  const found = evidenceOf(judged(check(), how, { result: ended("test", result), counts }), "sealed", "F1-i1");
  expect(found).toEqual({
    name: "test",
    command: "npm test",
    on: "sealed",
    how: says,
    exitCode: result === "passed" ? 0 : 1,
    output: "checks/F1-i1-sealed-test.log",
    counts: { ...counts, names: null },
  });
  expect(evidenceOf(judged(check(), how), "sealed", "F1-i1").counts).toBeNull();
});
