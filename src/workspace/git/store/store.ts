// The private repository in the vault, with a configuration that agents cannot write.
import * as fs from "node:fs";
import { join } from "node:path";
import { ensureDir, readIfExists, writeAtomic } from "../../../host/disk.ts";
import type { Vault } from "../../vault.ts";
import type { Settings } from "../repository/settings.ts";

/** A workspace folder that never counts as content: `.git` is rebuilt in it before it is renamed. */
export const rebuildFolder = ".loop-git-rebuild";

/** What was in the way of the loop's own folder, until that is there to take it. */
export const leftBeside = ".loop-set-aside-";

/**
 * The loop's own files in a workspace, including half-written ones and a person's instructions. Anything else below
 * .loop was put there by someone else: it counts as content, and is removed with the rest.
 */
const ours = [
  ".loop/tasks/",
  ".loop/records/",
  ".loop/shape/",
  ".loop/set-aside/",
  ".loop/state.json*",
  ".loop/.gitignore*",
  `${rebuildFolder}/`,
  `${leftBeside}*`,
];

// Bytes are stored and written unchanged: these attributes override any `.gitattributes` file in the tree.
const exactBytes = "* -text -eol -filter -ident -working-tree-encoding !diff !merge\n";
// An index only saves reading files: one that a power cut damaged is rebuilt.
const durable = ["core.fsync=committed,derived-metadata", "core.fsyncMethod=batch"];

/** Creates or updates the store to match the person's settings. Only small files, so it runs at every opening. */
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

// Does what `git init` does, without a process; HEAD comes last, so an unfinished folder is created again.
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
