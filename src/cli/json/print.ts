// What is printed with --json: one object, or a line for each thing that happens.
import type { z } from "zod";
import { printableJson } from "../terminal.ts";
import type { Answer } from "./parts.ts";

/** The version of all shapes. It changes when a key is renamed, removed or means something else. */
const version = 1;

const write = (value: object, space?: number): void =>
  void process.stdout.write(printableJson(`${JSON.stringify(value, null, space)}\n`));

let isAnswered = false;
const said: string[] = [];

/** Everything that is not in the shape is left out: what is printed is what is documented. */
export function printAnswer<Fields extends z.ZodRawShape>(
  { shape }: Answer<Fields>,
  value: z.input<z.ZodObject<Fields>>,
  exitCode: number,
): void {
  isAnswered = true;
  write({ version, exitCode, ...shape.parse(value) }, 2);
}

/** The last line of a stream. */
export function printEnd<Fields extends z.ZodRawShape>(
  { shape }: Answer<Fields>,
  value: z.input<z.ZodObject<Fields>>,
  exitCode: number,
): void {
  printLine({ exitCode, ...shape.parse(value) });
}

/** A line of a stream. */
export function printLine(value: object): void {
  isAnswered = true;
  write({ version, ...value });
}

/** Sentences are the answer of a command that has no other. */
export const keepSaid = (text: string): void => void said.push(text);

/** At the end of a command. */
export function printSaid(exitCode: number): void {
  if (!isAnswered && said.length > 0) write({ version, exitCode, text: said.join("") }, 2);
}

/** One line, since it may end a stream. */
export function printError({ code, what, why, next, exitCode }: ErrorFacts): void {
  write({ version, exitCode, error: { code, what, why, next } });
}

type ErrorFacts = {
  readonly code: string;
  readonly what: string;
  readonly why: string;
  readonly next: string;
  readonly exitCode: number;
};
