// Findings from the runs about new tests, for every result that they can have.
import { describe, expect, test } from "vitest";
import { sidesBetween } from "../../testing/sides-rig.ts";
import type { Tried } from "../runs/strength.ts";
import {
  saidOfHidden,
  saidOfInputs,
  saidOfOldStrength,
  saidOfOtherAnswers,
  saidOfReaders,
  saidOfStrength,
  saidOfUnsteady,
  saidOfWitnesses,
} from "./new-tests.ts";

const of = (noticed: boolean, kind: Tried["kind"] = "hunk", path = "src/a.js"): Tried => ({
  what: `${path} ${kind}`,
  noticed,
  path,
  kind,
});
const strength = (...tried: Tried[]) => ({ tried, noticed: tried.filter((one) => one.noticed).length });

describe("a change is strong enough", () => {
  test.each([
    ["when every piece is noticed", [of(true), of(true, "body")]],
    ["when half of the pieces are, and one of each file", [of(true), of(false)]],
    ["when data is not noticed, and the code is", [of(true), of(true, "body"), of(false, "hunk", "src/rates.json")]],
    ["when types are not noticed", [of(true), of(false, "hunk", "src/a.d.ts")]],
  ])("%s", (_, tried) => {
    const said = saidOfStrength(strength(...tried), 0.5);
    expect(said.missing).toBeUndefined();
    expect(said.records).toMatchObject([{ run: "D", how: "noticed", share: { of: tried.length } }]);
  });
});

describe("a change is not strong enough", () => {
  test.each([
    ["when nothing could be taken back", [], "No part of the change could be taken back"],
    ["when nothing is noticed", [of(false)], "src/a.js hunk"],
    ["when less than half is", [of(true), of(false), of(false)], "1 of 3 noticed"],
    ["when a function does nothing and nobody notices", [of(true), of(true), of(false, "body")], "src/a.js body"],
    ["when an old line is as it was and nobody notices", [of(true), of(true), of(false, "line")], "src/a.js line"],
    ["when a whole file is unnoticed", [of(true), of(true), of(false, "hunk", "src/b.js")], "src/b.js hunk"],
  ])("%s", (_, tried, names) => {
    expect(saidOfStrength(strength(...tried), 0.5).missing).toEqual([expect.stringContaining(names)]);
  });

  test("and a share of 0 requires only one noticed piece", () => {
    expect(saidOfStrength(strength(of(true), of(false, "body")), 0).missing).toBeUndefined();
    expect(saidOfStrength(strength(of(false, "body")), 0).missing).toHaveLength(1);
  });
});

test.each([
  ["all of it is", [of(true, "body"), of(true, "body")], 0.5, 0],
  ["one is not", [of(true, "body"), of(false, "body")], 0.5, 1],
  ["one is not, and nothing is asked for", [of(true, "body"), of(false, "body")], 0, 0],
  ["there is nothing to empty", [], 0.5, 1],
])("kept behaviour needs old tests that notice everything: %s", (_, tried, wanted, missing) => {
  expect(saidOfOldStrength(strength(...tried), wanted).missing ?? []).toHaveLength(missing);
});

test("names what no test notices, also where enough is noticed", () => {
  const of = (what: string, noticed: boolean): Tried => ({ what, path: "src/a.js", kind: "hunk", noticed });
  const said = saidOfStrength(strength(of("line 3 taken back", false), of("line 9 taken back", true)), 0.5);
  expect(said.missing).toBeUndefined();
  expect(said.remarks).toEqual(["No test notices: line 3 taken back. Read that first."]);
});

describe("witnesses", () => {
  const base = { "package.json": "{}", "src/a.js": "export const a = 1;\n", "tests/a.test.js": "1;\n" };
  const code = sidesBetween(base, { ...base, "src/a.js": "export const a = 2;\n" });
  const judge = sidesBetween(base, { ...base, "tests/a.test.js": "2;\n" });
  const settings = sidesBetween(base, { ...base, ".editorconfig": "root = true\n" });
  const set = { ...base, "vitest.config.js": "export default {};\n" };
  const runner = sidesBetween(set, { ...set, "vitest.config.js": "export default { test: {} };\n" });
  const both = sidesBetween(set, { ...set, "vitest.config.js": "export default [];\n", "tests/b.test.js": "2;\n" });
  const none = { seen: new Map(), tests: [], idle: [], checks: [], files: [] };

  test.each([
    ["one test", code, { ...none, tests: ["t"] }, "1 new test fails without the change"],
    ["two tests", code, { ...none, tests: ["t", "u"] }, "2 new tests fail without the change"],
    ["a check without names", code, { ...none, checks: ["make"] }, "make fails without the change"],
  ])("%s: the change is tested", (_, sides, found, text) => {
    expect(saidOfWitnesses(sides, found)).toMatchObject({ records: [{ run: "C", how: "red", text }] });
    expect(saidOfWitnesses(sides, found).missing).toBeUndefined();
  });

  test.each([
    ["what tests use was changed with a new test", both, none, "(vitest.config.js), and the new tests come with them"],
    ["none at all", code, none, "No new test fails on the code as it was."],
    ["tests that pass anyway", code, { ...none, idle: ["t"] }, "so they do not test it: t."],
    ["only protected files changed", judge, none, "Nothing but protected files was changed (tests/a.test.js)"],
  ])("%s: something is missing", (_, sides, found, why) => {
    expect(saidOfWitnesses(sides, found).missing).toEqual([expect.stringContaining(why)]);
  });

  test.each([
    ["no code was changed", settings, "no code was changed that a test could run. A person has to look."],
    [
      "only what tests use was changed",
      runner,
      "(vitest.config.js), and no test comes with them. A person has to look.",
    ],
  ])("%s: only a person can decide", (_, sides, why) => {
    const said = saidOfWitnesses(sides, none);
    expect(said.forPerson).toEqual([expect.stringContaining(why)]);
    expect(said.missing).toBeUndefined();
  });
});

test.each([
  [saidOfReaders([]), saidOfReaders(["t"]), "they test its text"],
  [saidOfOtherAnswers([]), saidOfOtherAnswers(["src/a.js: 3 becomes 4"]), "src/a.js: 3 becomes 4"],
  [saidOfUnsteady([]), saidOfUnsteady(["src/a.js: f(1) is 1, and 2 when it is asked again"]), "f(1) is 1, and 2"],
  [
    saidOfInputs({ is: "red", tried: [], givenBack: [] }),
    saidOfInputs({ is: "green", tried: ["2 becomes 3"], givenBack: [] }),
    "2 becomes 3",
  ],
  [
    saidOfInputs({ is: "not-shown", tried: [], givenBack: [] }),
    saidOfInputs({ is: "green", tried: ["x"], givenBack: [] }),
    "assert exact results.",
  ],
  [saidOfHidden({ is: "passed", tests: 3 }), saidOfHidden({ is: "failed", tests: ["h"] }), "alone fail: h."],
])("reports a gap only where there is one: %#", (content, not, why) => {
  expect(content.missing).toBeUndefined();
  expect(not.missing).toEqual([expect.stringContaining(why)]);
});
