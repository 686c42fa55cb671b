// When the person last looked where things stand. Nothing depends on it: an unreadable file counts as none.
import { join } from "node:path";
import { lookFile } from "../../formats/kept/other-files.ts";
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import { vaultDirFor } from "../../workspace/vault.ts";

type Look = { readonly version: 1; readonly at: number; readonly before: number };

/** Looks that follow one another so closely are one: what was new in the morning stays on the screen until it is dealt with. */
const oneLookMs = 3_600_000;
const dayMs = 24 * 3_600_000;

const pathIn = (root: string): string => join(vaultDirFor(root), "look.json");

/** Since when things are new to the person. Before the first look: for a day. */
export function newSince(root: string, now: number): number {
  const look = lookFile.parseIfPossible<Look>(readIfExists(pathIn(root)) ?? "");
  if (look === null) return now - dayMs;
  return now - look.at < oneLookMs ? look.before : look.at;
}

export function rememberLook(root: string, now: number): void {
  const look: Look = { version: 1, at: now, before: newSince(root, now) };
  writeAtomic(pathIn(root), `${JSON.stringify(look)}\n`);
}
