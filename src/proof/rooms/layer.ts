// A layer: a folder in the vault that lies under or over a tree in rooms, and that is never written to again.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import { newFolder, type Places, removeAll } from "./places.ts";

/**
 * `files`: ignored files that a person named. `home`: files of the person's home, for the room's home. `cache`: build
 * output of the base.
 */
export type LayerOf = (typeof layersOf)[number];
const layersOf = ["node", "python", "other", "files", "home", "cache"] as const;
export type Layer = {
  readonly of: LayerOf;
  /** The folder, relative to the folder of all rooms. */
  readonly name: string;
  /** What it holds, as paths in a room. */
  readonly roots: readonly string[];
};

const Note = z.object({
  version: z.literal(1),
  of: z.enum(layersOf),
  roots: z.array(z.string()),
  /** A fingerprint of each root where it was copied from. */
  fingerprints: z.record(z.string(), z.string()),
  bytes: z.number(),
  notes: z.array(z.string()),
});
export type LayerNote = z.infer<typeof Note>;

export const layerDir = (places: Places, layer: Layer): string => join(places.dir, layer.name);

export const nameFor = (folder: "kept" | "installed", of: LayerOf, parts: readonly string[]): string =>
  `${folder}/${of}-${createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 24)}`;

/** Null: the layer is missing, or its note cannot be read; it is then made again. */
export function readLayer(places: Places, name: string): { layer: Layer; note: LayerNote } | null {
  const text = readIfExists(join(places.dir, name, "layer.json"));
  const parsed = text === null ? null : Note.safeParse(jsonIn(text));
  if (parsed?.success !== true) return null;
  return { layer: { of: parsed.data.of, name: `${name}/files`, roots: parsed.data.roots }, note: parsed.data };
}

/** Fills a folder and then renames it, so that a crash leaves no half-made layer. */
export async function makeLayer(
  places: Places,
  name: string,
  fill: (dir: string) => Promise<Omit<LayerNote, "version">>,
): Promise<{ layer: Layer; note: LayerNote }> {
  const folder = newFolder(places);
  try {
    const files = join(folder, "files");
    fs.mkdirSync(files);
    const note: LayerNote = { version: 1, ...(await fill(files)) };
    writeAtomic(join(folder, "layer.json"), JSON.stringify(note));
    removeAll(join(places.dir, name));
    fs.renameSync(folder, join(places.dir, name));
    return { layer: { of: note.of, name: `${name}/files`, roots: note.roots }, note };
  } finally {
    removeAll(folder);
  }
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Removes the oldest layers of a folder, by last use. */
export function removeOldest(folder: string, keep: number): void {
  const found = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ path: join(folder, name), at: fs.statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  for (const { path } of found.slice(keep)) removeAll(path);
}

export const markUsed = (path: string): void => fs.utimesSync(path, new Date(), new Date());
