// Red first: what is taken for a witness, which tests are laid over the old code, and which checks are asked.
import { afterEach, describe, expect, test } from "vitest";
import type { CheckSpec } from "../../src/core/contract.ts";
import type { Counts } from "../../src/formats/test-report/index.ts";
import type { TreeRecord } from "../../src/runtime/proof/counting.ts";
import type { Proving } from "../../src/runtime/proof/proving.ts";
import type { Judged } from "../../src/runtime/proof/run-checks.ts";
import { redFirst, type Witness } from "../../src/runtime/proof/witness.ts";
import type { Change } from "../../src/workspace/workspace.ts";
import { type Ending, judged, proving, Scripted, untouched } from "./scripted.ts";
import { check } from "./trees.ts";

let scripted = new Scripted();
afterEach(() => scripted.remove());

const changed = (path: string, kind: Change["kind"] = "added"): Change => ({ path, kind, binary: false, lines: 1 });
const withTest = { changes: [changed("src/a.js", "modified"), changed("test/new.test.js")] };
const red: Ending = { how: "failed", exitCode: 1, tail: `${"x".repeat(3000)}not a function` };
const later = check({ name: "later", run: "make e2e", must: "turn-green" });
const counts = (passed: number, failed: number): Counts => ({
  passed,
  failed,
  skipped: 0,
  total: passed + failed,
  names: null,
});

type Seen = { green?: readonly Judged[]; sealed?: readonly Judged[]; before?: TreeRecord; seal?: object };
function look(
  change: Partial<Proving> & { readonly own?: readonly string[] },
  endings: Readonly<Record<string, readonly Ending[]>> = {},
  { green = [], sealed = [], before = {}, seal = {} }: Seen = {},
): Promise<Witness> {
  scripted.remove();
  scripted = new Scripted(endings);
  return redFirst(proving(scripted, change), { green, sealed, before, seal: { ...untouched, ...seal } });
}

describe("new tests over the code as it was before", () => {
  test("that fail are the witness, with what they printed last", async () => {
    const found = await look(withTest, { "npm test": [red] });
    expect(found).toMatchObject({
      seen: true,
      why: "test was red on the code as it was before",
      tests: ["test/new.test.js"],
      runs: [{ name: "test", on: "before", how: "failed" }],
    });
    expect(found.saw).toHaveLength(2000);
    expect(found.saw).toMatch(/not a function$/);
  });

  test("are laid over that code as the change has them", async () => {
    await look(withTest, { "npm test": [red] });
    const [checkout] = scripted.checkouts;
    expect(checkout?.tree).toBe(proving(scripted).work.base.tree);
    expect(checkout?.lay?.map(({ path, content }) => [path, String(content)])).toEqual([["test/new.test.js", "new"]]);
  });

  test("that pass there are no witness", async () => {
    const found = await look(withTest);
    expect(found).toMatchObject({ seen: false, why: "the new tests pass without the change, too" });
    expect([found.tests, found.runs.length]).toEqual([["test/new.test.js"], 1]);
  });

  test.each(["timed-out", "not-found"] as const)("that ended %s there are no witness", async (how) => {
    const found = await look(withTest, { "npm test": [{ how, exitCode: null }] });
    expect(found.seen).toBe(false);
    expect(found.why).toBe(`the new tests could not be run over the code as it was before: test ended ${how}`);
  });
});

describe("what counts as a new test", () => {
  const moved = { renamed: [{ from: "test/old.test.js", to: "test/new.test.js" }] };
  test.each<{ what: string; change: Change[]; seal?: object; is: string[] }>([
    { what: "an added test", change: [changed("test/new.test.js")], is: ["test/new.test.js"] },
    { what: "a changed one", change: [changed("test/a.test.js", "modified")], is: ["test/a.test.js"] },
    { what: "a deleted one", change: [changed("test/a.test.js", "deleted")], is: [] },
    { what: "one that only moved", change: [changed("test/new.test.js")], seal: moved, is: [] },
    { what: "code", change: [changed("src/b.js")], is: [] },
    {
      what: "configuration that came along",
      change: [changed("vitest.config.ts"), changed("test/new.test.js")],
      seal: { added: ["vitest.config.ts"] },
      is: ["vitest.config.ts", "test/new.test.js"],
    },
  ])("$what: $is", async ({ change, seal = {}, is }) => {
    const found = await look({ changes: change }, { "npm test": [red] }, { seal });
    expect([found.tests, found.seen]).toEqual([is, is.length > 0]);
    if (is.length === 0) expect(found.why).toBe("the feature came with no test and no check of its own");
  });
});

