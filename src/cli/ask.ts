// Asks a person in a terminal, one line at a time. Questions are commentary: stderr.
import { createInterface } from "node:readline/promises";
import { UserError } from "../core/errors.ts";
import { visibleText } from "../formats/visible-text.ts";
import { columnsOf } from "./render/columns.ts";
import { wrapped } from "./render/wrap.ts";
import { printable } from "./terminal.ts";

export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

export type Question = {
  readonly text: string;
  /** The answer for Enter alone. */
  readonly otherwise: string;
  /** Already typed, to be changed. */
  readonly begun?: string;
  /** What is wrong with an answer; null: nothing. */
  readonly wrong?: (answer: string) => string | null;
};

/** The answers, in order. Ctrl-C and Ctrl-D abort before anything has happened. */
export async function ask(questions: readonly Question[], unanswered = notAnswered): Promise<string[]> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  const gone = new Promise<never>((_, reject) => {
    lines.once("close", () => reject(new UserError("not-answered", unanswered, { exitCode: 130 })));
  });
  // Only awaited while a question is open.
  gone.catch(() => {});
  lines.on("SIGINT", () => lines.close());
  try {
    const answers: string[] = [];
    for (const question of questions)
      answers.push(
        await answerTo(question, (text) => {
          const answer = lines.question(text);
          if (question.begun !== undefined) lines.write(question.begun);
          return Promise.race([answer, gone]);
        }),
      );
    return answers;
  } catch (error) {
    // The cursor is still on the question's line.
    process.stderr.write("\n");
    throw error;
  } finally {
    lines.close();
  }
}

const quietMs = 30;

/** Drops what was typed before the question was shown: an answer must not come before its question. */
export async function dropTyped(): Promise<void> {
  const { stdin } = process;
  const drop = (typed: Buffer): void => {
    if (typed.includes(3)) process.kill(process.pid, "SIGINT");
  };
  // Only in raw mode is half a line readable.
  stdin.setRawMode(true);
  stdin.on("data", drop).resume();
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  stdin.off("data", drop).pause();
  stdin.setRawMode(false);
}

export const notBegun = {
  what: "Nothing was started.",
  why: "The question was not answered.",
  next: 'loop run --yes "…" starts without asking',
};

const notAnswered = {
  what: "Nothing was written.",
  why: "The question was not answered.",
  next: "loop init, or loop init --yes for the defaults",
};

async function answerTo(
  { text, otherwise, begun, wrong }: Question,
  read: (text: string) => Promise<string>,
): Promise<string> {
  for (;;) {
    const offer = otherwise === "" || begun !== undefined ? "" : `[${visibleText(otherwise)}]`;
    // Behind the last line of a list, it would look like a part of that line.
    const shown = text.includes("\n")
      ? `${printable(text)}\n${offer === "" ? "" : `${offer} `}› `
      : `${printable(text)}${offer === "" ? "" : ` ${offer}`}\n› `;
    const answer = (await read(wrapped(shown, columnsOf(process.stderr)))).trim() || otherwise;
    const problem = wrong?.(answer) ?? null;
    if (problem === null) return answer;
    process.stderr.write(`  ${problem}\n`);
  }
}
