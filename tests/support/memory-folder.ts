// Where the tests make their thousands of repositories: in memory, where the machine has room for that and runs programs there.
// The sweeps of npm run faults stay on the disk. TMPDIR in the environment decides otherwise.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
const bytesMin = 6 * 2 ** 30;
const name = "loopwright-tests-";
let dir: string | null = null;

export function setup(): void {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return;
  removeLeft();
  dir = join(memory, `${name}${process.pid}`);
  fs.mkdirSync(dir);
  fs.chmodSync(dir, 0o1777); // As /tmp is: some tests are somebody else for a while.
  if (!runsPrograms(dir)) teardown();
  else process.env["TMPDIR"] = dir;
}

export function teardown(): void {
  if (dir !== null) fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(memory);
    return bavail * bsize >= bytesMin && fs.statSync(memory).uid === 0;
  } catch {
    return false;
  }
}

/** A container often forbids it there. */
function runsPrograms(folder: string): boolean {
  const path = join(folder, "program");
  fs.writeFileSync(path, "#!/bin/sh\n", { mode: 0o755 });
  return spawnSync(path).status === 0;
}

/** What a run of the tests left that was killed. */
function removeLeft(): void {
  for (const entry of fs.readdirSync(memory).filter((found) => found.startsWith(name))) {
    const isAlive = fs.existsSync(`/proc/${entry.slice(name.length)}`);
    if (!isAlive) fs.rmSync(join(memory, entry), { recursive: true, force: true });
  }
}
