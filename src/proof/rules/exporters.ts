// Which file a function of the feature's examples comes from.
import { posix } from "node:path";
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { changedCode, type Sides } from "../sides.ts";
import {
  bodies,
  checksOf,
  codeOf,
  type Example,
  type ExampleLanguage,
  examplesIn,
  freeNames,
} from "../source/index.ts";
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
  return first.length > 0 || isBuiltIn(name)
    ? first
    : among(candidate.paths.filter((path) => !changed.includes(path) && classes.of(path).kind === "product"));
}

/** Where a name of an example comes from. With `members`, the name stands for the module that has these. */
export type NameSource = {
  readonly name: string;
  readonly paths: readonly string[];
  readonly members: readonly string[];
};

export const exampleFiles: Readonly<Record<ExampleLanguage, RegExp>> = { javascript: /\.[cm]?js$/, python: /\.py$/ };

/** `Text.initials("Ada")`: an exported object, a class, or the module itself. */
export function sourcesOf(
  sides: Sides,
  texts: readonly string[],
  example: Example,
  language: ExampleLanguage,
): readonly NameSource[] {
  const code = codeOf(example);
  const files = exampleFiles[language];
  return freeNames(code).map((name) => {
    const paths = exportersOf(sides, texts, name, files);
    if (paths.length > 0) return { name, paths, members: [] };
    const members = [
      ...new Set(code.match(new RegExp(`(?<![\\w$.])${name.replace("$", "\\$")}\\.[A-Za-z_]\\w*`, "g"))),
    ].map((member) => member.slice(name.length + 1));
    const isModule = (path: string): boolean =>
      /^[A-Z]/.test(name) || posix.parse(path).name.toLowerCase() === name.toLowerCase();
    const [first] = members;
    const found = first === undefined ? [] : exportersOf(sides, texts, first, files).filter(isModule);
    return { name, paths: found, members: found.length === 0 ? [] : members };
  });
}

/** Names that the languages have themselves. */
export const isBuiltIn = (name: string): boolean => name in globalThis || pythonBuiltIns.has(name);

const pythonBuiltIns = new Set(
  "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod enumerate eval exec filter float format frozenset getattr hasattr hash hex id input int isinstance issubclass iter len list map max memoryview min next object oct open ord pow property range repr reversed round set setattr slice sorted staticmethod str sum tuple type vars zip Exception ValueError TypeError KeyError IndexError StopIteration RuntimeError LookupError ArithmeticError ZeroDivisionError OSError self assert expect require".split(
    " ",
  ),
);

const examplesMax = 20;

/** An example that could be of two changed files is of neither, and would not be run. */
export function exampleQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const texts = [feature.name, feature.description, ...feature.criteria];
  const changed = new Set(sides.changes.map(({ path }) => path));
  return examplesIn(texts)
    .slice(0, examplesMax)
    .flatMap((example) =>
      languages
        .flatMap((language) => sourcesOf(sides, texts, example, language))
        .filter(({ paths }) => paths.length > 1 && paths.some((path) => changed.has(path)))
        .map(
          ({ name, paths }) =>
            `${listed(paths)} define ${name}, and the example ${checksOf(example)[0]?.text} does not say which is meant.`,
        ),
    );
}

const languages = ["javascript", "python"] as const;

const isExportedBy = (path: string, text: string, name: string): boolean =>
  publicNames(path, text).includes(name) ||
  exportedNames(path, text).includes(name) ||
  (path.endsWith(".py")
    ? new RegExp(`^(?:class ${name}\\b|${name}\\s*(?::[^=\\n]*)?=(?!=))`, "m").test(text)
    : isTheDefault(path, text, name));

const byDefault = "(?:\\bexport\\s+default|\\bmodule\\.exports\\s*=)";

/** `module.exports = slug`, or what a file of that name exports as a whole. */
const isTheDefault = (path: string, text: string, name: string): boolean =>
  new RegExp(`${byDefault}\\s*(?:(?:async\\s+)?function\\b\\*?\\s*|class\\s+)?${name}\\s*(?:[;({]|$)`, "m").test(
    text,
  ) ||
  (posix.basename(path).replace(/\.\w+$/, "") === name && new RegExp(`${byDefault}\\s*(?![\\s{])`).test(text));
