// The loop's own files in a workspace, each read at most once: what is planned from them comes from the same texts.
import { readIfExists } from "../../host/disk.ts";
import type { WorkspaceDisk } from "../../runtime/ports.ts";
import { workspaceDisk } from "../place/workspace-disk.ts";
import { type Configuration, configurationIn } from "./config-files.ts";

/** Null: there was no such file. */
export type Texts = Readonly<Record<string, string | null>>;
export type Reader = Pick<WorkspaceDisk, "read">;

/** Remembers what it has read. */
export type ReadOnce = Reader & { readonly texts: Texts };

export function readOnce(root: string): ReadOnce {
  const disk = workspaceDisk(root);
  const texts: Record<string, string | null> = {};
  return {
    texts,
    read(path) {
      if (!Object.hasOwn(texts, path)) texts[path] = disk.read(path);
      return texts[path] ?? null;
    },
  };
}

/** Reads from texts that were read before. */
export const readerOf = (texts: Texts): Reader => ({ read: (path) => texts[path] ?? null });

/** A configuration file may be a link; the loop's own records may not. */
export const readConfiguration = (root: string, disk: Reader): Configuration | null =>
  configurationIn(root, (name) => disk.read(name) ?? (name === "loop.yaml" ? readIfExists(`${root}/${name}`) : null));
