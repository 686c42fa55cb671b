// Everything in a workspace that waits for a person: what the latest run says, and what earlier runs still hold.
import { gateOf } from "../../core/gates.ts";
import type { Run } from "../../core/run.ts";
import { type InboxWords, inboxWords } from "../../runtime/records/inbox-words.ts";
import { nextCommand, outcomeOf, outcomeSentence } from "../../runtime/records/words.ts";
import { listRuns } from "./list-runs.ts";
import { readStory } from "./read-story.ts";

export type Waiting = InboxWords & { readonly runId: string; readonly run: Run; readonly isLatest: boolean };

const runsMax = 50;

/** `named`: of that run alone. */
export function everythingWaiting(root: string, named: string | undefined): Waiting[] {
  const runs = named === undefined ? listRuns(root).slice(0, runsMax) : [named];
  const waiting: Waiting[] = [];
  runs.forEach((runId, at) => {
    const { run } = readStory(root, runId);
    const isLatest = at === 0;
    if (!isLatest && run.now.is === "stopped") return;
    const own = [...gate(run), ...inboxWords(run)].map((words) => ({ ...words, runId, run, isLatest }));
    waiting.push(...(isLatest ? own : own.filter((words) => isStillOpen(words, waiting))));
  });
  return waiting;
}

const decidable: readonly Waiting["kind"][] = ["gate", "unproved", "contradiction", "permission", "question"];

/** Of an earlier run only what an answer could still be given to, and what no later run says otherwise. */
const isStillOpen = ({ kind, about }: Waiting, later: readonly Waiting[]): boolean =>
  decidable.includes(kind) && !later.some((other) => other.about === about && other.about !== "run");

function gate(run: Run): InboxWords[] {
  const [open, outcome] = [gateOf(run), outcomeOf(run)];
  if (open === null || outcome === null) return [];
  const what = outcomeSentence(outcome);
  const rootCause = "The contract says that you agree before it goes on.";
  return [{ about: open.name, kind: "gate", what, rootCause, supposition: null, next: nextCommand(outcome) }];
}
