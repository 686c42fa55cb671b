// The workspaces that the person has registered. Only these are served, and only their triggers fire.
import { createHash } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { UserError } from "../core/errors.ts";
import { readIfExists, writeAtomic } from "../host/disk.ts";
import type { Confirmed } from "./triggers/confirmed.ts";

const workspace = z
  .strictObject({
    id: z.string(),
    root: z.string(),
    /** The hash of the settings that the person has confirmed with the triggers. With others, no trigger fires. */
    triggers: z.string().nullable(),
    /** These settings, to show later what has changed. Earlier releases recorded none. */
    settings: z
      .array(z.tuple([z.string(), z.string()]).readonly())
      .readonly()
      .default([]),
  })
  .refine(({ id, root }) => id === idOf(root), "the id belongs to another folder");
const registry = z.strictObject({ version: z.literal(1), workspaces: z.array(workspace) });
export type Registered = Readonly<z.infer<typeof workspace>>;

export function readRegistry(path: string): readonly Registered[] {
  const text = readIfExists(path);
  try {
    return text === null ? [] : registry.parse(JSON.parse(text)).workspaces;
  } catch (cause) {
    throw new UserError(
      "bad-config",
      {
        what: "The list of workspaces cannot be read.",
        why: `${path} is damaged.`,
        next: `Correct it, or remove ${path}, then: loop serve --add DIR`,
      },
      { cause },
    );
  }
}

/** Adds the folder, or confirms its triggers again. */
export function register(path: string, root: string, { triggers, settings }: Confirmed): Registered {
  const added = { id: idOf(root), root, triggers, settings };
  const others = readRegistry(path).filter((each) => each.root !== root);
  write(path, [...others, added]);
  return added;
}

/** False: it was not registered. */
export function unregister(path: string, dir: string): boolean {
  const root = existsSync(dir) ? realpathSync(dir) : dir;
  const before = readRegistry(path);
  const after = before.filter((each) => each.root !== root);
  if (after.length < before.length) write(path, after);
  return after.length < before.length;
}

const write = (path: string, workspaces: readonly Registered[]): void =>
  writeAtomic(path, `${JSON.stringify({ version: 1, workspaces }, null, 2)}\n`);

export function folderAt(dir: string): string {
  if (existsSync(dir) && statSync(dir).isDirectory()) return realpathSync(dir);
  throw new UserError("no-workspace", {
    what: "Nothing was registered.",
    why: `${dir} is not a folder.`,
    next: "loop serve --add DIR",
  });
}

/** The name is for people, the hash makes it unique. */
function idOf(root: string): string {
  const slug = basename(root)
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${slug === "" ? "root" : slug}-${createHash("sha256").update(root).digest("hex").slice(0, 8)}`;
}
