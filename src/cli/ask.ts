// Asks a person in a terminal, one line at a time. Questions are commentary: stderr.
import { createInterface } from "node:readline/promises";
import { UserError } from "../core/errors.ts";
import { visibleText } from "../formats/text/visible-text.ts";
import { columnsOf } from "./render/columns.ts";
import { wrapped } from "./render/wrap.ts";
import { printable } from "./terminal.ts";

export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

export type Question = {
  readonly text: string;
  /** The answer for Enter alone. */
  readonly otherwise: string;
  /** Below the question. */
  readonly hint?: string;
  /** Keys to choose from, each in its word: `[y]es`, `[a]lways in this run`. */
  readonly choices?: readonly string[];
  /** Already typed, to be changed. */
  readonly begun?: string;
  /** What is wrong with an answer; null: nothing. */
  readonly wrong?: (answer: string) => string | null;
};

/** The answers, in order. Ctrl-C and Ctrl-D abort before anything has happened. */
export async function ask(questions: readonly Question[], unanswered = notAnswered): Promise<string[]> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  const gone = new Promise<never>((_, reject) => {
    lines.once("close", () => reject(new UserError("not-answered", unanswered)));
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

/** One question whose answer is a key: `[y]es  [n]o`. Returns the key. */
export async function choose(
  question: Question & { choices: readonly string[] },
  unanswered = notBegun,
): Promise<string> {
  const wrong = (answer: string): string | null =>
    keyIn(question.choices, answer) === null ? typeOne(question.choices) : null;
  const [said = ""] = await ask([{ ...question, wrong }], unanswered);
  return keyIn(question.choices, said) ?? question.otherwise;
}

const keyOf = (choice: string): string => /\[(\w)\]/.exec(choice)?.[1] ?? "";

/** The key, or its whole word: `y` and `yes`. */
export function keyIn(choices: readonly string[], answer: string): string | null {
  const said = answer.trim().toLowerCase();
  const found = choices.find(
    (choice) => said === keyOf(choice) || said === /^\[(\w)\]\w*/.exec(choice)?.[0].replace(/[[\]]/g, ""),
  );
  return found === undefined ? null : keyOf(found);
}

/** `Type y, a or n.` */
export function typeOne(choices: readonly string[]): string {
  const keys = choices.map(keyOf);
  return `Type ${keys.slice(0, -1).join(", ")} or ${keys.at(-1)}.`;
}

/** Every question looks the same: what is asked, what Enter does, and a line to type on. */
export function questionText({ text, otherwise, begun, hint, choices }: Question): string {
  const isOffered = otherwise !== "" && begun === undefined;
  const offer = !isOffered ? "" : choices === undefined ? ` [${visibleText(otherwise)}]` : ` (Enter: ${otherwise})`;
  const keys = choices === undefined ? "" : `${text === "" ? "" : " "}${choices.join("  ")}`;
  return `${printable(`${text}${keys}`)}${offer}${hint === undefined ? "" : `\n  ${printable(hint)}`}\n› `;
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
  next: 'The same command again: loop "…"',
};

const notAnswered = {
  what: "Nothing was written.",
  why: "The question was not answered.",
  next: "loop init, or loop init --yes for the defaults",
};

async function answerTo(question: Question, read: (text: string) => Promise<string>): Promise<string> {
  for (;;) {
    const shown = wrapped(questionText(question), columnsOf(process.stderr));
    const answer = (await read(shown)).trim() || question.otherwise;
    const problem = question.wrong?.(answer) ?? null;
    if (problem === null) return answer;
    process.stderr.write(`  ${problem}\n`);
  }
}
