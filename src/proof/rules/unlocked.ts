// A package.json that names what its lockfile does not.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { dependenciesIn } from "./dependencies.ts";

/** Of a package.json that changed: what its lockfile does not name, so that `npm ci` refuses both. */
export function unlockedQuestions({ sides }: Pick<Case, "sides">): string[] {
  const { candidate, changes } = sides;
  const found = changes
    .filter(({ path, kind }) => /(?:^|\/)package\.json$/.test(path) && kind !== "deleted")
    .flatMap(({ path }) => {
      const lock = candidate.text(path.replace(/package\.json$/, "package-lock.json"));
      const locked = lock === null ? null : rootOf(lock);
      if (locked === null) return [];
      const names = dependenciesIn(path, candidate.text(path) ?? "").filter((name) => !locked.has(name));
      return names.map((name) => `${name} (${path})`);
    });
  return found.length === 0
    ? []
    : [`package-lock.json does not name ${listed(found)}: npm ci fails. Update the lockfile.`];
}

/** The names of the dependencies that the root of a lockfile has. Null: it is of a shape that has none. */
function rootOf(lock: string): ReadonlySet<string> | null {
  try {
    const { packages } = JSON.parse(lock) as { packages?: Record<string, Record<string, object | undefined>> };
    const root = packages?.[""];
    if (root === undefined) return null;
    const tables = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
    return new Set(tables.flatMap((table) => Object.keys(root[table] ?? {})));
  } catch {
    return null;
  }
}
