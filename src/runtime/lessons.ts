// What later runs can learn from a run: what the loop observed, and the notes of makers whose work was proved.
import type { CauseKind } from "../core/cause.ts";
import type { Run } from "../core/run.ts";
import type { Chronicle, Iteration } from "../report/chronicle.ts";
import { causeLabel, causeText, firstLine } from "../report/words/cause-words.ts";
import { isRunShown } from "../report/words/shown.ts";
import { duration } from "../report/words/words.ts";
import type { Lesson } from "./memory.ts";
import { factWordsOf } from "./request-words.ts";

/** The paths that each commit touched, and what its maker reports to have learned. */
export type Taught = { readonly touched: readonly string[]; readonly learned: readonly string[] };

export function lessonsOf(run: Run, chronicle: Chronicle, taught: readonly Taught[]): Lesson[] {
  return [
    ...checkLessons(run, chronicle),
    ...flakyLessons(chronicle),
    ...chronicle.iterations.flatMap(causeLessons),
    ...togetherLessons(taught.map(({ touched }) => touched)),
    ...taught.flatMap(({ learned }) => learned.flatMap(learnedLesson)),
  ];
}

/** An agent needs no advice about checks that finish in less than a second. */
const slowMsMin = 1000;

function checkLessons({ contract }: Run, { baselineMs }: Chronicle): Lesson[] {
  if (baselineMs < slowMsMin || contract.checks.length === 0) return [];
  const named = contract.checks.map(({ name, run }) => `${name} (${run})`).join(", ");
  const together = contract.checks.length === 1 ? "takes" : "take together";
  return [{ kind: "check", key: "check:all", text: `${named} ${together} about ${duration(baselineMs)}.` }];
}

function flakyLessons({ baseline, iterations }: Chronicle): Lesson[] {
  const names = [
    ...baseline.filter(({ how }) => how === "flaky").map(({ name }) => name),
    ...iterations.flatMap(({ checks }) =>
      checks.filter(isRunShown).flatMap(({ check, outcome }) => (outcome === "flaky" ? [check] : [])),
    ),
  ];
  return [...new Set(names)].map((name) => ({
    kind: "flaky",
    key: `flaky:${name}`,
    text: `The check ${name} was red and green on the same tree: it is flaky.`,
  }));
}

/** Failures caused by this repository and its rules. A crashed session teaches the next one nothing. */
const teaching = new Set<CauseKind>([
  "check-red",
  "tampering",
  "scope",
  "secret",
  "must-not",
  "misdeed",
  "verdict",
  "unproved",
]);

function causeLessons({ cause, feature }: Iteration): Lesson[] {
  if (cause === null || !teaching.has(cause.kind)) return [];
  // The first line is the loop's own; the rest may be arbitrary program output.
  const first = firstLine(causeText(cause));
  return [
    { kind: "cause", key: `cause:${cause.key}`, text: `${feature} once failed: ${causeLabel[cause.kind]}. ${first}` },
  ];
}

const pathsMax = 30;
const togetherMin = 3;
const shown = 3;

/** Pairs of files that hardly ever changed without each other. */
function togetherLessons(commits: readonly (readonly string[])[]): Lesson[] {
  const alone = new Map<string, number>();
  const pairs = new Map<string, { a: string; b: string; times: number }>();
  for (const touched of commits) {
    const paths = [...new Set(touched)].sort().slice(0, pathsMax);
    paths.forEach((a, at) => {
      alone.set(a, (alone.get(a) ?? 0) + 1);
      for (const b of paths.slice(at + 1)) {
        const times = (pairs.get(`${a}\n${b}`)?.times ?? 0) + 1;
        pairs.set(`${a}\n${b}`, { a, b, times });
      }
    });
  }
  const often = [...pairs.values()].filter(
    ({ a, b, times }) => times >= togetherMin && times >= 0.75 * Math.max(alone.get(a) ?? 0, alone.get(b) ?? 0),
  );
  return often
    .sort((one, other) => other.times - one.times || one.a.localeCompare(other.a))
    .slice(0, shown)
    .map(({ a, b, times }) => ({
      kind: "together",
      key: `together:${a}:${b}`,
      text: `${a} and ${b} changed together in ${times} of ${commits.length} commits of a run.`,
    }));
}

function learnedLesson(text: string): Lesson[] {
  const words = factWordsOf(text);
  return words.length === 0 ? [] : [{ kind: "learned", key: `learned:${words.join(" ")}`, text }];
}
