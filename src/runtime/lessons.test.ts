// What a run teaches the next one: what the loop saw, and notes of makers whose work was proved.
import { expect, test } from "vitest";
import type { CauseKind } from "../core/cause.ts";
import { featureId } from "../core/ids.ts";
import { begin } from "../core/run.ts";
import { type Chronicle, emptyChronicle, type Iteration } from "../report/chronicle.ts";
import { lessonsOf, type Taught } from "./lessons.ts";

const run = begin({ features: [], checks: [{ name: "test", run: "npm test" }] } as never);
const iteration = (more: Partial<Iteration>): Iteration =>
  ({ feature: featureId("F001"), checks: [], cause: null, sessions: [], ...more }) as Iteration;
const learned = (chronicle: Partial<Chronicle>, taught: readonly Taught[] = []) =>
  lessonsOf(run, { ...emptyChronicle, ...chronicle }, taught);
const cause = (kind: CauseKind) => ({ kind, key: `${kind}:x`, text: "first line\nsecret output" });

test("the duration of checks is kept from one second on", () => {
  expect(learned({ baselineMs: 400 })).toEqual([]);
  expect(learned({ baselineMs: 42_000 })).toMatchObject([{ kind: "check", text: "test (npm test) takes about 42 s." }]);
});

test("a flaky check is named", () => {
  const checks = [{ run: "B", check: "e2e", how: "npm test: red, and green a second time", outcome: "flaky" }] as const;
  const lesson = [{ kind: "flaky", key: "flaky:e2e" }];
  expect(learned({ iterations: [iteration({ checks })] })).toMatchObject(lesson);
  expect(learned({ baseline: [{ name: "e2e", green: false, how: "flaky" }] })).toMatchObject(lesson);
});

test.each(["check-red", "tampering", "scope", "verdict"] as const)(
  "%s teaches its first line, and no output",
  (kind) => {
    const [lesson] = learned({ iterations: [iteration({ cause: cause(kind) })] });
    expect(lesson).toMatchObject({ kind: "cause", key: `cause:${kind}:x` });
    expect(lesson?.text).toContain("first line");
    expect(lesson?.text).not.toContain("secret output");
  },
);

test.each(["session", "nothing-changed", "blocked", "rejected"] as const)(
  "%s teaches nothing about the repository",
  (kind) => {
    expect(learned({ iterations: [iteration({ cause: cause(kind) })] })).toEqual([]);
  },
);

test("files that hardly ever change alone are named, others are not", () => {
  const commits = [["a", "b"], ["b", "a", "c"], ["a", "b", "d"], ["c"]].map((touched) => ({ touched, learned: [] }));
  expect(learned({}, commits)).toEqual([
    { kind: "together", key: "together:a:b", text: "a and b changed together in 3 of 4 commits of a run." },
  ]);
  const mostlyAlone = [...commits, ...commits.map(() => ({ touched: ["a"], learned: [] }))];
  expect(learned({}, mostlyAlone)).toEqual([]);
});

test("notes that differ only in wording are one note", () => {
  const taught = [{ touched: [], learned: ["The tests need port 4173.", "Tests need the port 4173!", "?!"] }];
  const lessons = learned({}, taught);
  expect(lessons).toHaveLength(2);
  expect(new Set(lessons.map(({ key }) => key)).size).toBe(1);
  const other = learned({}, [{ touched: [], learned: ["The tests need port 5000."] }]);
  expect(other.map(({ key }) => key)).not.toEqual([lessons[0]?.key]);
});
