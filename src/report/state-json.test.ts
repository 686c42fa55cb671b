// What a stop hook reads: it must never look done while something is unfinished.
import { expect, test } from "vitest";
import { featureId, treeId } from "../core/ids.ts";
import { progresses } from "../core/progresses.ts";
import { begin, newProgress, type Run } from "../core/run.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { emptyChronicle } from "./chronicle.ts";
import { hopeStart, hopeStatus } from "./hope.ts";
import { stateText } from "./state-json.ts";
import { newStory } from "./story.ts";

const runOf = (count: number, isDone: (at: number) => boolean): Run => {
  const features = Array.from({ length: count }, (_, at) =>
    feature(`F${at}`, { criteria: [`c ${at}`, "all tests pass"] }),
  );
  const run = begin(contractOf(features, {}));
  const progress = progresses(
    features.map(({ id }, at) => [
      featureId(id),
      isDone(at) ? { ...newProgress("complete"), attempts: 1 } : newProgress("not-started"),
    ]),
  );
  return { ...run, progress };
};
const state = (run: Run, chronicle = emptyChronicle) => JSON.parse(stateText(run, chronicle));

test("a criterion shared by several features is met when all of them are done", () => {
  const half = state(runOf(2, (at) => at === 1));
  expect(half.criteriaStatus).toEqual({ "c 0": false, "c 1": true, "all tests pass": false });
  expect(half).toMatchObject({ completedSteps: ["F1"], remainingSteps: ["F0"], circuitBreaker: { lastUnmet: "c 0" } });
  expect(state(runOf(2, () => true)).criteriaStatus).toEqual({ "c 0": true, "c 1": true, "all tests pass": true });
});

test("a criterion that the last verdict met is met while its work is there, and no longer once it is rolled back", () => {
  const run = runOf(1, () => false);
  const mark = { tree: treeId("a".repeat(40)), commit: null, checkpoint: "c" };
  const at = (base: typeof mark | null): Run => ({
    ...run,
    progress: progresses([
      [featureId("F0"), { ...newProgress("needs-rework"), attempts: 1, base: base as never, criteriaMet: [1] }],
    ]),
  });
  expect(state(at(mark)).criteriaStatus).toEqual({ "c 0": false, "all tests pass": true });
  expect(hopeStatus({ run: at(mark), chronicle: emptyChronicle })).toContain(
    'CRITERIA: {"c 0": false, "all tests pass": true}',
  );
  expect(state(at(null)).criteriaStatus).toEqual({ "c 0": false, "all tests pass": false });
});

test("for a long queue it shows unfinished features, and counts those that the run is about", () => {
  const late = state(runOf(5000, (at) => at !== 4999));
  expect(late.criteriaStatus).toEqual({ "c 4999": false, "all tests pass": false });
  expect(late.features).toEqual({ total: 5000, done: 4999, shown: 1 });
  expect(
    Buffer.byteLength(
      stateText(
        runOf(5000, () => false),
        emptyChronicle,
      ),
    ),
  ).toBeLessThan(50_000);
  expect(Object.values(state(runOf(5000, () => true)).criteriaStatus).every((met) => met === true)).toBe(true);
});

test("a criterion that says how it has to be shown has how it was shown", () => {
  const criteria = ["tests pass (verified by execution output)", "API returns 200 (verified by execution output)"];
  const features = [feature("F1", { criteria: [...criteria, "UI renders (verified by observation)"] })];
  const fresh = begin(contractOf(features, {}));
  // The example of the seed.
  expect(state(fresh).criteriaStatus).toEqual({
    "tests pass": { met: false, verification: "execution output" },
    "API returns 200": { met: false, verification: "execution output" },
    "UI renders": { met: false, verification: "observation" },
  });
  expect(state(fresh).criteria).toEqual(["tests pass", "API returns 200", "UI renders"]);
});

test("until there is a plan, the items of the request are its steps and criteria", () => {
  const request = "Extend src/math.js, without new dependencies:\n- add() adds\n- sub() subtracts";
  const run = begin(contractOf([], { request, stages: ["plan", "implement", "audit"] }));
  const items = ["add() adds", "sub() subtracts"];
  expect(state(run)).toMatchObject({
    criteria: ["Extend src/math.js, without new dependencies", ...items],
    criteriaStatus: { "add() adds": false, "sub() subtracts": false },
    exit_signal: false,
    steps: items,
    remainingSteps: items,
  });
  expect(hopeStart(run, { leavesState: false, worktree: null })).toContain(" | Steps: 2 | ");
  const planned = begin(contractOf([feature("F1", { criteria: ["add() adds"] })], { request, stages: ["plan"] }));
  expect(state(planned)).toMatchObject({ criteria: ["add() adds"], steps: ["F1"] });
});

test("a request for one thing is one step until there is a plan", () => {
  const run = begin(contractOf([], { request: "Make add() add.", stages: ["plan", "implement"] }));
  expect(state(run)).toMatchObject({ criteria: ["Make add() add."], steps: ["Make add() add."] });
});

test("what was complete before the run is no criterion of it, in the file and in the status block", () => {
  const before = feature("F1", { status: "complete", criteria: ["one() is 1"] });
  const run = begin(contractOf([before, feature("F2", { criteria: ["two() is 2"] })]));
  expect(JSON.parse(stateText(run, emptyChronicle))).toMatchObject({
    criteria: ["two() is 2"],
    criteriaStatus: { "two() is 2": false },
    steps: ["F2"],
    completedSteps: [],
  });
  const story = newStory(run.contract);
  expect(hopeStart(run, { leavesState: false, worktree: null })).toContain(" | Steps: 1 | ");
  expect(hopeStatus(story)).toContain('CRITERIA: {"two() is 2": false}\n');
});

test.each([
  [0, 0],
  [1, 1],
  [2, 2],
])("after %i iterations in a row that met nothing more, the stuck count is %i", (stuck, count) => {
  const run = begin(contractOf([feature("F1")]));
  const stuckRun = { ...run, streaks: { ...run.streaks, stuck } };
  expect(JSON.parse(stateText(stuckRun, emptyChronicle)).circuitBreaker.stuckCount).toBe(count);
  expect(hopeStatus({ ...newStory(run.contract), run: stuckRun })).toContain(`STUCK_COUNT: ${count}\n`);
});
