// loop hook install, loop hook remove: changes only our hooks in the settings of claude.
import * as fs from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../core/errors.ts";
import { type Edited, hasHooks, withHooks, withoutHooks } from "../../hook/settings-file.ts";
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import { setExcluded } from "../../workspace/exclude.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";

export type InstallFlags = GlobalFlags & { user?: boolean; project?: boolean };

const program = fileURLToPath(new URL("../main.js", import.meta.url));
const plugin = fileURLToPath(new URL("../../../plugin", import.meta.url));
const backup = ".before-loopwright";

export function install(flags: InstallFlags): number {
  const context = contextOf(flags);
  const isShared = flags.project === true;
  const file = settingsFile(context.root, flags);
  const text = readSettings(file);
  // A person's own file names the exact program, so that it works with any PATH. A shared one cannot.
  const called = isShared ? "loop" : [process.execPath, program].map(quoted).join(" ");
  const edited = checked(file, withHooks(text, called, isShared));
  const isNew = !hasHooks(text);
  if (edited !== text) write(file, text, edited);
  if (isLocal(flags)) setExcluded(context.root, file, true);
  context.answer(
    `${edited === text ? "The hooks were there already:" : isNew ? "Added the hooks to" : "Renewed the hooks in"} ${file}\n`,
  );
  context.comment(
    `Sessions of claude that are started from now on can be held:\n  loop hook start "what should be done"\nTo see, resume or end a hold: loop hook status, loop hook continue, loop hook release\nThe /loopwright commands come with the plugin: claude --plugin-dir ${plugin}\nTo take the hooks out again: loop hook remove${scopeFlag(flags)}\n`,
  );
  return 0;
}

export function remove(flags: InstallFlags): number {
  const context = contextOf(flags);
  const file = settingsFile(context.root, flags);
  const text = readSettings(file);
  const edited = checked(file, withoutHooks(text));
  if (text === null || edited === text) return nothingToRemove(context, file);
  // If we created the file and nothing else is in it, remove it.
  if (edited.trim() === "{}" && !fs.existsSync(`${file}${backup}`)) {
    fs.rmSync(file);
    if (isLocal(flags)) setExcluded(context.root, file, false);
  } else write(file, text, edited);
  context.answer(`Took the hooks out of ${file}\n`);
  return 0;
}

function nothingToRemove(context: Context, file: string): number {
  context.answer(`There are no hooks of Loopwright in ${file}\n`);
  return 0;
}

function settingsFile(root: string, { user, project }: InstallFlags): string {
  if (user === true && project === true)
    throw new UserError("bad-flag", {
      what: "Nothing was changed.",
      why: "--user and --project name two files.",
      next: "Give one of them.",
    });
  if (user === true) return join(process.env["CLAUDE_CONFIG_DIR"] || join(homedir(), ".claude"), "settings.json");
  return join(root, ".claude", project === true ? "settings.json" : "settings.local.json");
}

/** A file of this machine alone: as an untracked file it would be in the way of every commit. */
const isLocal = ({ user, project }: InstallFlags): boolean => user !== true && project !== true;

/** In any of the files that claude reads. A plugin cannot be seen from here. */
export const isInstalled = (root: string): boolean =>
  [{}, { project: true }, { user: true }].some((flags) => hasHooks(readSettings(settingsFile(root, flags))));

const scopeFlag = ({ user, project }: InstallFlags): string => (user ? " --user" : project ? " --project" : "");

function readSettings(file: string): string | null {
  try {
    return readIfExists(file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(
      "settings-unreadable",
      { what: `${file} was not changed.`, why, next: "Make it a file that you can read, and try again." },
      { cause },
    );
  }
}

function checked(file: string, edited: Edited): string {
  if (edited.ok) return edited.text;
  throw new UserError("settings-broken", {
    what: `${file} was not changed.`,
    why: `It cannot be read as settings: ${edited.why}`,
    next: "Correct it, then run the same command again.",
  });
}

/** Follows a link to the real file: settings are often kept elsewhere. The original is kept as a backup. */
function write(file: string, before: string | null, text: string): void {
  fs.mkdirSync(dirname(file), { recursive: true });
  const real = before === null ? file : fs.realpathSync(file);
  const mode = before === null ? 0o644 : fs.statSync(real).mode & 0o777;
  if (before !== null && !hasHooks(before) && !fs.existsSync(`${file}${backup}`))
    writeAtomic(`${file}${backup}`, before, { mode });
  writeAtomic(real, text, { mode });
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
