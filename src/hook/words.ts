// What the hook says, to the agent and to the person. Pure.
import { isAssumed, withoutRequired } from "../core/verification.ts";
import { afterIteration, complete, paused, starting, statusBlock, verdictBox } from "../formats/reply/hope-forms.ts";
import { untestable } from "../proof/rules/must-not.ts";
import { acceptedWords, statusOf } from "./criteria.ts";
import type { Breaker, Unmet } from "./decide.ts";
import type { Hold } from "./hold.ts";
import { actionFor, announced, ended, firstLine, isOpen, isWord, stepsOf } from "./steps.ts";

/** The reply to the CLI. Null: nothing, the session may end. */
export type Answer = { readonly block: string } | { readonly tell: string } | null;

export function answerText(answer: Answer): string {
  if (answer === null) return "";
  const json = "block" in answer ? { decision: "block", reason: answer.block } : { systemMessage: answer.tell };
  return `${JSON.stringify(json)}\n`;
}

/** In a terminal, where they exist whether the hooks were installed or come with the plugin. */
const commands = { resume: "loop hook continue", release: "loop hook release", accept: "loop hook accept" } as const;
const typed = (command: keyof typeof commands): string =>
  `${commands[command]} in a terminal (with the plugin, /loopwright:loop-${commands[command].slice("loop hook ".length)} here)`;

const wayOut = `A person ends this with ${typed("release")}.`;

/** The block that an agent ends its message with, shown ready to copy. */
const finalBlock = (criteria: readonly string[]): string =>
  statusBlock({
    exitSignal: true,
    criteria: statusOf(criteria, (criterion) => !isAssumed(criterion)),
    stuckCount: 0,
    next: "none",
  });

/** How it stands after an iteration: what the agent has ticked, and how often the same was unmet. */
function statusNow({ criteria, progress }: Hold, unmet: readonly Unmet[]): string {
  return statusBlock({
    exitSignal: false,
    criteria: statusOf(criteria, (criterion) => !isOpen(criterion, unmet)),
    stuckCount: progress.times,
    next: actionFor(unmet),
  });
}

/** The contract, shown once when the hold begins. */
export function contractText(hold: Hold): string {
  const { request, criteria, checks, iterationsMax, scope } = hold;
  const ticks =
    criteria.length === 0
      ? []
      : [
          "Criteria, each of which you tick only when you have seen it met, and in the way that it names:",
          ...criteria.map(
            (criterion) => `- ${criterion}${isAssumed(criterion) ? ", which only the person can say" : ""}`,
          ),
        ];
  const unseen = untestable(scope.mustNot);
  const forbidden =
    scope.mustNot.length === 0
      ? []
      : [
          "What must not become true; if it does, the session is let go at once, not met:",
          ...scope.mustNot.map((text) => `- ${text}${unseen.includes(text) ? ` (${watched})` : ""}`),
        ];
  return [
    announcement(hold),
    announced(
      hold,
      1,
      stepsOf(
        hold,
        hold.criteria.map((name) => ({ key: `criterion:${withoutRequired(name)}`, text: "" })),
      ).now,
    ),
    "Loopwright holds this session: it may end when both of these are true.",
    `1. Loopwright itself finds the checks green on a clean checkout of your work: ${checks.map(({ name, run }) => `${name} (${run})`).join(", ")}. Tests and configuration that were there are protected: they are run as they were, so changing or deleting them does not help. Add tests of your own: unless a check that is red now turns green, a new test has to fail on the code as it is now, and the tests have to notice when your change is taken back.`,
    "2. You say so yourself, at the end of your message, in this block and in no other way:",
    finalBlock(criteria),
    "",
    `The request: ${request}`,
    ...ticks,
    ...forbidden,
    ...(hold.owesObjections ? [objectionsOwed] : []),
    "",
    `You have ${iterationsMax} iterations. When you cannot go on without the person, end with the same block with EXIT_SIGNAL: false and a line QUESTION: and what you need.`,
    `How it stands is in .loop/hook/state.json, which is not yours to edit. ${wayOut}`,
  ].join("\n");
}

const watched = "Loopwright has no rule for it: if it does, say so with QUESTION:";

const workflows = { build: "A", debug: "B", refactor: "C" } as const;

/** The first line of a loop, with what was found in the request and its workspace. */
function announcement(hold: Hold): string {
  const { shape, score, workflow } = hold.intake;
  return starting({
    shape: shape === "tool" ? "Tool" : shape === "colleague" ? "Colleague" : "Intent",
    score,
    workflow: workflows[workflow],
    steps: stepsOf(hold, []).total,
    budget: count(hold.iterationsMax, "iteration"),
  });
}

