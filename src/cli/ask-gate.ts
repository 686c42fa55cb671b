// Asks the person at the terminal, and stops asking when the answer comes from elsewhere.
import { createInterface } from "node:readline/promises";
import type { GateName } from "../core/contract.ts";
import { gateOf, leftAtGate } from "../core/gates.ts";
import { atWorktree } from "../engines/overview.ts";
import { overview } from "../report/overview.ts";
import type { Story } from "../report/story.ts";
import type { SignalFact } from "../runtime/ports.ts";
import { canAsk, keyIn, type Question, questionText, typeOne } from "./ask.ts";
import type { Context } from "./context.ts";
import { columnsOf } from "./render/columns.ts";
import { gateText } from "./render/gate.ts";
import { wrapped } from "./render/wrap.ts";
import { printable } from "./terminal.ts";

/** A prompt must never block a script: it appears only if a person can see and answer it. */
export const canAnswer = ({ json, quiet }: Context): boolean => !json && !quiet && canAsk();

export type Asked = (stop: AbortSignal) => Promise<SignalFact | null>;

/** What to ask now; null: there is nothing to answer. */
export function questionFor(story: Story, { engine, paint }: Context): Asked | null {
  const gate = gateOf(story.run);
  const left = leftAtGate(story.run);
  if (gate !== null && left?.kind !== "question") {
    const shown = { gate: gate.name, number: gate.number, tree: gate.tree };
    return async (stop) => {
      const { worktree } = await engine.read(story.chronicle.run);
      const run = overview(story, { isDriven: true, ...atWorktree(worktree) });
      process.stderr.write(printable(`\n${gateText(run, gate, paint)}\n`));
      for (;;) {
        const offered = choices(story, gate.name);
        const said = await line({ text: paint.bold("Approve?"), choices: offered, otherwise: "" }, stop);
        sayElsewhere(stop);
        const key = said === null ? "l" : keyIn(offered, said);
        if (key === "l") return null;
        if (key === "y") return { type: "approved", ...shown };
        if (key === "a") return { type: "approved", ...shown, always: true };
        if (key === null) {
          process.stderr.write(`  ${typeOne(offered)}\n`);
          continue;
        }
        const reason = await line({ text: "Why not?", otherwise: "" }, stop);
        if (reason === null) return null;
        if (reason !== "") return { type: "rejected", ...shown, reason };
      }
    };
  }
  const { now, inbox, contract } = story.run;
  // It was begun to ask nobody: the question is in the inbox.
  if (gate === null && contract.fullAutoAnswers) return null;
  const question = left?.kind === "question" ? left : inbox.find((item) => item.kind === "question");
  if (question === undefined || now.is !== "resting" || now.outcome.kind !== "needs-person") return null;
  return async (stop) => {
    const supposes = question.supposition === "" ? "" : `\n  The agent supposes: ${question.supposition}`;
    process.stderr.write(
      printable(`\n${paint.bold(`${question.feature ?? "The plan"} asks`)}: ${question.question}${supposes}\n`),
    );
    const said = await line({ text: "Your answer? Enter alone leaves it for later.", otherwise: "" }, stop);
    sayElsewhere(stop);
    if (said === null || said === "") return null;
    return { type: "answered", feature: question.feature, question: question.question, answer: said, source: "person" };
  };
}

const elsewhere: Readonly<Record<string, string>> = {
  approved: "Approved from elsewhere.",
  rejected: "Rejected from elsewhere.",
  answered: "Answered from elsewhere.",
};

/** The question stands there open: what has become of it? The signal's reason is the event that has closed it. */
function sayElsewhere({ aborted, reason }: AbortSignal): void {
  if (aborted) process.stderr.write(`  ${elsewhere[String(reason)] ?? "Answered from elsewhere."}\n`);
}

/** Where this is the last question, there is nothing to ask again. */
const choices = ({ run }: Story, gate: GateName): readonly string[] =>
  gate === "G3" || run.contract.gates.every((name) => name === gate && name !== "G2")
    ? ["[y]es", "[n]o", "[l]ater"]
    : ["[y]es", "[a]lways in this run", "[n]o", "[l]ater"];

/** Null: the input ended, Ctrl-C was pressed, or the answer is no longer needed. */
async function line(question: Question, stop: AbortSignal): Promise<string | null> {
  const screen = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  screen.once("SIGINT", () => ended.abort());
  screen.once("close", () => ended.abort());
  try {
    return (
      await screen.question(wrapped(questionText(question), columnsOf(process.stderr)), {
        signal: AbortSignal.any([stop, ended.signal]),
      })
    ).trim();
  } catch {
    process.stderr.write("\n");
    return null;
  } finally {
    screen.close();
  }
}
