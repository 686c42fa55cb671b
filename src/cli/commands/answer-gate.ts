// loop approve, reject, answer, accept, allow: a person's answer to a run that waits for them. The first answer wins.
import { UserError } from "../../core/errors.ts";
import { gateOf } from "../../core/gates.ts";
import type { InboxItem } from "../../core/inbox.ts";
import type { Gate } from "../../core/outcome.ts";
import type { Run } from "../../core/run.ts";
import { type Decision, decisionOn, runHolding } from "../../engines/local/held-work.ts";
import { readStory } from "../../engines/local/read-story.ts";
import { openRun } from "../../engines/local/runs.ts";
import { post } from "../../engines/local/signals.ts";
import { sleep } from "../../host/process/wait.ts";
import { runDir } from "../../project/home.ts";
import { refuseInside } from "../../project/inside-run.ts";
import { latestRun } from "../../project/list-runs.ts";
import { whoDrives } from "../../project/who-drives.ts";
import type { SignalFact } from "../../runtime/ports.ts";
import { personHere } from "../../workspace/git/person.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { driveAndReport } from "../drive-run.ts";

export type AnswerFlags = GlobalFlags & { tree?: string; continue?: boolean; wait?: boolean };

export async function approve(flags: AnswerFlags): Promise<number> {
  return say(flags, (run) => ({ type: "approved", ...shownAt(run, flags) }), "Approved");
}

/** With a feature: rejects its held work. Without: rejects the open gate. */
export async function reject(feature: string | undefined, flags: AnswerFlags & { reason?: string }): Promise<number> {
  const reason = (flags.reason ?? "").trim();
  if (feature !== undefined) return decide(feature, { how: "reject", reason }, flags);
  if (reason === "")
    throw new UserError(
      "no-reason",
      {
        what: "Nothing was rejected.",
        why: "There is no reason, and it is what the next try works from.",
        next: 'loop reject --reason "…"; to reject held work: loop reject FEATURE',
      },
      { exitCode: 64 },
    );
  return say(flags, (run) => ({ type: "rejected", ...shownAt(run, flags), reason }), "Rejected");
}

/** Accepts, allows or rejects work that waits for a person. */
export async function decide(feature: string, decision: Decision, flags: AnswerFlags): Promise<number> {
  const { root } = contextOf(flags);
  const by = await personHere(root);
  const run = runHolding(root, feature, flags.run);
  const done = { accept: "Accepted", allow: "Allowed", reject: "Rejected" }[decision.how];
  return say({ ...flags, run }, (state) => decisionOn(state, feature, by, decision), `${done}: ${feature}`);
}

export async function answer(words: readonly string[], flags: AnswerFlags): Promise<number> {
  return say(flags, (run) => answerTo(run, words), "Answered");
}

function shownAt(run: Run, { tree }: AnswerFlags): { gate: Gate["name"]; number: number; tree: Gate["tree"] } {
  const gate = gateOf(run);
  if (gate === null)
    throw new UserError("no-gate", {
      what: "There is nothing to answer.",
      why: "The run does not wait at a gate.",
      next: "loop status",
    });
  if (tree !== undefined && (tree.length < 7 || !gate.tree.startsWith(tree)))
    throw new UserError("other-tree", {
      what: "Nothing was answered.",
      why: `The gate ${gate.name} shows the tree ${gate.tree.slice(0, 10)}, and the answer is about ${tree}.`,
      next: "loop status",
    });
  return { gate: gate.name, number: gate.number, tree: gate.tree };
}

/** If only one question is open, its feature need not be named. */
function answerTo({ inbox }: Run, words: readonly string[]): SignalFact {
  const open = inbox.filter(({ kind }) => kind === "question");
  const named = open.find(({ feature }) => feature !== null && feature === words[0]);
  const [only] = open;
  if (open.length === 0 || only === undefined)
    throw new UserError("no-question", {
      what: "Nothing was answered.",
      why: "No question is open.",
      next: "loop inbox",
    });
  if (named === undefined && open.length > 1)
    throw new UserError(
      "which-question",
      {
        what: "Nothing was answered.",
        why: `${open.length} questions are open: ${open.map(nameOf).join(", ")}.`,
        next: `loop answer ${nameOf(only)} "…"`,
      },
      { exitCode: 64 },
    );
  const text = (named === undefined ? words : words.slice(1)).join(" ").trim();
  if (text === "")
    throw new UserError(
      "no-answer",
      { what: "Nothing was answered.", why: "The answer is empty.", next: `loop answer ${nameOf(named ?? only)} "…"` },
      { exitCode: 64 },
    );
  return { type: "answered", feature: (named ?? only).feature, answer: text, source: "person" };
}

const nameOf = ({ feature }: InboxItem): string => feature ?? "plan";

async function say(flags: AnswerFlags, factFor: (run: Run) => SignalFact, done: string): Promise<number> {
  const context = contextOf(flags);
  const run = latestRun(context.root, flags.run);
  refuseInside(run);
  const fact = factFor(readStory(context.root, run).run);
  if ((await whoDrives(context.root)) !== null) return tell(context, run, fact, done);
  const held = await openRun(context.root, run);
  try {
    // Checked again now that we hold the lock: it may have been answered since it was shown.
    await held.run.record(factFor(held.run.story.run));
    // An answer to a gate resumes the run by itself. After any other answer it still rests, so resume it here.
    const { run: now } = held.run.story;
    if (now.now.is === "resting" && gateOf(now) === null && flags.continue !== false)
      await held.run.record({ type: "continued", limits: {}, retry: false });
  } catch (error) {
    await held.close();
    throw error;
  }
  if (flags.continue === false) {
    await held.close();
    context.answer(`${done}. Next: loop continue\n`);
    return 0;
  }
  return driveAndReport(held, context, { wait: flags.wait !== false });
}

const patienceMs = 10_000;

/** What any answer can change: the phase, the inbox, the decisions. */
const shownBy = ({ now, inbox, decisions }: Run): string => JSON.stringify([now, inbox, decisions.length]);

/** Another process drives the run: this leaves the answer for it, and waits until it was taken. */
async function tell(context: Context, run: string, fact: SignalFact, done: string): Promise<number> {
  const before = shownBy(readStory(context.root, run).run);
  post(runDir(vaultDirFor(context.root), run), fact);
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(100)) {
    const { run: after } = readStory(context.root, run);
    if (shownBy(after) === before) continue;
    context.answer(`${done}. The process that drives the run takes it from here.\n`);
    return 0;
  }
  context.answer(`${done}. It will be taken up as soon as the run looks.\n`);
  return 0;
}
