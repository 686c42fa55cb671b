// Product that names a test, a fixture or a test helper: it would not work without it, or knows what it expects.
import type { Case } from "../case.ts";
import { importsOf } from "../classify/index.ts";
import { changedCode } from "../sides.ts";

/** One question for each file. Mentions of tests that the file already had are not asked about. */
export function ownTestQuestions({ sides }: Pick<Case, "sides">): string[] {
  const { base, candidate, classes, changes } = sides;
  const added = new Set(changes.filter(({ isNew, isTest }) => isNew && isTest).map(({ path }) => path));
  const isTest = (path: string): boolean => (base.has(path) ? classes.of(path).isTest : added.has(path));
  const tests = candidate.paths.filter(isTest);
  return changedCode(sides).flatMap(({ path, kind }) => {
    if (kind === "deleted") return [];
    const text = candidate.text(path) ?? "";
    const before = base.text(path) ?? "";
    const imported = importsOf(path, candidate).filter(isTest);
    const named = tests.filter((test) => names(text, test) && !names(before, test));
    const found = [...new Set([...imported.filter((test) => !importsOf(path, base).includes(test)), ...named])];
    return found.length === 0
      ? []
      : [`${path} uses ${found.slice(0, 3).join(", ")}, which is a test's. Product has to work without its tests.`];
  });
}

/** A path of two parts or more, in quotes; a bare name could be anything. */
function names(text: string, test: string): boolean {
  const parts = test.split("/");
  const short = parts.slice(-2).join("/");
  return (
    parts.length > 1 && new RegExp(`["'\`][^"'\`\\n]*${short.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}["'\`]`).test(text)
  );
}
