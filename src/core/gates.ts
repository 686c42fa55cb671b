// Gates: where a person answers. An answer is about what was shown, and the first answer wins.
import { settleAudit } from "./audit.ts";
import type { GateName } from "./contract.ts";
import { Bug } from "./errors.ts";
import type { SignalEvent } from "./event.ts";
import type { FeatureId, TreeId } from "./ids.ts";
import type { InboxItem } from "./inbox.ts";
import type { Need } from "./need.ts";
import type { Gate } from "./outcome.ts";
import { sendBack } from "./reopen.ts";
import { noStreaks, type Phase, type Run } from "./run.ts";
import { rest, resume, startSession } from "./stop.ts";

type Shown = { readonly need: Need; readonly onward: Phase; readonly feature?: FeatureId };

/** Stops at the gate if the contract has it, and continues otherwise. */
export function atGate(run: Run, name: GateName, shown: Shown): Run {
  return run.contract.gates.includes(name) ? holdAt(run, name, shown) : resume(run, shown.onward);
}

/** Stops regardless of the contract: only a person can settle this. */
export function holdAt(run: Run, name: GateName, { need, onward, feature }: Shown): Run {
  if (run.head === null) throw new Bug("a gate shows a tree, and none is known yet");
  const { tree } = run.head;
  const gate: Gate = { name, number: numberOf(run, name, tree), tree, feature: feature ?? null };
  return rest({ ...run, shown: { ...run.shown, [name]: gate } }, { kind: "needs-person", need, gate }, onward);
}

/** The same tree can be shown again without a session in between: the checks refuse accepted work, or the end is rejected. */
function numberOf({ shown, spent }: Run, name: GateName, tree: TreeId): number {
  const last = shown[name];
  if (last === undefined) return spent.sessions;
  return Math.max(spent.sessions, last.tree === tree ? last.number + 1 : last.number);
}

export const gateOf = (run: Run): Gate | null => openGate(run)?.gate ?? null;

/** The gate that a run rests at, and what follows it. */
type Open = { readonly gate: Gate; readonly onward: Phase };

function openGate({ now }: Run): Open | null {
  if (now.is !== "resting" || now.outcome.kind !== "needs-person" || now.outcome.gate === undefined) return null;
  return { gate: now.outcome.gate, onward: now.resume };
}

const answerable: ReadonlySet<InboxItem["kind"]> = new Set(["question", "unproved", "contradiction", "permission"]);

/** What the iteration at the open gate has left for the person. Its answer is the answer to the gate, too. */
export function leftAtGate(run: Run): InboxItem | null {
  const gate = gateOf(run);
  if (gate?.name !== "G2") return null;
  return run.inbox.find(({ kind, feature }) => feature === gate.feature && answerable.has(kind)) ?? null;
}

/** `answer`: a change of the run by a person's answer or decision. */
export const passedBy =
  <Event>(answer: (run: Run, event: Event) => Run) =>
  (run: Run, event: Event): Run => {
    const open = openGate(run);
    const after = answer(run, event);
    const isLeft = leftAtGate(run) !== null && leftAtGate(after) === null;
    return open !== null && isLeft ? resume(lookedAt(after), open.onward) : after;
  };

type Answer = Pick<Extract<SignalEvent, { type: "approved" }>, "gate" | "number" | "tree">;

/** Null if the answer is about something other than what is shown. */
function shownTo(run: Run, { gate, number, tree }: Answer): Open | null {
  const open = openGate(run);
  const isIt = open?.gate.name === gate && open.gate.number === number && open.gate.tree === tree;
  return isIt ? open : null;
}

export function approved(run: Run, event: Extract<SignalEvent, { type: "approved" }>): Run {
  const open = shownTo(run, event);
  if (open === null) return run;
  const looked = lookedAt(run);
  const ungated = event.always === true ? { ...looked, contract: { ...looked.contract, gates: [] } } : looked;
  return resume(ungated, open.onward);
}

export function rejected(run: Run, event: Extract<SignalEvent, { type: "rejected" }>): Run {
  const open = shownTo(run, event);
  if (open === null) return run;
  const looked = lookedAt(run);
  if (open.gate.name === "G1") return notAgreed(looked, open, event.reason);
  // Commits stay: the feature is reworked on top of them.
  if (open.gate.feature !== null)
    return resume(sendBack(looked, open.gate.feature, event.reason, { criteriaMet: [] }), { is: "between" });
  const gap = { id: "P1", blocking: true, text: event.reason, evidence: [], by: "person" } as const;
  return settleAudit(looked, { gaps: [gap], revised: event.reason });
}

/** A person has looked, so streaks from before that no longer count. */
const lookedAt = (run: Run): Run => ({ ...run, asked: null, streaks: { ...noStreaks, met: run.streaks.met } });

/** With a planner, the reason goes to the planner; without one, only a person can write another contract. */
function notAgreed(run: Run, { gate, onward }: Open, reason: string): Run {
  if (run.contract.stages.includes("plan")) {
    const findings = [{ id: "P1", blocking: true, text: reason }];
    return startSession(run, { role: "planner", work: null, candidate: null, pair: { round: 1, findings } });
  }
  return rest(run, { kind: "needs-person", need: { about: "contract-rejected", reason }, gate }, onward);
}
