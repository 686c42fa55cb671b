// Files that a manifest names as the package's entry, and that a change moved or deleted without saying so there.
import { posix } from "node:path";
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import type { LoadedTree } from "../trees.ts";

export function entryPointQuestions({ sides: { base, candidate } }: Pick<Case, "sides">): string[] {
  const manifests = candidate.paths.filter((path) => posix.basename(path) === "package.json");
  const named = (which: readonly string[]) =>
    manifests.flatMap((path) =>
      entriesOf(candidate.text(path) ?? "", which).map((entry) => ({
        path,
        entry: posix.normalize(posix.join(posix.dirname(path), entry)),
      })),
    );
  const lost = named(keys)
    .filter(({ entry }) => isThere(entry, base) !== undefined && isThere(entry, candidate) === undefined)
    .map(({ entry, path }) => `${entry} (${path})`);
  const startless = [...new Set(named(["bin"]).map(({ entry }) => entry))].filter(
    (entry) => isStarted(candidate.text(entry)) === false && isStarted(base.text(entry)) !== false,
  );
  return [
    ...(lost.length === 0
      ? []
      : [
          `The package names files that no longer exist: ${listed(lost)}. Name their new places there, so that importing the package works.`,
        ]),
    ...(startless.length === 0
      ? []
      : [
          `Programs of the package do not begin with #!/usr/bin/env node, so a shell would run them: ${listed(startless)}.`,
        ]),
  ];
}

/** Null: there is no such file. */
const isStarted = (text: string | null): boolean | null => (text === null ? null : text.startsWith("#!"));

const keys = ["main", "module", "browser", "types", "typings", "bin", "exports"] as const;

export function entriesOf(text: string, which: readonly string[]): string[] {
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest !== "object" || manifest === null) return [];
    const fields = manifest as Readonly<Record<string, unknown>>;
    return which.flatMap((key) => textsOf(fields[key])).filter((entry) => !/[*]|^node:/.test(entry));
  } catch {
    return [];
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** As Node looks for it: the file, with an ending, or the index of a folder. */
export const isThere = (entry: string, { paths }: Pick<LoadedTree, "paths">): string | undefined =>
  ["", ".js", ".json", "/index.js"].map((ending) => `${entry}${ending}`).find((path) => paths.includes(path));
