// Keeps the loop's own files as the loop wrote them: an agent's edit is undone and mentioned, never believed.
import type { Violation } from "../../core/event.ts";
import type { Ports, RunFiles } from "../ports.ts";
import { inputPaths, recordPaths } from "./paths.ts";

const guarded = (recordsDir: string): string[] => [...recordPaths(recordsDir), ...inputPaths];
const place = (path: string): string => `known/${path}`;

/** What the loop knows a guarded file to hold; null: no such file. */
export function known(files: RunFiles, path: string): string | null {
  return files.read(place(path));
}

export function remember(files: RunFiles, path: string, text: string): void {
  files.write(place(path), text);
}

/** Takes the files as they are: only while no agent has been at work since the loop last looked. */
export function rememberAll({ disk, files }: Pick<Ports, "disk" | "files">, recordsDir: string): void {
  for (const path of guarded(recordsDir)) {
    const text = disk.read(path);
    if (text !== null && text !== known(files, path)) remember(files, path, text);
  }
}

/** Puts back what a session changed. */
export function repairGuarded({ disk, files }: Pick<Ports, "disk" | "files">, recordsDir: string): Violation[] {
  const violations: Violation[] = [];
  for (const path of guarded(recordsDir)) {
    const was = known(files, path);
    const is = disk.read(path);
    if (was === is || (was === null && inputPaths.includes(path as "loop.yaml"))) continue;
    disk.write(path, was);
    const what = is === null ? "was deleted" : was === null ? "was written" : "was edited";
    violations.push({ kind: "record-edited", what: `${path} ${what} by the agent; it was put back.`, grave: false });
  }
  return violations;
}
