// Files and functions that the feature names: if the product has nothing of that name, the request is not met.
import { posix } from "node:path";
import type { Case } from "../case.ts";
import { wordsIn } from "../source/index.ts";

const shownMax = 4;

/** Only unambiguous names: a path with an extension, a call with its brackets. */
export function namedQuestions(c: Pick<Case, "sides" | "feature">): string[] {
  return [...(c.feature.kind === "change" ? askedFor(c) : toBeUsed(c)), ...documents(c)];
}

/** `Mention four in GUIDE.md`: the document has to be there, and to be part of the change. */
function documents({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const asked = [feature.name, feature.description, ...feature.criteria].join("\n");
  const told = asked.matchAll(
    /(?<!\b(?:not|never|no need to)\s)\b(?:mentions?|documents?|describes?|adds?|updates?|lists?|explains?|notes?|shows?|writes?)\b[^.\n]*?(?<![\w./-])((?:[\w-]+\/)*[\w-]+\.(?:md|rst))\b/gi,
  );
  const changed = sides.changes.filter(({ kind }) => kind !== "deleted").map(({ path }) => path);
  const missing = [...new Set([...told].map(([, path = ""]) => path))].filter(
    (path) => !changed.some((other) => other === path || other.endsWith(`/${path}`)),
  );
  return missing.length === 0
    ? []
    : [`The feature asks for something in ${missing.slice(0, shownMax).join(", ")}, and the change leaves it alone.`];
}

/** What a refactoring should use: a name of code, not an ordinary word. */
function toBeUsed({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const asked = [feature.name, feature.description, ...feature.criteria].join("\n");
  const named = Array.from(
    asked.matchAll(
      /(?<!\b(?:[Ss]top|[Aa]void|[Ww]ithout|not|[Nn]ever|no longer|than)\s{1,3})\b(?:use|using|uses)\s+`?((?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*|[A-Za-z_]\w*(?=\())/g,
    ),
    ([, name = ""]) => name,
  );
  const { candidate } = sides;
  const product = productOf(sides);
  const words = new Set(product.flatMap((path) => [...wordsIn(path, candidate.text(path) ?? "")]));
  const unused = [...new Set(named)]
    .filter((name) => !/\.(?:js|ts|py|json|md|io|net|com|org)$/.test(name))
    .filter((name) => !words.has(name.split(".").at(-1) ?? name));
  return unused.length === 0 ? [] : [`The feature says to use ${unused.join(", ")}, and the product does not.`];
}

function askedFor({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const { base, candidate } = sides;
  const asked = [feature.description, ...feature.criteria].join("\n");
  const files = [...asked.matchAll(/(?<![\w./-])((?:[\w-]+\/)+[\w.-]+\.(?:[cm]?[jt]sx?|py|go|rs|sh))\b/g)].map(
    ([, path = ""]) => path,
  );
  // A file of the base may have been named to be moved or removed.
  const isIn = (paths: readonly string[], path: string): boolean =>
    paths.some((other) => other === path || other.endsWith(`/${path}`));
  const lacking = [...new Set(files)].filter((path) => !isIn(base.paths, path) && !isIn(candidate.paths, path));
  const product = productOf(sides);
  // A module may be one function without a name: its file names it.
  const words = new Set(
    product.flatMap((path) =>
      [...wordsIn(path, candidate.text(path) ?? ""), posix.basename(path, posix.extname(path))].map(plain),
    ),
  );
  const called = [...asked.matchAll(/(?<![\w.$])([A-Za-z_]\w{2,})\(/g)].map(([, name = ""]) => name);
  const isThere = (name: string): boolean => words.has(plain(name));
  const unknown = [...new Set(called)].filter((name) => !builtIn.has(name) && !isThere(name));
  const missing = [...lacking, ...unknown.map((name) => `${name}()`)];
  return missing.length === 0
    ? []
    : [`The feature names ${missing.slice(0, shownMax).join(", ")}, and the product has nothing of that name.`];
}

/** An agent can leave any number of files, so the changes are looked through once. */
function productOf({ base, candidate, classes, changes }: Case["sides"]): string[] {
  const changed = new Set(changes.filter(({ side }) => side === "product").map(({ path }) => path));
  return candidate.paths.filter((path) => (base.has(path) ? classes.of(path).kind === "product" : changed.has(path)));
}

/** Languages write one name in several ways: lineTotal, LineTotal, line_total, __line_total__. */
const plain = (name: string): string => name.replaceAll("_", "").toLowerCase();

/** Functions that a request may name without asking for them. */
const builtIn = new Set(
  "str int len repr print bool float list dict set tuple sum min max abs round sorted range open iter next hash String Number Boolean Array Object Error Date Map Set Promise require import parseInt parseFloat setTimeout fetch console printf echo".split(
    " ",
  ),
);
