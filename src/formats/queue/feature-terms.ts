// How to prove a feature, if its entry says so: its kind, what it may change, whether a review is enough.
import { z } from "zod";
import type { FeatureKind } from "../../core/contract.ts";
import { nearest } from "../text/nearest.ts";
import { hasControl, isInside } from "../text/safe-names.ts";

export const featureKinds = ["change", "keep", "docs", "judge"] as const satisfies readonly FeatureKind[];
export const enoughWords = ["proof", "review"] as const;

export type FeatureTerms = {
  readonly kind?: FeatureKind;
  /** Protected files, or `file > test name`, that it may change. */
  readonly mayChange?: readonly string[];
  readonly enough?: (typeof enoughWords)[number];
};

const word = <T extends string>(words: readonly [T, ...T[]]) =>
  z.enum(words, { error: ({ input }) => wordProblem(input, words) });

function wordProblem(input: unknown, words: readonly string[]): string {
  const meant = typeof input === "string" ? nearest(input, words) : null;
  const found = typeof input === "string" ? `, found ${JSON.stringify(input.slice(0, 40))}` : "";
  return `expected ${words.join(" or ")}${found}${meant === null ? "" : `; did you mean ${meant}?`}`;
}

/** The keys of an entry, for its schema. */
export const termKeys = {
  kind: word(featureKinds).nullish(),
  may_change: z
    .array(z.string().max(2000).refine(isProtectedPart, 'must be a path inside the workspace, or "path > test name"'))
    .max(5000)
    .nullish(),
  enough: word(enoughWords).nullish(),
};
const written = z.object(termKeys);

/** `test/login.test.ts`, or `test/login.test.ts > rejects a bad password`. */
function isProtectedPart(text: string): boolean {
  const [path = "", ...name] = text.split(" > ");
  return isInside(path.trim()) && !hasControl(text) && (name.length === 0 || name.join(" > ").trim() !== "");
}

export const termsOf = ({ kind, may_change, enough }: z.infer<typeof written>): FeatureTerms =>
  onlyTerms({ kind: kind ?? undefined, mayChange: may_change ?? undefined, enough: enough ?? undefined });

type Loose = { [K in keyof FeatureTerms]: FeatureTerms[K] | undefined };

/** These keys of an entry, without empty ones. */
export const onlyTerms = ({ kind, mayChange, enough }: Loose): FeatureTerms => ({
  ...(kind === undefined ? {} : { kind }),
  ...(mayChange === undefined ? {} : { mayChange }),
  ...(enough === undefined ? {} : { enough }),
});

export const writtenTerms = ({ kind, mayChange, enough }: FeatureTerms): object => ({
  ...(kind === undefined ? {} : { kind }),
  ...(mayChange === undefined ? {} : { may_change: mayChange }),
  ...(enough === undefined ? {} : { enough }),
});

/** For a file of another system, which may use the same keys by chance: values that do not fit are ignored. */
export function termsIn(fields: Readonly<Record<string, unknown>>): { terms: FeatureTerms; keys: readonly string[] } {
  const keys = Object.keys(termKeys).filter((key) => written.safeParse({ [key]: fields[key] }).success);
  const fitting = Object.fromEntries(keys.map((key) => [key, fields[key]]));
  return { terms: termsOf(written.parse(fitting)), keys };
}
