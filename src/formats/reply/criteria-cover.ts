// Whether a verdict answers every criterion. Order, case and numbering do not matter; nothing is guessed.
import type { CriterionVerdict } from "./reply.ts";

export type Cover = { asked: string; answer: CriterionVerdict | null };

/**
 * For each criterion, its answer. An answer names its criterion by its text, or by its number alone (`2`, `C2`,
 * `AC-2`). Of several answers to one, the least favorable counts.
 */
export function coverCriteria(asked: readonly string[], answers: readonly CriterionVerdict[]): Cover[] {
  const byWords = new Map<string, CriterionVerdict[]>();
  for (const answer of answers) {
    for (const name of namesOf(answer.criterion)) byWords.set(name, [...(byWords.get(name) ?? []), answer]);
  }
  return asked.map((criterion, at) => {
    const found = byWords.get(plain(criterion)) ?? byWords.get(`#${at + 1}`) ?? [];
    return { asked: criterion, answer: found.find((each) => !each.met) ?? found.find(isWeak) ?? found[0] ?? null };
  });
}

const isWeak = ({ verification }: CriterionVerdict): boolean =>
  verification === "assumption" || verification === "code review";

const plain = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.;:]+$/, "")
    .toLowerCase();

/** Its text, its text without a leading number, and its number if there is nothing else. */
function namesOf(criterion: string): string[] {
  const words = plain(criterion);
  const number = /^(?:ac|c|#)?[- ]?(\d{1,4})$/.exec(words)?.[1];
  if (number !== undefined) return [words, `#${Number(number)}`];
  const unnumbered = words.replace(/^(?:ac|c)?[- ]?\d{1,4}[.):] */, "");
  return [...new Set([words, unnumbered])];
}
