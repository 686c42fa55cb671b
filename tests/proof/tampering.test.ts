// The sealed run: when it is made, with what, and what is concluded from it.
import { afterEach, describe, expect, test } from "vitest";
import type { Judged } from "../../src/runtime/proof/run-checks.ts";
import type { SealReport } from "../../src/runtime/proof/seal.ts";
import { sealedRun, tamperingCauses } from "../../src/runtime/proof/tampering.ts";
import { type Ending, ended, judged, proving, Scripted, untouched } from "./scripted.ts";
import { check } from "./trees.ts";

let scripted = new Scripted();
afterEach(() => scripted.remove());

const old = { path: "test/a.test.js", content: "old" };
const without = { path: "test/new.test.js", content: null };
const red: Ending = { how: "failed", exitCode: 1 };
const later = check({ name: "later", run: "make e2e", must: "turn-green" });
const both = { ...untouched, lay: [old, without], layWithTests: [old] };

function look(seal: SealReport, endings: Readonly<Record<string, readonly Ending[]>> = {}, own: string[] = []) {
  scripted.remove();
  scripted = new Scripted(endings);
  return sealedRun(proving(scripted, { specs: [check(), later], own }), seal);
}

describe("the sealed run", () => {
  test("is not made where nothing is laid back", async () => {
    expect(await look(untouched)).toEqual({ judged: [], laid: [] });
    expect(scripted.checkouts).toEqual([]);
  });

  test("is the old tests alone, where those are green", async () => {
    const found = await look(both);
    expect([found.laid, found.judged.map(({ how }) => how)]).toEqual([both.lay, ["green", "green"]]);
    expect(scripted.checkouts.map(({ lay }) => lay)).toEqual([both.lay]);
  });

  test("is made once more with the new tests, where the old ones alone are red, and counts when that is green", async () => {
    const found = await look(both, { "npm test": [red, red] });
    expect([found.laid, found.judged.map(({ how }) => how)]).toEqual([both.layWithTests, ["green", "green"]]);
    expect(scripted.checkouts.map(({ lay }) => lay)).toEqual([both.lay, both.layWithTests]);
  });

  test("is the old tests alone, where it is red either way", async () => {
    const found = await look(both, { "npm test": [red, red, red, red] });
    expect([found.laid, found.judged[0]?.how]).toEqual([both.lay, "red"]);
  });

  test("is not made once more with the same files", async () => {
    const found = await look({ ...both, layWithTests: both.lay }, { "npm test": [red, red] });
    expect([found.judged[0]?.how, scripted.checkouts.length]).toEqual(["red", 1]);
  });

  test("lets a check be red that has yet to turn green, and does not ask it twice", async () => {
    const found = await look(both, { "make e2e": [red, red] });
    expect([found.laid, found.judged[1]?.how]).toEqual([both.lay, "red"]);
    expect(scripted.ran).toEqual(["npm test", "make e2e"]);
  });

  test("does not, where the feature answers for that check", async () => {
    const found = await look(both, { "make e2e": [red, red] }, ["later"]);
    expect(found.laid).toEqual(both.layWithTests);
    const never = await look(both, { "make e2e": [red, red, red, red] }, ["later"]);
    expect(never.laid).toEqual(both.lay);
  });
});

describe("what the sealed run shows", () => {
  const green = [judged(check(), "green")];
  const sealedRed = [judged(check(), "red", { result: { ...ended("test", "failed"), tail: "expected 2" } })];
  const causes = (seal: Partial<SealReport>, sealed: readonly Judged[] = [], on: readonly Judged[] = green, own = "") =>
    tamperingCauses({ isOwn: (name) => name === own }, on, sealed, { ...untouched, ...seal }, "/vault/F1.diff");

  test("is nothing, where it is as green as the change itself", () => {
    expect(causes({ changed: ["test/a.test.js"] }, green)).toEqual([]);
    expect(causes({ changed: ["test/a.test.js"] }, sealedRed, [judged(check(), "red")])).toEqual([]);
  });

  test("is that a sealed file is gone, with the way to allow it", () => {
    const [cause, ...more] = causes({ deleted: ["test/a.test.js", "test/b.test.js"] });
    expect(more).toEqual([]);
    expect(cause).toEqual({
      kind: "tampering",
      key: "deleted:test/a.test.js,test/b.test.js",
      text: 'Sealed files were deleted: test/a.test.js, test/b.test.js\nThe diff: /vault/F1.diff\nIf the request needs it, a person can allow it: scope: { may_change: ["test/a.test.js", "test/b.test.js"] } in loop.yaml, for the next run.',
    });
  });

  test.each<{ what: string; on: Judged[]; own: string; is: number }>([
    { what: "a check that must be green is red", on: [judged(check(), "red")], own: "", is: 0 },
    { what: "a check that may be red is", on: [judged(later, "red")], own: "", is: 1 },
    { what: "a check of its own is red", on: [judged(later, "red")], own: "later", is: 0 },
  ])("a deletion is told $is times where $what: red is told first", ({ on, own, is }) => {
    expect(causes({ deleted: ["test/a.test.js"] }, [], on, own)).toHaveLength(is);
  });

  test.each<{ what: string; seal: Partial<SealReport>; says: string; key: string }>([
    {
      what: "a changed file",
      seal: { changed: ["package.json (scripts.test)"], steering: ["conftest.py"] },
      says: "test is green only because a sealed file was changed: package.json (scripts.test)",
      key: "tampered:package.json (scripts.test),conftest.py",
    },
    {
      what: "an added file",
      seal: { steering: ["conftest.py"] },
      says: "test is green only because a file that decides over the tests was added: conftest.py",
      key: "tampered:conftest.py",
    },
    {
      what: "an earlier feature",
      seal: {},
      says: "test is green only because of what an earlier feature did to a sealed file",
      key: "tampered:",
    },
  ])("is that it is green only by $what", ({ seal, says, key }) => {
    const [cause] = causes(seal, sealedRed);
    expect(cause).toMatchObject({ kind: "tampering", key });
    expect(cause?.text).toContain(says);
    expect(cause?.text).toMatch(/With the seal laid back:\nexpected 2$/);
  });

  test("names a file without the part of it that changed, at most five to allow and twenty to read", () => {
    expect(causes({ changed: ["package.json (scripts.test)"] }, sealedRed)[0]?.text).toContain(
      'may_change: ["package.json"]',
    );
    const many = Array.from({ length: 21 }, (_, at) => `test/${at}.js`);
    const [cause] = causes({ deleted: many });
    expect(cause?.text).toContain("test/19.js, …\n");
    expect(cause?.text).not.toContain("test/20.js");
    expect(cause?.text).toContain('"test/4.js"] }');
    expect(causes({ deleted: many.slice(0, 20) })[0]?.text).not.toContain("…");
  });

  test("is a flaky check, where it was red and then green", () => {
    expect(causes({}, [judged(check(), "flaky")])).toMatchObject([{ kind: "flaky", key: "flaky:test" }]);
  });
});
