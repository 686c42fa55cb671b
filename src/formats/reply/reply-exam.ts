// An examiner's reply: test files, written only from the contract.
import { z } from "zod";
import { hiddenFile } from "../kept/proof-files.ts";
import { isInside } from "../text/safe-names.ts";
import { list, optional, problemOf, type ReplyProblem, readObject } from "./reply-parts.ts";

export type HiddenTest = { readonly path: string; readonly content: string };
export type ExamReply = { readonly summary: string; readonly tests: readonly HiddenTest[] };

const filesMax = 5;
const lengthMax = 20_000;

const exam = z.object({
  summary: optional,
  tests: list(
    z.object({
      path: z.string().refine(isInside, "must be a path inside the workspace"),
      content: z.string().min(1).max(lengthMax, `must have at most ${lengthMax} characters`),
    }),
  ),
});

export function parseExam(answer: unknown): ExamReply | ReplyProblem {
  return readObject(answer, (value) => {
    const parsed = exam.safeParse(value);
    if (!parsed.success) return problemOf(parsed.error);
    const { summary, tests } = parsed.data;
    return { summary: summary ?? "", tests: tests.slice(0, filesMax) };
  });
}

/** The stored form; null: none were written. Without tests that were written, the proof would be a weaker one. */
export const readHidden = (text: string | null, path: string): readonly HiddenTest[] | null =>
  text === null ? null : hiddenFile.mustParse<readonly HiddenTest[]>(text, path);
