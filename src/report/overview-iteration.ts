// One iteration as people are shown it: its sessions, its checks, and what went wrong.
import type { Cause, CauseKind } from "../core/cause.ts";
import type { Violation } from "../core/event.ts";
import { isProblem } from "../core/note-kinds.ts";
import { type ErrorClass, errorClassOf } from "../core/recovery.ts";
import type { Grade } from "../core/run.ts";
import { isFailedSession } from "../core/session.ts";
import { shortened } from "../formats/text/shortened.ts";
import type { Chronicle, Iteration, SessionNote } from "./chronicle.ts";
import { causeLabel, causeText, firstLine, rootOf } from "./words/cause-words.ts";
import { shownLine, testsLine } from "./words/shown.ts";

/** One iteration as people are shown it. */
export type IterationOverview = {
  readonly number: number;
  readonly at: number;
  readonly endedAt: number;
  readonly feature: string;
  readonly attempt: number;
  readonly ending: Iteration["ending"];
  /** It is open, and the run rests or is over. */
  readonly isAtRest: boolean;
  readonly sessions: readonly SessionNote[];
  /** Files that it changed. */
  readonly changed: number;
  /** `test (old tests, new code): green` */
  readonly checks: readonly string[];
  /** The tests of everything as it would be committed: `12/12`, or `test green` of a check that gives no names. */
  readonly tests: string;
  readonly grade: Grade | null;
  readonly commit: string | null;
  /** The branch that shows its held work to people. */
  readonly heldAs: string | null;
  /** Why it failed, or, where the run rests in it, what its last session failed by; null: neither. */
  readonly cause: CauseOverview | null;
  /** What the agent was not allowed to do, and what it was refused. */
  readonly violations: readonly Violation[];
  readonly isRolledBack: boolean;
  /** What `loop recover` brings its work back by; null: nothing was set aside. */
  readonly recover: string | null;
};

/** `label` in a few words, `root` in one line, `text` in full; all three for people. */
export type CauseOverview = {
  readonly kind: CauseKind;
  readonly label: string;
  readonly root: string;
  readonly text: string;
  readonly errorClass: ErrorClass;
};

export const causeOverview = (cause: Cause): CauseOverview => ({
  kind: cause.kind,
  label: causeLabel[cause.kind],
  root: rootOf(cause),
  text: causeText(cause),
  errorClass: errorClassOf(cause),
});

/** `isAtRest`: the run does not go on by itself, so that one which is still open was stopped by what happened last in it. */
export const iterationOverview = (it: Iteration, isAtRest: boolean): IterationOverview => ({
  number: it.number,
  at: it.at,
  endedAt: it.endedAt,
  feature: it.feature,
  attempt: it.attempt,
  ending: it.ending,
  sessions: it.sessions,
  changed: it.changed,
  checks: it.checks.map(shownLine),
  tests: testsLine(it.checks),
  grade: it.grade,
  commit: it.commit,
  heldAs: it.heldAs,
  isAtRest: isAtRest && it.ending === "open",
  cause: causeOf(it, isAtRest),
  violations: it.violations,
  isRolledBack: it.rolledBack !== null && it.rolledBack !== "nothing",
  recover: it.rolledBack === "nothing" ? null : it.rolledBack,
});

function causeOf({ cause, ending, sessions }: Iteration, isAtRest: boolean): CauseOverview | null {
  if (cause !== null) return causeOverview(cause);
  const last = sessions.at(-1);
  if (!isAtRest || ending !== "open" || last === undefined || !last.failed || !isFailedSession(last.how)) return null;
  return causeOverview({
    kind: "session",
    key: `session:${last.how}`,
    text: last.says,
    frame: { is: "session", failure: last.how },
  });
}

/** How often its feature had been sent into rework when it ended: the first failure is the first rework. */
export const reworksBy = ({ attempt, ending }: Pick<Iteration, "attempt" | "ending">): number =>
  ending === "rework" ? attempt : attempt - 1;

/** Something was rejected, undone or set aside. */
export const isTroubled = ({ cause, violations, recover }: IterationOverview): boolean =>
  cause !== null || violations.length > 0 || recover !== null;

/** Everything that was rejected, undone or set aside, in one line each. A cause is cut to `max`, and no command is. */
export function problemLines(iterations: readonly IterationOverview[], notes: Chronicle["notes"], max = 240): string[] {
  const lines = iterations
    .filter(isTroubled)
    .flatMap((it) => [
      ...it.violations.map(({ what }) => `${it.feature}, attempt ${it.attempt}: ${what}`),
      ...(it.cause === null && it.recover === null ? [] : [troubleLine(it, max)]),
    ]);
  return [...lines, ...notes.filter(({ about }) => isProblem(about)).map(({ about, text }) => `${about}: ${text}`)];
}

function troubleLine({ feature, attempt, cause, recover }: IterationOverview, max: number): string {
  const of = `${feature}, attempt ${attempt}`;
  const undone = recover === null ? "" : `rolled back; to bring it back: loop recover ${recover}`;
  if (cause === null) return `${of} was ${undone}`;
  const [begin, end] = [`${of} failed: `, undone === "" ? "" : ` (${undone})`];
  const text = firstLine(cause.text);
  const room = max - begin.length - end.length;
  return `${begin}${shortened(text, room)}${end}`;
}
