// Criteria that cannot fail: without a number, name or quotation, and with a word that promises nothing.
import { shortLine } from "../text/shortened.ts";

export type Vague = { readonly feature: string; readonly criterion: string; readonly word: string };

const promises = [
  "works? (?:well|properly|correctly|fine|nicely|great|as expected|as intended)",
  "as expected",
  "as needed",
  "as appropriate",
  "user[- ]?friendly",
  "easy to (?:use|read|understand|maintain)",
  "intuitive(?:ly)?",
  "(?:is|are|be|feels?|runs?|loads?) (?:very |really |reasonably )?(?:fast|quick|slow|smooth|snappy|responsive|efficient)",
  "fast(?:er)?",
  "quickly",
  "(?:good|better|great|improved?|acceptable|reasonable|decent) (?:performance|quality|speed|ux|experience|code)",
  "high[- ]quality",
  "production[- ](?:ready|quality)",
  "robust(?:ly)?",
  "scalable",
  "seamless(?:ly)?",
  "looks? (?:good|nice|great|right|modern)",
  "clean code",
  "well[- ](?:tested|documented|designed|structured)",
  "properly",
  "best practices?",
  "state[- ]of[- ]the[- ]art",
  "and so on",
  "etc",
].join("|");
const promise = new RegExp(`(?<![\\w-])(?:${promises})(?![\\w-])`, "i");
/** A number, code, a quotation, a path or a comparison: something verifiable. */
const anchor = /\d|`|"[^"]+"|'[^']{2,}'|[“”«»]|[\w-]*\/[\w-]|\.[a-z]{2,4}\b|[<>=]/;

export function vagueCriteria(
  features: readonly { readonly id: string; readonly criteria: readonly string[]; readonly status: string }[],
): Vague[] {
  return features
    .filter(({ status }) => status !== "complete" && status !== "existing")
    .flatMap(({ id, criteria }) =>
      criteria.flatMap((criterion) => {
        const word = vagueWord(criterion);
        return word === null ? [] : [{ feature: id, criterion, word }];
      }),
    );
}

export function vagueWord(criterion: string): string | null {
  const text = criterion.slice(0, 2000);
  return anchor.test(text) ? null : (promise.exec(text)?.[0] ?? null);
}

/** Warnings for people: which criteria, and what would help. At most `shown`, and the number of others. */
export function vagueWarnings(features: Parameters<typeof vagueCriteria>[0], shown = 5): string[] {
  const vague = vagueCriteria(features);
  const told = vague
    .slice(0, shown)
    .map(
      ({ feature, criterion, word }) =>
        `${feature}: "${shortLine(criterion, 80)}" cannot be proved or disproved (${word}).`,
    );
  if (vague.length === 0) return [];
  const more = vague.length - told.length;
  return [
    ...told,
    ...(more > 0 ? [`And ${more} more like that.`] : []),
    "Name a number, a command or an example, so that a check or an evaluator can say no.",
  ];
}
