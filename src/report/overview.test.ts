// What people are shown of a run: plain data, in every phase, and the same in each rendering.
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { endingText } from "../cli/render/ending.ts";
import { painter } from "../cli/render/paint.ts";
import { statusText } from "../cli/render/status.ts";
import { commitId, featureId } from "../core/ids.ts";
import type { NoteKind } from "../core/note-kinds.ts";
import type { Outcome } from "../core/outcome.ts";
import { begin, type Phase } from "../core/run.ts";
import { checkpointed, observed, reserved } from "../testing/world/by-hand.ts";
import { anyContract, contractOf, feature } from "../testing/world/contracts.ts";
import { play } from "../testing/world/play.ts";
import { taped } from "../testing/world/random.ts";
import { failing, told } from "../testing/world/told.ts";
import { emptyChronicle, type Iteration, tell } from "./chronicle.ts";
import { html } from "./html/markup.ts";
import { reportHtml } from "./html/page.ts";
import { reportText } from "./markdown/report.ts";
import { type Overview, overview } from "./overview.ts";
import type { Story } from "./story.ts";

type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

test("an overview has nothing that JSON cannot hold", () => {
  expectTypeOf<Overview>().toExtend<Plain>();
});

test("an attempt that is under way does not have the reason of the one before", () => {
  const { iterations } = told([...failing, observed, checkpointed("i2"), reserved("s3")]);
  expect(iterations.map(({ attempt, cause }) => [attempt, cause?.root ?? null])).toEqual([
    [1, "no limit at all"],
    [2, null],
  ]);
});

const tapes = fc.array(fc.nat(0xffffff), { maxLength: 600, size: "max" });
const paint = painter(false);

/** A run at any moment. */
const anyStory = fc
  .tuple(tapes, fc.constantFrom(0, 150, 700), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([tape, trouble, part]): Story => {
    const choose = taped(tape);
    const contract = anyContract(choose);
    const { steps } = play(contract, choose, { trouble, signals: 60, stepsMax: 3000, continues: 2 });
    const some = steps.slice(0, Math.ceil(steps.length * part));
    const chronicle = some.reduce((so, { before, event, after }) => tell(so, before, event, after), emptyChronicle);
    return { run: some.at(-1)?.after ?? begin(contract), chronicle };
  });

