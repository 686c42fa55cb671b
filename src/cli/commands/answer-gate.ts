// loop approve, reject, answer, accept, allow: a person's answer to a run that waits for them. The first answer wins.
import { UserError } from "../../core/errors.ts";
import { gateOf } from "../../core/gates.ts";
import type { InboxItem } from "../../core/inbox.ts";
import type { Gate } from "../../core/outcome.ts";
import type { Run } from "../../core/run.ts";
import type { Reading } from "../../engines/engine.ts";
import { isDrivenElsewhere, refuseSecond } from "../../engines/first-answer.ts";
import { type Decision, decisionOn, heldIn, runHolding } from "../../engines/held-work.ts";
import { findRunThat, isOver } from "../../engines/watch.ts";
import { refuseInside } from "../../project/agents/inside-run.ts";
import type { Story } from "../../report/story.ts";
import { heldDiff } from "../../runtime/held-diff.ts";
import type { SignalFact } from "../../runtime/ports.ts";
import { personHere } from "../../workspace/git/repository/person.ts";
import { ask, choose } from "../ask.ts";
import { canAnswer } from "../ask-gate.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { driveAndReport } from "../drive-run.ts";

export type AnswerFlags = GlobalFlags & { tree?: string; continue?: boolean; wait?: boolean; yes?: boolean };

export async function approve(flags: AnswerFlags & { always?: boolean }): Promise<number> {
  const always = flags.always === true ? ({ always: true } as const) : {};
  return say(flags, hasGate, (story) => ({ type: "approved", ...shownAt(open(story), flags), ...always }), "Approved");
}

/** With a feature: rejects its held work. Without: rejects the open gate. */
export async function reject(feature: string | undefined, flags: AnswerFlags & { reason?: string }): Promise<number> {
  const reason = (flags.reason ?? "").trim();
  if (feature !== undefined)
    return decide(feature, { how: "reject", reason: reason || (await reasonFor(feature, flags)) }, flags);
  const rejected = (story: Story): SignalFact => {
    const gate = shownAt(open(story), flags);
    if (reason === "")
      throw noReason('loop reject --reason "…"; to reject held work: loop reject FEATURE --reason "…"');
    return { type: "rejected", ...gate, reason };
  };
  return say(flags, hasGate, rejected, "Rejected");
}

/** Asked for at a terminal, if there is work to reject. */
async function reasonFor(feature: string, flags: AnswerFlags): Promise<string> {
  const context = contextOf(flags);
  const run = await runHolding(context.engine, feature, flags.run);
  refuseInside(run);
  const { story } = await context.engine.read(run);
  decisionOn(story.run, feature, "", { how: "reject", reason: "" }); // Throws if there is nothing to reject.
  const next = `loop reject ${feature} --reason "…"`;
  if (!canAnswer(context)) throw noReason(next);
  const text = `Why is ${feature} rejected? The next attempt works from the reason.`;
  const wrong = (answer: string): string | null => (answer === "" ? "Type a reason, or press Ctrl-C." : null);
  const unanswered = { what: "Nothing was rejected.", why: "The question was not answered.", next };
  const [reason = ""] = await ask([{ text, otherwise: "", wrong }], unanswered);
  return reason;
}

const noReason = (next: string): UserError =>
  new UserError("no-reason", {
    what: "Nothing was rejected.",
    why: "There is no reason, and it is what the next try works from.",
    next,
  });

/** Accepts, allows or rejects work that waits for a person. */
export async function decide(feature: string, decision: Decision, flags: AnswerFlags): Promise<number> {
  const { root, engine } = contextOf(flags);
  const by = await personHere(root);
  const run = await runHolding(engine, feature, flags.run);
  const reading = await engine.read(run);
  decisionOn(reading.story.run, feature, by, decision); // Refused before anyone is asked to pay for it.
  const became = decision.how === "reject" ? await keptOf(reading, feature) : "";
  const done = { accept: "Accepted", allow: "Allowed", reject: "Rejected" }[decision.how];
  const isTriedAgain = decision.how === "reject" && decision.reason !== "";
  const isLater = isTriedAgain && flags.continue !== false && !(await startsNow(run, feature, flags));
  return say(
    { ...flags, run, ...(isLater ? { continue: false } : {}) },
    () => true,
    ({ run: state }) => decisionOn(state, feature, by, decision),
    `${done}: ${feature}`,
    became,
  );
}

/** Rejected work is tried again, which costs a session: a person at a terminal says when. */
async function startsNow(run: string, feature: string, flags: AnswerFlags): Promise<boolean> {
  const context = contextOf(flags);
  const what = `${feature} is tried again from your reason, in a new session that is paid for.`;
  if (flags.yes === true || !canAnswer(context) || (await context.engine.read(run)).isDriven) {
    context.comment(`${what} To only record it: --no-continue. To drop the run: loop cancel\n`);
    return true;
  }
  const text = `${what}\nStart it now?`;
  const choices = ["[y]es", "[n]o, only record the answer"];
  return (await choose({ text, choices, otherwise: "y" })) === "y";
}

