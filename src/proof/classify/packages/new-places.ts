// Places for product that the base does not have yet: a first `src`, a new package next to the others.
import type { Base } from "../base.ts";
import { isContainer, isEntryName, usualRoot } from "../names/folders.ts";
import { joined, seenFrom, stemOf } from "../paths.ts";

/** The folder of the package that a new file belongs to. A new folder in `packages` is a package before it has a manifest. */
export function packageFolder(path: string, base: Base): string {
  const { folder } = base.packageOf(path);
  const [container = "", child = "", ...rest] = seenFrom(folder, path).split("/");
  const place = joined(folder, `${container}/${child}`);
  return isContainer(container) && rest.length > 0 && place !== null && !base.tree.hasFolder(place) ? place : folder;
}

/** Null: the path is in no such place. Folders of the base already have their class. */
export function newPlace(path: string, base: Base): string | null {
  const folder = packageFolder(path, base);
  const [top = "", ...rest] = seenFrom(folder, path).split("/");
  if (rest.length === 0) return isEntryName(stemOf(path)) && base.isCode(path) ? "an entry, by its name" : null;
  const place = joined(folder, top) ?? "";
  return usualRoot(top) !== null && !base.tree.hasFolder(place) ? `in ${place}/, a product folder` : null;
}
