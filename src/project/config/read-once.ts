// The loop's own files in a workspace, each read at most once: what is planned from them comes from the same texts.
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
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

/** A larger one is no configuration, and to parse it would take long. */
export const configBytesMax = 1 << 20;

const tooLarge = (path: string): UserError =>
  new UserError("not-a-file", {
    what: `${path} was not read.`,
    why: `It is larger than ${configBytesMax >> 10} kB.`,
    next: `Replace it with a configuration: ${path}`,
  });

/** A configuration file may be a link; the loop's own records may not. */
export const readConfiguration = (root: string, disk: Reader): Configuration | null =>
  configurationIn(root, (name) => {
    const text = disk.read(name) ?? (name === "loop.yaml" ? readIfExists(join(root, name), configBytesMax) : null);
    if (text !== null && text.length > configBytesMax) throw tooLarge(join(root, name));
    return text;
  });
