// The configuration file of a folder: exactly one. Two are an error, because one of them would be ignored.
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { autoloopNames, readAutoloop } from "../../formats/config/autoloop-yaml.ts";

/** `text` is in the terms of `loop.yaml`, whatever the file's name is. */
export type Configuration = { readonly name: string; readonly text: string; readonly notes?: readonly ConfigNote[] };

/** What a person who edits a file of autoloop has to know: it does not count, or not as it says. */
export type ConfigNote = { readonly file: string; readonly says: string };

/** `loop.yaml` and, where there is none, a file of autoloop. Null: there is none. */
export function configurationIn(folder: string, read: (name: string) => string | null): Configuration | null {
  refuseSecond(folder, ["loop.yaml", "loop.yml"]);
  const ours = read("loop.yaml");
  if (ours !== null) {
    const notes = existing(folder, autoloopNames).map((file) => ({ file, says: "not read, because loop.yaml exists" }));
    return { name: "loop.yaml", text: ours, notes };
  }
  if (fs.existsSync(join(folder, "loop.yml"))) throw notRead(folder);
  refuseSecond(folder, autoloopNames);
  for (const name of autoloopNames) {
    const text = read(name);
    if (text === null) continue;
    const { yaml, notes } = readAutoloop(text, join(folder, name));
    return { name, text: `${JSON.stringify(yaml)}\n`, notes: notes.map((says) => ({ file: name, says })) };
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

const notRead = (folder: string): UserError =>
  new UserError("two-configs", {
    what: "Nothing was started.",
    why: `${join(folder, "loop.yml")} has a name that is not read.`,
    next: "Rename it: mv loop.yml loop.yaml",
  });
