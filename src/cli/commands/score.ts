// loop score: how intake rates a request. Spends nothing, starts nothing, changes nothing.
import * as fs from "node:fs";
import { UserError } from "../../core/errors.ts";
import type { LoopYaml } from "../../formats/config/loop-yaml.ts";
import { intake, missing } from "../../intake/intake.ts";
import { lookAround } from "../../project/plan/known.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import { scoreText, seedScore } from "../render/score.ts";

export type ScoreFlags = GlobalFlags & { file?: string; check?: string[]; bare?: boolean };

const bytesMax = 5 * 1024 * 1024;

export async function score(words: string, flags: ScoreFlags): Promise<number> {
  const context = contextOf(flags);
  const request = await requestFrom(words, flags.file);
  if (request.trim() === "") throw usage("The request is empty.");
  const { known, troubles } =
    flags.bare === true ? { known: {}, troubles: [] } : lookAround(context.root, request, checks(flags));
  for (const trouble of troubles) context.comment(`  ${trouble.what} ${trouble.why}\n  It counts for nothing here.\n`);
  const found = intake(request, known);
  const code = found.shape === "intent-needed" ? 5 : 0;
  if (context.json) printAnswer(answers.score, { ...found, missing: missing(found).map(({ name }) => name) }, code);
  else
    context.answer(context.isSeed ? seedScore(found) : scoreText(found, shownRequest(words, context), context.paint));
  return code;
}

/** From the command line, from a file, or, with "-", from standard input. */
async function requestFrom(words: string, file: string | undefined): Promise<string> {
  if (file !== undefined && words !== "") throw usage("It is given twice: as words and as a file.");
  if (words === "-" || file === "-") return readText(process.stdin, "Standard input");
  return file === undefined ? words : readText(fs.createReadStream(file), file);
}

async function readText(from: AsyncIterable<Buffer | string>, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of from) {
      parts.push(Buffer.from(part));
      length += part.length;
      if (length > bytesMax) break;
    }
  } catch (error) {
    throw usage(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (length > bytesMax) throw usage(`${name} is larger than 5 MB.`);
  const bytes = Buffer.concat(parts);
  if (bytes.includes(0)) throw usage(`${name} is not text.`);
  return bytes.toString("utf8");
}

const checks = ({ check }: ScoreFlags): LoopYaml =>
  check === undefined
    ? {}
    : { checks: check.map((run, at) => ({ name: at === 0 ? "check" : `check-${at + 1}`, run })) };

const shownRequest = (words: string, { json }: Context): string => (json || words === "-" ? "" : words);

const usage = (why: string): UserError =>
  new UserError("no-request", {
    what: "There is nothing to score.",
    why,
    next: 'Say what should be done: loop score "…", loop score --file request.md, or … | loop score -',
  });
