// Protected files that a change rewrote instead of adding to. The judge is then a different one, and a person decides.
import type { Case } from "../case.ts";
import { changedJudge, type Sides } from "../sides.ts";
import { differsOnlyInTests, onlyAdds } from "../source/index.ts";

/** Files of the judge that lost a line, or whose meaning cannot be compared line by line. */
export function rewrittenJudge({ sides, release, releasedTests }: Rewritten): readonly string[] {
  return (
    changedJudge(sides)
      // A document that tests read is also written for people: the old tests have judged both versions of it.
      .filter(({ path, isTest, isDocument }) => !isDocument && !release(path) && !isAddition(sides, path, isTest))
      .filter(({ path }) => !differsAsReleased(sides, path, releasedTests))
      .map(({ path }) => path)
  );
}

type Rewritten = Pick<Case, "sides" | "release" | "releasedTests">;

/** Only tests that the feature allows to change differ in the file. */
function differsAsReleased({ base, candidate }: Sides, path: string, tests: readonly string[]): boolean {
  const names = tests.filter((test) => test.startsWith(`${path} > `)).map((test) => test.split(" > ").at(-1) ?? "");
  const [before, after] = [base.text(path), candidate.text(path)];
  return names.length > 0 && before !== null && after !== null && differsOnlyInTests(path, before, after, names);
}

function isAddition({ base, candidate, moved }: Sides, path: string, isTest: boolean): boolean {
  const to = moved.find(({ from }) => from === path)?.to ?? path;
  const [before, after] = [base.text(path), candidate.text(to)];
  if (before === null || after === null) return false;
  if (/(?:^|\/)package\.json$/.test(path))
    return addsHarmlessKeys(before, after) || addsHarmlessKeys(repointedManifest(before, moved), after);
  if (!isTest) return /(?:^|\/)\.gitignore$/.test(path) && onlyAdds(before, after);
  return onlyAdds(before, after);
}

/** A manifest that names moved files by their new paths says what it said before. */
const repointedManifest = (text: string, moved: Sides["moved"]): string =>
  moved.reduce(
    (found, { from, to }) => found.replaceAll(`"${from}"`, `"${to}"`).replaceAll(`"./${from}"`, `"./${to}"`),
    text,
  );

/** Keys that control how a package is tested, built, found and installed. */
const steering = new Set(
  "scripts type main module exports imports browser types typings files workspaces overrides resolutions pnpm jest vitest mocha ava tap c8 nyc babel eslintConfig prettier lint-staged husky config engines packageManager".split(
    " ",
  ),
);

function addsHarmlessKeys(before: string, after: string): boolean {
  const [was, is] = [keysOf(before), keysOf(after)];
  if (was === null || is === null) return false;
  const isDependencies = (key: string): boolean => /dependencies$/i.test(key);
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((key) => was.get(key) !== is.get(key));
  return changed.every((key) => isDependencies(key) || (!was.has(key) && !steering.has(key)));
}

function keysOf(text: string): Map<string, string> | null {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json !== "object" || json === null || Array.isArray(json)) return null;
    return new Map(Object.entries(json).map(([key, value]) => [key, JSON.stringify(value)]));
  } catch {
    return null;
  }
}
