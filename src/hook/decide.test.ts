// May the session end? Every rule of the decision, and invariants on every path.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bounds, blockCap, type Decision, decide, type Seen } from "./decide.ts";
import type { Progress } from "./hold.ts";

const given = { given: true, unticked: [], question: null };
const silent = { given: false, unticked: [], question: null };
const red = { key: "check:test:failed:1", text: "test is red" };
const edited = { key: "state-edited", text: "edited" };
const fresh: Progress = { iteration: 0, key: null, times: 0, tree: "t0", unchanged: 0, blocks: 0 };
const bounds: Bounds = { iterationsMax: 10, blocksMax: 8 };
const seen = (changes: Partial<Seen>): Seen => ({ unmet: [], signal: given, tree: "t1", ...changes });

const ending = (decision: Decision): string => (decision.is === "broken-off" ? decision.breaker : decision.is);

describe("the dual condition", () => {
  test.each([
    { title: "green and said", see: seen({}), is: "met" },
    { title: "green and not said", see: seen({ signal: silent }), is: "blocked" },
    { title: "red and said", see: seen({ unmet: [red] }), is: "blocked" },
    { title: "red and not said", see: seen({ unmet: [red], signal: silent }), is: "blocked" },
    { title: "said, with a criterion open", see: seen({ signal: { ...given, unticked: ["fast"] } }), is: "blocked" },
    { title: "green and said, with an edited state", see: seen({ unmet: [edited] }), is: "blocked" },
    {
      title: "red, with a question",
      see: seen({ unmet: [red], signal: { ...silent, question: "Which?" } }),
      is: "asks",
    },
    {
      title: "a question, with an edited state",
      see: seen({ unmet: [edited], signal: { ...silent, question: "Which?" } }),
      is: "blocked",
    },
    {
      title: "green and said, with what only a person can say",
      see: seen({ signal: { ...given, unticked: ["safe (verified by assumption)"] } }),
      is: "assumes",
    },
    {
      title: "the same, not said",
      see: seen({ signal: { ...silent, unticked: ["safe (verified by assumption)"] } }),
      is: "blocked",
    },
    {
      title: "a must-not that became true, with a question",
      see: seen({
        unmet: [{ key: "must-not:deps", text: "A must-not became true: deps\nx in package.json" }],
        signal: { ...silent, question: "Which?" },
      }),
      is: "must-not",
    },
    { title: "nothing that could be looked at", see: seen({ unmet: [red], tree: null }), is: "blocked" },
  ])("$title: $is", ({ see, is }) => {
    expect(ending(decide(fresh, see, bounds))).toBe(is);
  });

  test("a block names everything unmet, the agent's own silence last", () => {
    const decision = decide(fresh, seen({ unmet: [red], signal: silent }), bounds);
    expect(decision).toMatchObject({ is: "blocked", unmet: [red, { key: "no-exit-signal" }] });
  });
});

describe("breakers", () => {
  test.each<{ title: string; before: Partial<Progress>; see: Partial<Seen>; bounds?: Partial<Bounds>; is: string }>([
    { title: "the last iteration", before: { iteration: 9 }, see: { unmet: [red] }, is: "iterations" },
    { title: "the one before the last", before: { iteration: 8 }, see: { unmet: [red] }, is: "blocked" },
    {
      title: "one iteration allowed",
      before: {},
      see: { unmet: [red] },
      bounds: { iterationsMax: 1 },
      is: "iterations",
    },
    { title: "the same a third time", before: { key: red.key, times: 1 }, see: { unmet: [red] }, is: "same-failure" },
    { title: "the same a second time", before: { key: red.key, times: 0 }, see: { unmet: [red] }, is: "blocked" },
    {
      title: "only a criterion unticked, the same a third time",
      before: { key: "criterion:fast", times: 2 },
      see: { signal: { ...given, unticked: ["fast"] } },
      is: "blocked",
    },
    {
      title: "only a criterion unticked, the same for the fifth time since",
      before: { key: "criterion:fast", times: 4 },
      see: { signal: { ...given, unticked: ["fast"] } },
      is: "same-failure",
    },
    { title: "something else after two", before: { key: "check:x", times: 2 }, see: { unmet: [red] }, is: "blocked" },
    { title: "no change twice", before: { unchanged: 1 }, see: { unmet: [red], tree: "t0" }, is: "nothing-changed" },
    { title: "no change once", before: {}, see: { unmet: [red], tree: "t0" }, is: "blocked" },
    { title: "a change after none", before: { unchanged: 1 }, see: { unmet: [red] }, is: "blocked" },
    {
      title: "the CLI's own cap",
      before: { blocks: 1 },
      see: { unmet: [red], tree: "t0" },
      bounds: { blocksMax: 1 },
      is: "block-cap",
    },
    {
      title: "the cap, and a change since",
      before: { blocks: 1 },
      see: { unmet: [red] },
      bounds: { blocksMax: 1 },
      is: "blocked",
    },
    { title: "met in the last iteration", before: { iteration: 9, unchanged: 1 }, see: { tree: "t0" }, is: "met" },
  ])("$title: $is", ({ before, see, bounds: other, is }) => {
    expect(ending(decide({ ...fresh, ...before }, seen(see), { ...bounds, ...other }))).toBe(is);
  });
});

test.each([
  [undefined, 8],
  ["3", 3],
  ["0", 8],
  ["-1", 8],
  ["many", 8],
  ["", 8],
])("a block cap of %j in the environment means %i", (said, cap) => {
  expect(blockCap(said === undefined ? {} : { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: said })).toBe(cap);
});

const anySeen: fc.Arbitrary<Seen> = fc.record({
  unmet: fc.array(fc.constantFrom(red, edited, { key: "flaky:test", text: "flaky" }), { maxLength: 2 }),
  signal: fc.record({
    given: fc.boolean(),
    unticked: fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
    question: fc.constant(null),
  }),
  tree: fc.option(fc.constantFrom("t0", "t1", "t2")),
});

test("a session is released within its iterations, and never silently while something is unmet", () => {
  fc.assert(
    fc.property(
      fc.array(anySeen, { minLength: 60, maxLength: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (stops, iterationsMax) => {
        let progress = fresh;
        for (const [index, see] of stops.entries()) {
          const decision = decide(progress, see, { iterationsMax, blocksMax: 8 });
          const isMet = see.unmet.length === 0 && see.signal.given && see.signal.unticked.length === 0;
          expect(decision.is === "met").toBe(isMet);
          if (decision.is !== "blocked") {
            expect(index).toBeLessThan(iterationsMax);
            return;
          }
          progress = decision.progress;
          expect(progress.blocks).toBeLessThanOrEqual(8); // The CLI overrides the ninth in a row, and would do it silently.
        }
        throw new Error("it was never let go");
      },
    ),
  );
});
