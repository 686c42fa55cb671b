// The configuration file of a folder: exactly one. Two are an error, because one of them would be ignored.
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { autoloopNames, readAutoloop } from "../../formats/config/autoloop-yaml.ts";

/** `text` is in the terms of `loop.yaml`, whatever the file's name is. `unread`: files of autoloop that do not count. */
export type Configuration = { readonly name: string; readonly text: string; readonly unread?: readonly string[] };

/** `loop.yaml` and, where there is none, a file of autoloop. Null: there is none. */
export function configurationIn(folder: string, read: (name: string) => string | null): Configuration | null {
  refuseSecond(folder, ["loop.yaml", "loop.yml"]);
  const ours = read("loop.yaml");
  if (ours !== null) return { name: "loop.yaml", text: ours, unread: existing(folder, autoloopNames) };
  if (fs.existsSync(join(folder, "loop.yml"))) throw notRead(folder);
  refuseSecond(folder, autoloopNames);
  for (const name of autoloopNames) {
    const text = read(name);
    if (text !== null) return { name, text: `${JSON.stringify(readAutoloop(text, join(folder, name)))}\n` };
  }
  return null;
}

function refuseSecond(folder: string, names: readonly string[]): void {
  const found = existing(folder, names);
  if (found.length < 2) return;
  throw new UserError("two-configs", {
    what: "Nothing was started.",
    why: `${folder} has ${found.join(" and ")}, and only one of them can count.`,
    next: `Keep one of them: ${found.join(", ")}`,
  });
}

const existing = (folder: string, names: readonly string[]): string[] =>
  names.filter((name) => fs.existsSync(join(folder, name)));

/** Why a file of autoloop does not count. A person who edits it has to know. */
export const whyUnread = "not read, because loop.yaml exists";

const notRead = (folder: string): UserError =>
  new UserError("two-configs", {
    what: "Nothing was started.",
    why: `${join(folder, "loop.yml")} has a name that is not read.`,
    next: "Rename it: mv loop.yml loop.yaml",
  });
