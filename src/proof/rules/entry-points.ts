// Files that a manifest names as the package's entry, and that a change moved or deleted without saying so there.
import { posix } from "node:path";
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import type { LoadedTree } from "../trees.ts";

export function entryPointQuestions({ sides: { base, candidate } }: Pick<Case, "sides">): string[] {
  const lost = candidate.paths
    .filter((path) => posix.basename(path) === "package.json")
    .flatMap((path) => {
      const folder = posix.dirname(path);
      return entriesOf(candidate.text(path) ?? "")
        .map((entry) => posix.normalize(posix.join(folder, entry)))
        .filter((entry) => isThere(entry, base) && !isThere(entry, candidate))
        .map((entry) => `${entry} (${path})`);
    });
  return lost.length === 0
    ? []
    : [
        `The package names files that no longer exist: ${listed(lost)}. Name their new places there, so that importing the package works.`,
      ];
}

const keys = ["main", "module", "browser", "types", "typings", "bin", "exports"] as const;

function entriesOf(text: string): string[] {
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest !== "object" || manifest === null) return [];
    const fields = manifest as Readonly<Record<string, unknown>>;
    return keys.flatMap((key) => textsOf(fields[key])).filter((entry) => !/[*]|^node:/.test(entry));
  } catch {
    return [];
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** As Node looks for it: the file, with an ending, or the index of a folder. */
const isThere = (entry: string, { paths }: Pick<LoadedTree, "paths">): boolean =>
  ["", ".js", ".json", "/index.js"].some((ending) => paths.includes(`${entry}${ending}`));
