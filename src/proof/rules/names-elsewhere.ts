// New files that macOS or Windows cannot check out: two names that differ only in case, and names that Windows keeps.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";

const keptByWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[<>:"|?*\\]|[ .]$/i;

export function namesElsewhereQuestions({ sides: { changes, candidate } }: Pick<Case, "sides">): string[] {
  const fresh = changes.filter(({ isNew, kind, side }) => isNew && kind !== "deleted" && side !== "cache");
  const alike = new Map<string, number>();
  for (const path of candidate.paths) alike.set(path.toLowerCase(), (alike.get(path.toLowerCase()) ?? 0) + 1);
  const found = fresh
    .map(({ path }) => path)
    .filter(
      (path) => (alike.get(path.toLowerCase()) ?? 0) > 1 || path.split("/").some((part) => keptByWindows.test(part)),
    );
  return found.length === 0
    ? []
    : [`macOS or Windows cannot check these files out under their names: ${listed(found)}. Give them other names.`];
}
