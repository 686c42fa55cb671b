// The files of the person's folder that notify.command names: its program, or a script among its arguments. The command
// has the person's rights and no walls, and agents change files: so each counts only as it was when the run began.
import * as fs from "node:fs";
import { delimiter, resolve } from "node:path";
import { sha256 } from "../formats/text/sha256.ts";
import { statIfExists } from "../host/disk.ts";
import { isProgramOf } from "../host/own-programs.ts";

/** Their hashes, by absolute path. */
export type Prints = Readonly<Record<string, string>>;

export function printsOf(command: readonly string[], root: string): Prints {
  return Object.fromEntries(filesIn(command, root).map((path) => [path, printOf(path)]));
}

/** The file that is no longer as it was, or is new; null: all of them are. */
export function changedFile(command: readonly string[], root: string, before: Prints): string | null {
  const now = Object.entries(printsOf(command, root));
  return now.find(([path, print]) => print === unknown || before[path] !== print)?.[0] ?? null;
}

const unknown = "";

function printOf(path: string): string {
  try {
    return sha256(fs.readFileSync(path, "base64"));
  } catch {
    return unknown;
  }
}

function filesIn([program = "", ...args]: readonly string[], root: string): string[] {
  const paths = [...(program.includes("/") ? [program] : onPath(program)), ...args].map((word) => resolve(root, word));
  return [...new Set(paths)].filter((path) => isProgramOf(root, path) && isFile(path));
}

/** Wherever PATH leads, as the system looks it up: a repository may put its own folders there. */
const onPath = (name: string): string[] =>
  (process.env["PATH"] ?? "").split(delimiter).map((dir) => `${dir || "."}/${name}`);

/** A word of any text: it may be too long for a path, or lead through a file. */
function isFile(path: string): boolean {
  try {
    return statIfExists(path)?.isFile() === true;
  } catch {
    return false;
  }
}
