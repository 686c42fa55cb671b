// Code that a published package leaves out: package.json lists what is published, file by file.
import { posix } from "node:path";
import type { Case } from "../case.ts";
import { importsOf } from "../classify/index.ts";
import { listed } from "../findings/said.ts";
import { matcher } from "../globs.ts";
import type { View } from "../view.ts";

/** Only what published code of the same package imports now and did not before. */
export function unpublishedQuestions({ sides }: Pick<Case, "sides">): string[] {
  const { base, candidate, changes } = sides;
  if (!changes.some(({ side }) => side === "product")) return [];
  const manifests = candidate.paths.filter((path) => /(?:^|\/)package\.json$/.test(path));
  const found = manifests.flatMap((manifest) => {
    const before = new Set(missingIn(manifest, base));
    return missingIn(manifest, candidate).filter((path) => !before.has(path));
  });
  return found.length === 0
    ? []
    : [
        `Published code imports what its package.json does not publish: ${listed(found)}. Put that into a published file, or ask for permission to add it to "files".`,
      ];
}

function missingIn(manifest: string, view: View): readonly string[] {
  const isPublished = publishedBy(manifest, view.text(manifest) ?? "");
  if (isPublished === null) return [];
  const dir = posix.dirname(manifest);
  const own = view.paths.filter((path) => dir === "." || path.startsWith(`${dir}/`));
  const nested = own.filter((path) => path !== manifest && path.endsWith("/package.json")).map(posix.dirname);
  const isOwn = (path: string): boolean => !nested.some((other) => path.startsWith(`${other}/`));
  const needed = new Set(
    own.filter((path) => isOwn(path) && isPublished(path)).flatMap((path) => importsOf(path, view)),
  );
  return own.filter((path) => isOwn(path) && needed.has(path) && !isPublished(path));
}

type Manifest = {
  readonly private?: unknown;
  readonly files?: unknown;
  readonly main?: unknown;
  readonly bin?: unknown;
};

/** Null: it is not published, or everything in its folder is. */
export function publishedBy(manifest: string, text: string): ((path: string) => boolean) | null {
  const { files, main, bin, private: isPrivate } = read(text);
  if (isPrivate === true || !Array.isArray(files)) return null;
  const inside = (entry: string): string =>
    posix.join(posix.dirname(manifest), entry.replace(/^\.?\//, "").replace(/\/$/, ""));
  const below = (entries: readonly unknown[]) =>
    matcher(entries.filter((each) => typeof each === "string").flatMap((each) => [inside(each), `${inside(each)}/**`]));
  const isLeftOut = (each: unknown): boolean => typeof each === "string" && each.startsWith("!");
  const always = [main, ...(typeof bin === "object" && bin !== null ? Object.values(bin) : [bin])];
  const isListed = below([...files.filter((each) => !isLeftOut(each)), ...always]);
  const isOut = below(files.filter(isLeftOut).map((each) => String(each).slice(1)));
  return (path) => isListed(path) && !isOut(path);
}

function read(text: string): Manifest {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}