/** No second agent is started for a person's own session: it argues itself, and the person decides. */
export const objectionsOwed =
  "This is of type 1: undoing it would take hours. Before you change anything, argue against it: what would be lost, who relies on it, how it would be taken back. Then end your message with EXIT_SIGNAL: false and QUESTION: with the strongest objections. The session cannot be met before the person has had them.";

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? "" : "s"}`;

export function blockText(hold: Hold, unmet: readonly Unmet[]): string {
  const { iteration } = hold.progress;
  const isDone = unmet.every(({ key }) => isWord(key));
  return [
    ended(hold, unmet),
    `Not yet: iteration ${iteration} of ${hold.iterationsMax} ended with ${unmet.length === 1 ? "this" : `these ${unmet.length}`} unmet.`,
    ...unmet.map(({ text }, index) => `${index + 1}. ${text}`),
    "",
    isDone
      ? "The work is proved. If everything that was asked is done, end your message with:"
      : "Go on with the work. When everything is met, end your message with:",
    finalBlock(hold.criteria),
    wayOut,
    "",
    "How it stands:",
    statusNow(hold, unmet),
    "",
    announced(hold, iteration + 1, stepsOf(hold, unmet).now),
  ].join("\n");
}

/** `acceptedBy`: who has accepted what was to be assumed; null: nothing was. */
export function metText(hold: Hold, tree: string, acceptedBy: string | null = null): string {
  const { request, checks, criteria, scope, progress, intake } = hold;
  const names = checks.map(({ name }) => name).join(", ");
  const tries = progress.iteration + 1;
  const shown = [...criteria.map(withoutRequired), ...checks.map(({ name }) => `${name} is green`)];
  const bySession = acceptedBy === null ? criteria : criteria.filter((criterion) => !isAssumed(criterion));
  const said = [...bySession.map(withoutRequired), ...untestable(scope.mustNot).map((text) => `not ${text}`)];
  const box = verdictBox({
    // What was asked for is met by the session's word alone: no evaluator has judged it.
    verdict: "MONITOR",
    verified: ["execution output", ...(acceptedBy === null ? [] : [acceptedWords(acceptedBy)])],
    met: checks.length + (acceptedBy === null ? 0 : criteria.filter(isAssumed).length),
    criteria: shown.length,
    reversibility: intake.reversibility,
    score: intake.score,
    alternative:
      progress.iteration === 0 ? "none was tried" : `${count(progress.iteration, "earlier iteration")} unmet`,
    risk: `said by the session itself: ${said.length === 0 ? "that the request is met" : said.join("; ")}`,
  });
  const { total, now } = stepsOf(hold, []);
  const status = statusBlock({
    exitSignal: true,
    criteria: statusOf(criteria, () => true, acceptedBy),
    stuckCount: 0,
    next: "none",
  });
  return `${afterIteration({ step: now, done: total, total, next: "none" })}\n\n${status}\n\n${complete(shown)}\n\n${box}\n\nLoopwright: met. ${names} green on a clean checkout (tree ${tree.slice(0, 10)}), with the protected files as they were, too, and not without the change, after ${tries} ${tries === 1 ? "iteration" : "iterations"}: ${firstLine(request)}`;
}

const nextFor: Record<Breaker, string> = {
  "must-not": `Next: look at the work, take back what is forbidden, then ${typed("resume")}`,
  iterations: `Next: look at the work, then ${typed("resume")}`,
  "same-failure": `Next: help with what is unmet, then ${typed("resume")}`,
  "nothing-changed": `Next: say what is missing, then ${typed("resume")}`,
  "block-cap": `Next: ${typed("resume")}, or raise CLAUDE_CODE_STOP_HOOK_BLOCK_CAP`,
};

export function brokenOffText(why: string, breaker: Breaker, unmet: readonly Unmet[], hold: Hold): string {
  const { done, total } = stepsOf(hold, unmet);
  return [
    ended(hold, unmet),
    "",
    statusNow(hold, unmet),
    "",
    paused({ reason: why, done, left: total - done, resume: commands.resume }),
    `Loopwright: NOT MET, and the session was let go. ${why}`,
    ...unmet.slice(0, 10).map(({ text }) => `- ${firstLine(text)}`),
    nextFor[breaker],
  ].join("\n");
}

export const asksText = (question: string): string =>
  `Loopwright: not met yet; the agent asks you: ${question}\nAnswer it, and the hold goes on.`;

/** What a person is told who begins a hold in a terminal. The session has it in its own words. */
export function termsText(hold: Hold): string {
  const { request, criteria, checks, iterationsMax, scope } = hold;
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [title, ...items.map((text) => `- ${text}`)];
  return [
    `Request: ${request}`,
    "The session may end when both of these are true:",
    `- the work is proved on a clean checkout, with these checks green: ${checks.map(({ name, run }) => `${name} (${run})`).join(", ")}`,
    `- it says itself that it is done${criteria.length === 0 ? "" : ", and that each criterion is met"}`,
    ...list("Criteria:", criteria),
    ...list("It is let go at once if one of these becomes true:", scope.mustNot),
    `It may try ${iterationsMax} times. Then it is let go, and you are told that it is not met.`,
    "Next: loop hook status shows how it stands; loop hook release ends the hold.",
  ].join("\n");
}

export const assumesText = (criteria: readonly string[]): string =>
  `Loopwright: everything else is met, and the contract leaves this for you to say: ${criteria.join("; ")}\nIf it is met, say so with ${typed("accept")}, and the hold ends as met; if not, say what is missing, and the hold goes on.`;

export function statusText(hold: Hold, session: string | null): string {
  const { request, progress, iterationsMax, checks, stops } = hold;
  const rows = [
    ["request", firstLine(request)],
    ["session", session ?? "none yet: the first one here takes it"],
    ["iteration", `${progress.iteration} of ${iterationsMax} ended unmet`],
    ["checks", checks.map(({ name, run }) => `${name} (${run})`).join(", ")],
    ...(stops.at(-1)?.unmet ?? []).map((text) => ["unmet", text]),
    ["next", hold.assumes === null ? "loop hook release ends the hold" : "loop hook accept, if that is met"],
  ];
  return rows.map(([name, text]) => `${(name ?? "").padEnd(10)}${text}`).join("\n");
}