test("at any moment, an overview survives JSON and its numbers agree", () => {
  fc.assert(
    fc.property(anyStory, fc.boolean(), (story, isDriven) => {
      const run = overview(story, { isDriven });
      expect(JSON.parse(JSON.stringify(run))).toEqual(run);
      const before = story.run.contract.features.filter(({ status }) => status === "complete" || status === "existing");
      expect(run.features.filter(({ isDone }) => isDone)).toHaveLength(run.done + before.length);
      expect(run.features).toHaveLength(run.total + before.length);
      expect(run.state === "over").toBe(run.phase === "stopped");
      expect(run.doing !== null).toBe(run.state === "running");
      const paid = [...run.sessions, ...run.iterations.flatMap(({ sessions }) => sessions)];
      expect(paid.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBeLessThanOrEqual(run.spent.costUsd + 1e-6);
      for (const { next } of run.inbox) expect(next).not.toBe("");
    }),
    { numRuns: 60 },
  );
});

test("at any moment, each rendering says the same about the run and its features", () => {
  fc.assert(
    fc.property(anyStory, fc.boolean(), (story, isDriven) => {
      const run = overview(story, { isDriven });
      const [status, ending, markdown, page] = [
        statusText(run, paint),
        endingText(run, paint),
        reportText(run),
        reportHtml(run),
      ];
      const inHtml = (text: string): string => html`${text}`.source;
      for (const text of [status, ending]) expect(text).toContain(run.next);
      expect(markdown).toContain(run.review ?? run.next);
      expect(page).toContain(inHtml(run.review ?? run.next));
      for (const text of [ending, markdown]) expect(text).toContain(run.why);
      for (const text of [markdown, page]) expect(text).toContain(run.title);
      for (const line of run.problems) expect(markdown).toContain(line);
      for (const { id, standing, isDone } of run.features) {
        const row = ending.split("\n").find((line) => line.startsWith(`  ${isDone ? "✓" : ""}`) && line.includes(id));
        expect(row).toContain(standing);
        expect(status).toContain(isDone ? `✓ ${id}` : ` ${id} `);
        if (standing !== "done before") expect(page).toContain(inHtml(standing));
      }
      for (const { next } of run.inbox) for (const text of [markdown, page]) expect(unescaped(text)).toContain(next);
    }),
    { numRuns: 60 },
  );
});

const unescaped = (text: string): string => text.replaceAll("&quot;", '"').replaceAll("&#39;", "'");

const iteration: Iteration = {
  ...{
    number: 1,
    at: 0,
    endedAt: 0,
    feature: featureId("F1"),
    attempt: 1,
    sessions: [],
    changed: 0,
    unseen: false,
    candidate: null,
  },
  ...{ violations: [], checks: [], grade: null, heldAs: null, cause: null, rolledBack: null, commit: null },
  ending: "complete",
};

describe("the state of a run", () => {
  const shown = (now: Phase, isDriven: boolean): Overview =>
    overview({ run: { ...begin(contractOf([feature("F1")], {})), now }, chronicle: emptyChronicle }, { isDriven });
  const resting = (outcome: Outcome): Phase => ({ is: "resting", outcome, resume: { is: "between" } });
  const waiting: Phase = { is: "waiting", until: 0, because: "5 hours are used up", resume: { is: "between" } };

  test.each([
    {
      when: "a process drives it",
      now: { is: "between" } as Phase,
      driven: true,
      state: "running",
      next: "loop pause",
    },
    {
      when: "its process is gone",
      now: { is: "between" } as Phase,
      driven: false,
      state: "interrupted",
      next: "loop continue",
    },
    { when: "it waits for a limit", now: waiting, driven: true, state: "running", next: "loop pause" },
    { when: "it waits for a limit, undriven", now: waiting, driven: false, state: "paused", next: "loop continue" },
    {
      when: "a person paused it",
      now: resting({ kind: "paused", by: "person" }),
      driven: false,
      state: "paused",
      next: "loop continue",
    },
    {
      when: "a cap is reached",
      now: resting({ kind: "cap", cap: "cost", used: 5, allowed: 5 }),
      driven: false,
      state: "waits-for-you",
      next: "loop continue --budget 10",
    },
    {
      when: "a gate is open",
      now: resting({ kind: "needs-person", need: { about: "contract", open: 1 } }),
      driven: true,
      state: "waits-for-you",
      next: "loop approve",
    },
    {
      when: "it was filed by a process that is gone",
      now: { is: "filing", outcome: { kind: "success" } } as Phase,
      driven: false,
      state: "interrupted",
      next: "loop continue",
    },
    {
      when: "it is done",
      now: { is: "stopped", outcome: { kind: "success" } } as Phase,
      driven: false,
      state: "over",
      next: "loop report",
    },
  ])("is $state when $when", ({ now, driven, state, next }) => {
    const run = shown(now, driven);
    expect(run.state).toBe(state);
    expect(run.next).toContain(next);
  });

  test.each([
    ["docs", "loop run"],
    [".loop/records", 'loop "what should be done"'],
  ])("after a cancelled run with records in %s names %s next", (recordsDir, next) => {
    const now: Phase = { is: "stopped", outcome: { kind: "cancelled" } };
    const run = { ...begin(contractOf([feature("F1")], { recordsDir })), now };
    expect(overview({ run, chronicle: emptyChronicle }, { isDriven: false }).next).toBe(next);
  });

  test.each([
    [2, "git show 0000000000 1111111111"],
    [9, "git log --patch 0000000000^..8888888888"],
  ])("after %i commits, lets read them by name, whatever is committed on top", (count, command) => {
    const now: Phase = { is: "stopped", outcome: { kind: "success" } };
    const run = { ...begin(contractOf([feature("F1")])), now };
    const iterations = Array.from({ length: count }, (_, at) => ({
      ...iteration,
      commit: commitId(String(at).repeat(40)),
    }));
    const { review } = overview({ run, chronicle: { ...emptyChronicle, iterations } }, { isDriven: false });
    expect(review).toBe(command);
  });

  test.each([
    ["main", "land", "loop land"],
    ["main", "merge", "git merge loop/r1"],
    ["main", "pull-request", "loop report --pr"],
    [null, "land", "git switch -c NAME loop/r1"],
  ] as const)(
    "with commits that have not landed on %s (by: %s), names the command that brings them",
    (onto, landsBy, next) => {
      const now: Phase = { is: "stopped", outcome: { kind: "success" } };
      const run = { ...begin(contractOf([feature("F1")])), now };
      const at = {
        dir: "/w",
        exists: true,
        branch: "loop/r1",
        onto,
        landed: null,
        kept: [],
        left: null,
        records: null,
      };
      const worktree = { ...at, landsBy, isAhead: true, isDropped: false, inTheWay: [] };
      expect(overview({ run, chronicle: emptyChronicle }, { isDriven: false, worktree }).next).toBe(next);
    },
  );

  test("a long cause is cut, and the command that brings its work back is not", () => {
    const recover = `q20261119-033747.164-${"x".repeat(20)}`;
    const tried = { ...iteration, rolledBack: recover, cause: { kind: "blocked", key: "k", text: "y".repeat(500) } };
    const { problems } = overview(
      { run: begin(contractOf([feature("F1")])), chronicle: { ...emptyChronicle, iterations: [tried as never] } },
      { isDriven: false },
    );
    expect(problems[0]).toMatch(new RegExp(`y… \\(rolled back; .*: loop recover ${recover}\\)$`));
    expect(problems[0]).toHaveLength(240);
  });

  test("only notes of something that did not work are problems", () => {
    const note = (about: NoteKind, text: string) => ({ at: 1, about, text });
    const notes = [
      note("agents", "codex makes and claude checks from now on."),
      note("money", "claude runs on a subscription: sums of money are estimates."),
      note("prd", "From prd.md."),
      note("changed", "limits.cost_usd: 5 to 9"),
      note("dependencies", "npm install"),
      note("place", "The run works in your folder and not in a worktree."),
      note("torn-tail-dropped", "The last line was cut short."),
      { at: 1, about: "of a later version", text: "Unknown." },
    ];
    const run = begin(contractOf([feature("F1")]));
    const { problems } = overview({ run, chronicle: { ...emptyChronicle, notes } }, { isDriven: false });
    expect(problems).toEqual(["torn-tail-dropped: The last line was cut short.", "of a later version: Unknown."]);
  });

  test("after it has handed on, names its follow-up, which is begun once", () => {
    const now: Phase = { is: "stopped", outcome: { kind: "followup", gaps: 1 } };
    const run = { ...begin(contractOf([feature("F1")])), now };
    const next = (followedBy: string | null) =>
      overview({ run, chronicle: emptyChronicle }, { isDriven: false, followedBy }).next;
    expect([next(null), next("r2")]).toEqual(["loop continue", "loop status --run r2"]);
  });

  test("only a run that is over has the word of a verdict on the screen", () => {
    const screen = (now: Phase): string => {
      const run = { ...begin(contractOf([feature("F1")])), now };
      return endingText(overview({ run, chronicle: emptyChronicle }, { isDriven: false }), paint);
    };
    expect(screen({ is: "stopped", outcome: { kind: "cancelled" } })).toContain("RESEARCH");
    const paused: Outcome = { kind: "paused", by: "person" };
    expect(screen({ is: "resting", outcome: paused, resume: { is: "between" } })).not.toContain("RESEARCH");
  });

  test.each([
    ["success", "loop land"],
    ["cancelled", "loop land, or to drop the commits: git branch -D loop/r1"],
    ["followup", "loop continue, or: loop land"],
  ] as const)("after %s, commits that have not landed are what is next", (kind, next) => {
    const now: Phase = { is: "stopped", outcome: kind === "followup" ? { kind, gaps: 1 } : { kind } };
    const run = { ...begin(contractOf([feature("F1")])), now };
    expect(overview({ run, chronicle: emptyChronicle }, { isDriven: false, worktree: ahead }).next).toBe(next);
  });
});

const ahead = {
  dir: "/w",
  exists: false,
  branch: "loop/r1",
  onto: "main",
  landed: null,
  kept: [],
  isAhead: true,
  isDropped: false,
  left: null,
  landsBy: "land",
  inTheWay: [],
  records: null,
} as const;