/** What becomes of rejected work. */
async function keptOf({ story, file, pathOf }: Reading, feature: string): Promise<string> {
  const held = heldIn(story.run, feature);
  if (held === null) return "";
  const name = heldDiff(feature);
  const gone = held.branch == null ? "" : ` The branch ${held.branch} is removed.`;
  const isKept = pathOf !== undefined && ((await file(name)) ?? "") !== "";
  const kept = isKept ? ` The diff is kept: ${pathOf(name)}` : "";
  return `${feature} is rejected.${gone}${kept}\n`;
}

export async function answer(words: readonly string[], flags: AnswerFlags): Promise<number> {
  return say(flags, hasQuestion, (story) => answerTo(open(story), words), "Answered");
}

/** A run that is over takes no answer. */
function open(story: Story): Run {
  if (story.run.now.is === "stopped") throw isOver(story, "Nothing was answered.");
  return story.run;
}

function shownAt(run: Run, { tree }: AnswerFlags): { gate: Gate["name"]; number: number; tree: Gate["tree"] } {
  const gate = gateOf(run);
  if (gate === null)
    throw new UserError("no-gate", {
      what: "There is nothing to answer.",
      why: "The run does not wait at a gate.",
      next: "loop inbox shows what waits for you, loop status where the run is",
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
function answerTo({ inbox, contract }: Run, words: readonly string[]): SignalFact {
  const open = inbox.filter((item) => item.kind === "question");
  const named = open.find(({ feature }) => feature !== null && feature === words[0]);
  const [only] = open;
  if (open.length === 0 || only === undefined)
    throw new UserError("no-question", {
      what: "Nothing was answered.",
      why: "No question is open.",
      next: "loop inbox",
    });
  const isId = contract.features.some(({ id }) => id === words[0]) || /^[A-Z]{1,4}\d{2,}$/.test(words[0] ?? "");
  if (named === undefined && words.length > 1 && isId)
    throw new UserError("no-question", {
      what: "Nothing was answered.",
      why: `No question is open about ${words[0]}; ${open.map(nameOf).join(", ")} has one.`,
      next: `loop answer ${nameOf(only)} "…"`,
    });
  if (named === undefined && open.length > 1)
    throw new UserError("which-question", {
      what: "Nothing was answered.",
      why: `${open.length} questions are open: ${open.map(nameOf).join(", ")}.`,
      next: `loop answer ${nameOf(only)} "…"`,
    });
  const text = (named === undefined ? words : words.slice(1)).join(" ").trim();
  if (text === "")
    throw new UserError("no-answer", {
      what: "Nothing was answered.",
      why: "The answer is empty.",
      next: `loop answer ${nameOf(named ?? only)} "…"`,
    });
  const { feature, question } = named ?? only;
  return { type: "answered", feature, question, answer: text, source: "person" };
}

const nameOf = ({ feature }: InboxItem): string => feature ?? "plan";

const hasGate = (run: Run): boolean => gateOf(run) !== null;
const hasQuestion = ({ inbox, now }: Run): boolean =>
  now.is !== "stopped" && inbox.some(({ kind }) => kind === "question");

async function say(
  flags: AnswerFlags,
  isMeant: (run: Run) => boolean,
  factFor: (story: Story) => SignalFact,
  done: string,
  became = "",
): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const run = await findRunThat(engine, flags.run, isMeant);
  refuseInside(run);
  const { story, seq } = await engine.read(run);
  const fact = factFor(story);
  const leave = (): void => {
    process.stderr.write(`\n${done}. The run was not resumed. Next: loop continue\n`);
    process.exit(130);
  };
  const receipt = await engine.send(run, fact);
  await refuseSecond(engine, run, seq, fact, receipt);
  const { driver, taken } = receipt;
  context.comment(became);
  process.once("SIGINT", leave);
  const handedOn = (): number => {
    context.answer(
      taken
        ? `${done}. The process that drives the run takes it from here. Next: loop watch\n`
        : `${done}. The process that drives the run is busy and takes it later. Next: loop watch\n`,
    );
    return 0;
  };
  if (driver !== "none") return handedOn();
  if (flags.continue === false) {
    context.answer(`${done}. Next: loop continue\n`);
    return 0;
  }
  const terms = { wait: flags.wait !== false, attended: canAnswer(context) };
  try {
    const { from } = await engine.send(run, { type: "resume", terms });
    process.off("SIGINT", leave);
    return await driveAndReport({ run, from }, context, { ...terms, isResumed: true });
  } catch (error) {
    if (await isDrivenElsewhere(engine, run, error)) return handedOn();
    throw error;
  }
}
