// What a feature says to remove and the change left in place.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { bodies } from "../source/index.ts";
import { exportedNames, publicNames } from "./public-names.ts";

/** Only unambiguous names: defined in the old product, and in the same sentence. */
export function unremovedQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const { base, candidate, classes } = sides;
  const asked = [feature.name, feature.description, ...feature.criteria].join("\n");
  // Only an order, not something that users may do: at the beginning of a sentence.
  const told = Array.from(
    asked.matchAll(/(?:^|[.;:]\s+)(?:please\s+)?(?:remove|delete|drop|get rid of)\s+([^.;:,\n]*)/gim),
    ([, rest = ""]) => rest,
  );
  const renamed = Array.from(
    asked.matchAll(
      /(?:^|[.;:]\s+)(?:please\s+)?rename\s+`?(?:the\s+)?(?:\w+\s+){0,2}?([A-Za-z_]\w{2,})\(?\)?`?\s+(?:to|into|as)\b/gim,
    ),
    ([, name = ""]) => name,
  );
  if (told.length + renamed.length === 0) return [];
  const isAlias = /\b(?:alias|deprecat|keep|still|both)/i.test(asked);
  // "Remove the trim() call from label": what follows "from" stays.
  const words = new Set(
    told.flatMap(
      (text) =>
        text
          .split(/\b(?:between|from|in|of|that|which|when|if|and use|by|with|using|to|for|but|keep|unless)\b/i, 1)[0]
          ?.match(/[A-Za-z_]\w{2,}/g) ?? [],
    ),
  );
  const isProduct = (path: string): boolean => classes.of(path).kind === "product";
  const namesAt = (path: string, text: string): string[] => [
    ...bodies(path, text).map(({ name }) => name),
    ...publicNames(path, text),
    ...exportedNames(path, text),
  ];
  const before = base.paths.filter(isProduct).flatMap((path) => namesAt(path, base.text(path) ?? ""));
  const meant = [...new Set(before)].filter(
    (name) => (words.has(name) && isTelling(name)) || (!isAlias && renamed.includes(name)),
  );
  if (meant.length === 0) return [];
  const now = new Set(
    candidate.paths
      .filter((path) => !base.has(path) || isProduct(path))
      .flatMap((path) => namesAt(path, candidate.text(path) ?? "")),
  );
  const left = meant.filter((name) => now.has(name));
  return left.length === 0 ? [] : [`The feature says to remove or rename ${listed(left)}, and it is still there.`];
}

/** An ordinary word may be just a word: `remove duplicates` does not mean a function `duplicates`. */
const isTelling = (name: string): boolean => /[a-z][A-Z]|_/.test(name.replace(/^_+|_+$/g, ""));