describe("a check that has to turn green", () => {
  const was = (green: boolean, of: Counts | null = null): TreeRecord => ({ later: { green, counts: of } });
  const now = (how: Judged["how"], of: Counts | null = null, spec: CheckSpec = later) => [
    judged(spec, how, { counts: of }),
  ];
  test.each<{ what: string; seen: Seen; is: string | null }>([
    {
      what: "and did",
      seen: { green: now("green"), before: was(false) },
      is: "later was red on the code as it was before",
    },
    {
      what: "and passes more tests",
      seen: { green: now("red", counts(3, 1)), before: was(false, counts(2, 2)) },
      is: "later passes 3 tests, and passed 2 on the code as it was before (4 tests, 1 failed)",
    },
    {
      what: "and passes as many",
      seen: { green: now("red", counts(2, 2)), before: was(false, counts(2, 2)) },
      is: null,
    },
    { what: "and cannot be counted", seen: { green: now("red"), before: was(false, counts(2, 2)) }, is: null },
    { what: "and could not be counted", seen: { green: now("red", counts(2, 2)), before: was(false) }, is: null },
    { what: "and was green", seen: { green: now("green"), before: was(true) }, is: null },
    { what: "and was never seen", seen: { green: now("green") }, is: null },
    {
      what: "no, one that has to stay green",
      seen: { green: now("green", null, check({ name: "later" })), before: was(false) },
      is: null,
    },
    {
      what: "and is red with the seal laid back",
      seen: { green: now("green"), sealed: now("red"), before: was(false) },
      is: null,
    },
    {
      what: "and is green with the seal laid back",
      seen: { green: now("red"), sealed: now("green"), before: was(false) },
      is: "later was red on the code as it was before",
    },
  ])("$what: $is", async ({ seen, is }) => {
    const found = await look({ specs: [later] }, {}, seen);
    expect([found.seen, is === null ? null : found.why]).toEqual([is !== null, is]);
    expect(scripted.ran).toEqual([]);
  });

  test("and comes with the feature is run over the old code when nobody has seen it there", async () => {
    const specs = [check(), later];
    const found = await look({ specs, own: ["later"] }, { "make e2e": [red] });
    expect([found.seen, found.why, scripted.ran]).toEqual([
      true,
      "later was red on the code as it was before",
      ["make e2e"],
    ]);
    expect((await look({ specs })).why).toBe("the feature came with no test and no check of its own");
    const known = await look({ specs, own: ["later"] }, {}, { before: { later: { green: true, counts: null } } });
    expect(known.why).toBe("the feature came with no test and no check of its own");
    expect((await look({ specs: [check()], own: ["test"] })).runs).toEqual([]);
  });
});

test("checks that ran tests are asked first, then those that sound like it; what is another feature's is not asked", async () => {
  const [lint, types, spec, unit] = ["lint", "types", "spec", "unit"].map((name) =>
    check({ name, run: `run ${name}` }),
  );
  const specs = [lint, types, spec, later, unit].filter((each) => each !== undefined);
  const green = specs.map((each) => judged(each, "green", { counts: each.name === "unit" ? counts(1, 0) : null }));
  await look({ ...withTest, specs }, {}, { green });
  expect(scripted.ran).toEqual(["run unit", "run spec", "run lint", "run types"]);
  await look({ ...withTest, specs, own: ["later"] }, { "run spec": [red] }, { green });
  expect(scripted.ran).toEqual(["run unit", "run spec"]);
});
