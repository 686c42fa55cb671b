// Imports of names that the change renamed or removed: found in every file, also in programs and scripts that no test starts.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { importedNames, offeredNames } from "../source/index.ts";
import { moduleProvides } from "./provided.ts";

const code = /\.(?:[cm]?[jt]sx?|py|vue|svelte)$/;

export function staleImportQuestions({ sides }: Pick<Case, "sides">): string[] {
  const { base, candidate } = sides;
  const lost = lostNames(sides);
  if (lost.size === 0) return [];
  const stale = candidate.paths.filter(isLookedAt(sides)).flatMap((path) => {
    const text = candidate.text(path) ?? "";
    if (!(text.match(/[\w$]+/g) ?? []).some((word) => lost.has(word))) return [];
    return importedNames(path, text)
      .filter(({ module, name }) => lost.has(name) && moduleProvides(path, module, name, base) === true)
      .filter(({ module, name }) => moduleProvides(path, module, name, candidate) === false)
      .map(({ module, name, line }) => `${path}:${line} (${name} of ${module})`);
  });
  return stale.length === 0
    ? []
    : [
        `Names are imported that are gone: ${listed([...new Set(stale)])}. Change those lines as well, or keep the old name; for a protected file, ask for permission.`,
      ];
}

/** Names that a changed file offered and offers no more. */
function lostNames({ base, candidate, changes }: Case["sides"]): ReadonlySet<string> {
  const old = changes.filter(({ path, kind }) => kind !== "added" && code.test(path));
  return new Set(
    old.flatMap(({ path }) => {
      const now = offeredNames(path, candidate.text(path) ?? "")?.names;
      return [...(offeredNames(path, base.text(path) ?? "")?.names ?? [])].filter((name) => now?.has(name) !== true);
    }),
  );
}

/** Tests are run; declarations of types are not. */
function isLookedAt({ classes, changes }: Case["sides"]): (path: string) => boolean {
  const sided = new Map(changes.map((change) => [change.path, change]));
  return (path) => {
    if (path.endsWith(".d.ts") || !code.test(path)) return false;
    const change = sided.get(path);
    const { kind, isTest } = change === undefined ? classes.of(path) : { kind: change.side, isTest: change.isTest };
    return !isTest && kind !== "cache" && kind !== "ours";
  };
}
