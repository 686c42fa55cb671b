// Everything in a workspace that waits for a person, of all its runs, newest first: gates, the inbox, runs that rest, and
// what has not landed.
import { gateOf, leftAtGate } from "../core/gates.ts";
import type { TreeId } from "../core/ids.ts";
import { entriesOf } from "../core/progresses.ts";
import type { Run } from "../core/run.ts";
import { openQuestion } from "../core/said.ts";
import { unfinished } from "../core/select.ts";
import { standingOf } from "../report/state.ts";
import { type InboxWords, inboxWords } from "../report/words/inbox-words.ts";
import { addressedTo } from "../report/words/left.ts";
import { endSentence, nextCommand, outcomeOf } from "../report/words/words.ts";
import type { Engine, Reading } from "./engine.ts";
import { subjectId } from "./first-answer.ts";
import { heldIn } from "./held-work.ts";
import { waitsToLand } from "./landing.ts";
import { readingIfPossible } from "./watch.ts";

export type Waiting = InboxWords & {
  readonly runId: string;
  readonly run: Run;
  readonly isLatest: boolean;
  /** The tree of work that is not committed: what the last iteration has left; null: it has left none. */
  readonly uncommitted: TreeId | null;
};

const runsMax = 50;

/** `named`: only that run. */
export async function everythingWaiting(
  engine: Pick<Engine, "runs" | "read">,
  named: string | undefined,
): Promise<Waiting[]> {
  const runs = named === undefined ? (await engine.runs()).slice(0, runsMax) : [named];
  const waiting: Waiting[] = [];
  const done = new Set<string>();
  const branches = new Set<string>();
  for (const [at, runId] of runs.entries()) {
    const isLatest = at === 0;
    // The latest run must be readable; earlier ones that are not are skipped.
    const reading = isLatest ? await engine.read(runId) : await readingIfPossible(engine, runId);
    if (reading === null) continue;
    const { run, chronicle } = reading.story;
    const last = chronicle.iterations.at(-1);
    const uncommitted = last?.commit === null ? last.candidate : null;
    const open = isLatest || run.now.is !== "stopped" ? [...gate(run), ...answerable(run)] : [];
    // Of several runs in one worktree, the newest says what has not landed.
    const { branch = null } = reading.worktree ?? {};
    const found = [
      ...open,
      ...rest(reading, open),
      ...(branch !== null && branches.has(branch) ? [] : waitsToLand(reading)),
    ];
    if (branch !== null) branches.add(branch);
    const own = found.map((words) => ({ ...words, runId, run, isLatest, uncommitted }));
    waiting.push(...(isLatest ? own : own.filter((words) => isStillOpen(words, waiting, done)).map(addressed)));
    for (const [id, { status }] of entriesOf(run.progress)) if (status === "complete") done.add(subjectOf(run, id));
  }
  return waiting;
}

/** The id of what is asked, by which an answer to a question names it. Null: nothing is. */
export function subjectIn(run: Run, { kind, about }: InboxWords): string | null {
  const gate = kind === "gate" ? gateOf(run) : null;
  if (gate !== null) return subjectId({ gate: gate.name, number: gate.number, tree: gate.tree });
  const held = heldIn(run, about);
  if (held !== null && kind !== "question") return subjectId({ feature: about, tree: held.tree });
  const asked = kind === "question" ? openQuestion(run, about === "run" ? null : about) : undefined;
  return asked === undefined ? null : subjectId(asked);
}

/** A run that is over takes no answer: of what it leaves, only a gap can still be asked for, as a new request. */
const answerable = (run: Run): InboxWords[] =>
  inboxWords(run).filter(({ kind }) => run.now.is !== "stopped" || kind === "gap");

/** An answer goes to the latest run unless another one is named. */
const addressed = (words: Waiting): Waiting => ({ ...words, next: addressedTo(words.runId, words.next) });

/** Two runs can have given one id to two features. */
const subjectOf = ({ contract }: Run, about: string): string =>
  `${about} ${contract.features.find(({ id }) => id === about)?.name ?? ""}`;

/**
 * From an earlier run, only what no later run has done, and of one that is over, what no later one asks for as well. A run that
 * rests waits for its own answer.
 */
function isStillOpen({ kind, about, run }: Waiting, later: readonly Waiting[], done: ReadonlySet<string>): boolean {
  if (kind === "rest")
    return unfinished(run).length === 0 || unfinished(run).some((id) => !done.has(subjectOf(run, id)));
  const subject = subjectOf(run, about);
  const supersedes = (other: Waiting): boolean =>
    other.about !== "run" && other.kind !== "gate" && subjectOf(other.run, other.about) === subject;
  return !done.has(subject) && (run.now.is !== "stopped" || !later.some(supersedes));
}

/** Kinds that an answer to them settles. */
const asking: ReadonlySet<InboxWords["kind"]> = new Set([
  "gate",
  "question",
  "unproved",
  "contradiction",
  "permission",
]);

/** A run that rests, or was interrupted, without anything to answer: it waits to be resumed or cancelled. */
function rest({ story, isDriven }: Reading, open: readonly InboxWords[]): InboxWords[] {
  const { state, why, next } = standingOf(story.run, isDriven);
  if (!["waits-for-you", "interrupted"].includes(state) || open.some(({ kind }) => asking.has(kind))) return [];
  return [{ about: "run", kind: "rest", what: why, rootCause: "", supposition: null, next }];
}

/** For a list: that a run rests need not be said next to what it rests for. */
export const withoutRests = (waiting: readonly Waiting[]): readonly Waiting[] =>
  waiting.filter(
    ({ kind, runId }) => kind !== "rest" || !waiting.some((other) => other.kind !== "rest" && other.runId === runId),
  );

function gate(run: Run): InboxWords[] {
  const [open, outcome] = [gateOf(run), outcomeOf(run)];
  if (open === null || outcome === null || leftAtGate(run) !== null) return [];
  const what = endSentence(run, outcome);
  const rootCause = "The contract asks for your approval before the run continues.";
  return [
    {
      about: open.name,
      kind: "gate",
      what,
      rootCause,
      supposition: null,
      next: nextCommand(outcome, run.contract),
    },
  ];
}
