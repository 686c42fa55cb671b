// Where a run lives: its home in the vault, which is authoritative, and its mirror in the workspace, which is for
// reading.
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { isPlainName, type RunId, type TaskId } from "../../core/ids.ts";
import { ensureDir, readIfExists, writeAtomic } from "../../host/disk.ts";
import type { RunFiles } from "../../runtime/ports.ts";

export type RunHome = {
  /** The folder that the run works in: the person's, or a worktree. */
  readonly root: string;
  /** The vault of that folder. */
  readonly vault: string;
  /** The person's folder, and its vault, which has the runs of all places. */
  readonly project: Spot;
  readonly task: TaskId;
  readonly run: RunId;
  /** In the vault. */
  readonly dir: string;
  /** In the workspace. */
  readonly mirror: string;
};

export type Spot = { readonly root: string; readonly vault: string };

/** `at`: the worktree that it works in, and its vault. */
export function runHome(root: string, vault: string, task: TaskId, run: RunId, at: Spot = { root, vault }): RunHome {
  const mirror = join(at.root, ".loop", "tasks", task, "runs", run);
  return { root: at.root, vault: at.vault, project: { root, vault }, task, run, dir: runDir(vault, run), mirror };
}

export const runsDir = (vault: string): string => join(vault, "runs");
export const runDir = (vault: string, run: string): string => {
  if (!isPlainName(run)) {
    throw new UserError("no-such-run", {
      what: "The run was not opened.",
      why: `${JSON.stringify(run)} is not a run id.`,
      next: "loop list",
    });
  }
  return join(runsDir(vault), run);
};

/** The run's files in the vault. */
export function runFiles(dir: string): RunFiles {
  const path = (relative: string): string => join(dir, relative);
  return {
    path(relative) {
      ensureDir(join(path(relative), ".."));
      return path(relative);
    },
    read: (relative) => readIfExists(path(relative)),
    write(relative, text, durability = "durable") {
      ensureDir(join(path(relative), ".."));
      writeAtomic(path(relative), text, { durable: durability === "durable" });
    },
  };
}
