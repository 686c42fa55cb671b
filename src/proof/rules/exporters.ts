// Which file a function of the feature's examples comes from.
import { posix } from "node:path";
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { changedCode, type Sides } from "../sides.ts";
import { bodies, examplesIn } from "../source/index.ts";
import { exportedNames, publicNames } from "./public-names.ts";

/** Of the changed files, or of any: the fix may be in a helper of the function. Several: it is not clear which is meant. */
export function exportersOf(sides: Sides, texts: readonly string[], name: string, files: RegExp): readonly string[] {
  const { candidate, classes } = sides;
  const changed = changedCode(sides)
    .filter(({ kind }) => kind !== "deleted")
    .map(({ path }) => path);
  const among = (paths: readonly string[]): readonly string[] => {
    const own = paths.filter((path) => files.test(path)).map((path) => ({ path, text: candidate.text(path) ?? "" }));
    const exporting = own.filter(({ path, text }) => isExportedBy(path, text, name));
    const defining = own.filter(({ path, text }) => bodies(path, text).some((body) => body.name === name));
    // Two functions of one name are two functions. One that others export again is one.
    const both = exporting.filter((file) => defining.includes(file));
    const found = (both.length > 0 ? both : defining.length > 1 ? [] : exporting.slice(0, 1)).map(({ path }) => path);
    const said = found.filter((path) => texts.some((text) => text.includes(path)));
    return said.length === 1 ? said : found;
  };
  const first = among(changed);
  return first.length > 0
    ? first
    : among(candidate.paths.filter((path) => !changed.includes(path) && classes.of(path).kind === "product"));
}

/** An example that could be of two changed files is of neither, and would not be run. */
export function exampleQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const texts = [feature.name, feature.description, ...feature.criteria];
  const changed = new Set(sides.changes.map(({ path }) => path));
  return examplesIn(texts).flatMap(({ text, name, owner }) =>
    [/\.[cm]?js$/, /\.py$/].flatMap((files) => {
      const ofOwner = owner === null ? [] : exportersOf(sides, texts, owner, files);
      const found = ofOwner.length > 0 ? ofOwner : exportersOf(sides, texts, name, files);
      return found.length > 1 && found.some((path) => changed.has(path))
        ? [`${listed(found)} define ${owner ?? name}, and the example ${text} does not say which is meant.`]
        : [];
    }),
  );
}

const isExportedBy = (path: string, text: string, name: string): boolean =>
  publicNames(path, text).includes(name) ||
  exportedNames(path, text).includes(name) ||
  (path.endsWith(".py") ? new RegExp(`^class ${name}\\b`, "m").test(text) : isTheDefault(path, text, name));

const byDefault = "(?:\\bexport\\s+default|\\bmodule\\.exports\\s*=)";

/** `module.exports = slug`, or what a file of that name exports as a whole. */
const isTheDefault = (path: string, text: string, name: string): boolean =>
  new RegExp(`${byDefault}\\s*(?:(?:async\\s+)?function\\b\\*?\\s*|class\\s+)?${name}\\s*(?:[;({]|$)`, "m").test(
    text,
  ) ||
  (posix.basename(path).replace(/\.\w+$/, "") === name && new RegExp(`${byDefault}\\s*(?![\\s{])`).test(text));
