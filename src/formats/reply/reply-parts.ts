// The parts of replies. A reply is a claim: it is read leniently, but never upgraded.
import { z } from "zod";

export type ReplyProblem = { problem: string };

/** Reads a reply: the object itself, or its JSON. Never throws. */
export function readObject<T>(answer: unknown, read: (value: object) => T): T | ReplyProblem {
  try {
    const value = typeof answer === "string" ? fromJson(answer) : answer;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return { problem: "The reply is not a JSON object." };
    }
    return read(value);
  } catch {
    return { problem: "The reply cannot be read." };
  }
}

function fromJson(text: string): unknown {
  try {
    // Agents often put their JSON in a code fence.
    return JSON.parse(
      text
        .trim()
        .replace(/^```(?:json)?\s*\n/, "")
        .replace(/\n\s*```$/, ""),
    );
  } catch {
    return null;
  }
}

const textMax = 20_000;
const listMax = 500;
// Long text is cut, not refused: the verdict counts, and the rest is not read.
export const text = z.string().transform((given) => (given.length > textMax ? `${given.slice(0, textMax)}…` : given));
export const optional = text.nullish().transform((given) => (given?.trim() ? given : null));
export const list = <T extends z.ZodType>(item: T) => z.preprocess((given) => given ?? [], z.array(item).max(listMax));
/** "NEEDS_FOLLOWUP" and "needs followup" are equal. */
const word = z.string().transform((given) =>
  given
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "-"),
);

export function choice<T extends string>(words: Readonly<Record<string, T>>) {
  const known = [...new Set(Object.values(words))];
  return word.transform((given, context): T => {
    if (Object.hasOwn(words, given) && words[given] !== undefined) return words[given];
    context.addIssue({ code: "custom", message: `must be one of: ${known.join(", ")}` });
    return z.NEVER;
  });
}

export const question = z.union([
  text.transform((given) => ({ text: given, bestSupposition: null })),
  z
    .object({ text, best_supposition: optional })
    .transform((it) => ({ text: it.text, bestSupposition: it.best_supposition })),
]);

const finding = z.object({
  id: optional,
  // An unknown severity is blocking.
  severity: z
    .unknown()
    .optional()
    .transform((given) => (word.safeParse(given).data === "minor" ? ("minor" as const) : ("blocking" as const))),
  summary: text,
  criterion: optional.catch(null),
  evidence: z.preprocess((given) => (typeof given === "string" ? [given] : given), list(text)),
});
export const findingsOf = list(finding);

export function problemOf(error: z.ZodError): ReplyProblem {
  const told = error.issues.slice(0, 5).map(({ path, message }) => {
    const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
    return `${name.replace(/^\./, "")}: ${message}`;
  });
  return { problem: `${told.join("; ")}.` };
}
