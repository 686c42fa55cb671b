// The run's folder in the vault, and single files of the workspace: atomic writes with a crash before or after each.
import { Bug } from "../../core/errors.ts";
import type { RunFiles, WorkspaceDisk } from "../../runtime/ports.ts";
import type { Faults } from "./faults.ts";

/** The files of a run, kept in a map that outlives the simulated process. */
export function worldFiles(files: Map<string, string>, faults: Faults): RunFiles {
  return {
    path: (path) => `/vault/run/${path}`,
    read: (path) => files.get(path) ?? null,
    write(path, text) {
      faults.step(`before writing ${path}`);
      files.set(path, text);
      faults.step(`after writing ${path}`);
    },
  };
}

/** `written` gets every path that the loop itself writes, for the world's checks. */
export function worldDisk(folder: Map<string, string>, faults: Faults, written: (path: string) => void): WorkspaceDisk {
  return {
    read: (path) => folder.get(inside(path)) ?? null,
    write(path, text) {
      faults.step(`before writing ${path} in the workspace`);
      written(path);
      if (text === null) folder.delete(inside(path));
      else folder.set(inside(path), text);
      faults.step(`after writing ${path} in the workspace`);
    },
  };
}

function inside(path: string): string {
  if (path === "" || path.split("/").some((part) => part === "" || part === "." || part === ".."))
    throw new Bug(`not a path of the workspace: ${path}`);
  return path;
}
