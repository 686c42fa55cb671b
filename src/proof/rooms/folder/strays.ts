// Processes that a command left running in a room that is a plain folder, found by their working directory.
import * as fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { listProcesses, ourselves, type Process, signalProcess } from "../../../host/process/processes.ts";

const boundMs = 3000;

/**
 * Ends every process whose working directory is in the room. Nothing else finds a process that dropped its environment,
 * its parents and its output; one that also left the folder is not found.
 */
export async function endStrays(dirs: readonly string[]): Promise<number> {
  const found = new Set<number>();
  const until = performance.now() + boundMs;
  for (let now = inside(dirs); now.length > 0 && performance.now() < until; now = inside(dirs)) {
    for (const one of now) {
      found.add(one.pid);
      signalProcess(one, "SIGKILL");
    }
    await pause(20);
  }
  return found.size;
}

function inside(dirs: readonly string[]): Process[] {
  const all = listProcesses();
  const spared = ourselves(all);
  return all.filter((one) => {
    if (one.dead || spared.has(one.pid)) return false;
    const at = folderOf(one.pid);
    return dirs.some((dir) => at === dir || at.startsWith(`${dir}/`));
  });
}

function folderOf(pid: number): string {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, "");
  } catch {
    return ""; // Ended, another user's, or a system without such files.
  }
}
