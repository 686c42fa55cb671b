// The private repository in the vault, with a configuration that no agent can write.
import * as fs from "node:fs";
import { join } from "node:path";
import { ensureDir, readIfExists, writeAtomic } from "../../host/disk.ts";
import type { Vault } from "../vault.ts";
import type { Settings } from "./settings.ts";

/** A folder of the workspace that the loop must never take for content: `.git` is rebuilt in it before it gets its name. */
export const rebuildFolder = ".loop-git-rebuild";

/**
 * What the loop itself keeps in a workspace, half-written files included, and what a person tells it there. Anything else
 * below .loop was put there by somebody: it is seen, and goes when the rest goes.
 */
const ours = [".loop/tasks/", ".loop/shape/", ".loop/state.json*", ".loop/.gitignore*", `${rebuildFolder}/`];

// Bytes go in and come out as they are: these outrank whatever a `.gitattributes` file in the tree says.
const exactBytes = "* -text -eol -filter -ident -working-tree-encoding !diff !merge\n";
// An index only saves the reading of files: one that a power cut broke is made anew.
const durable = ["core.fsync=committed,derived-metadata", "core.fsyncMethod=batch"];

/** Makes or refreshes the store so that it fits the person's settings. Small files only, so it is done at every opening. */
export function prepareStore(vault: Vault, settings: Settings): void {
  for (const dir of [vault.store, vault.convert]) {
    if (!fs.existsSync(join(dir, "HEAD"))) init(dir);
    writeIfOther(join(dir, "config"), configuration(settings, dir === vault.convert));
  }
  writeIfOther(join(vault.store, "info", "attributes"), exactBytes);
  writeIfOther(join(vault.convert, "info", "attributes"), settings.attributes);
  writeIfOther(join(vault.store, "objects", "info", "alternates"), `${join(vault.copy, "objects")}\n`);
  ensureDir(join(vault.copy, "objects", "pack"));
  ensureDir(join(vault.copy, "objects", "info"));
  writeIfOther(vault.exclude, `${settings.excludes}${ours.map((rule) => `/${rule}\n`).join("")}`);
}

// What `git init` makes, without a process; HEAD comes last, so an unfinished folder is made again.
function init(dir: string): void {
  for (const folder of ["objects/info", "objects/pack", "refs", "info"]) ensureDir(join(dir, folder));
  writeAtomic(join(dir, "HEAD"), "ref: refs/heads/main\n");
}

function configuration(settings: Settings, converts: boolean): string {
  const format = settings.objectFormat === "sha1" ? [] : [`extensions.objectformat=${settings.objectFormat}`];
  const bytes = converts ? settings.conversions : ["core.autocrlf=false"];
  const all = [
    ...["core.bare=false", "core.safecrlf=false", "core.looseCompression=1", "core.bigFileThreshold=64m"],
    ...durable,
    ...settings.fileSystem,
    ...bytes,
    ...format,
  ];
  const version = settings.objectFormat === "sha1" ? 0 : 1;
  return `[core]\n\trepositoryformatversion = ${version}\n${all.map(entry).join("")}`;
}

function entry(setting: string): string {
  const at = setting.indexOf("=");
  const [section, name] = setting.slice(0, at).split(".");
  const value = setting
    .slice(at + 1)
    .replace(/["\\]/g, "\\$&")
    .replace(/\n/g, "\\n");
  return `[${section}]\n\t${name} = "${value}"\n`;
}

function writeIfOther(path: string, text: string): void {
  if (readIfExists(path) === text) return;
  ensureDir(join(path, ".."));
  writeAtomic(path, text);
}
