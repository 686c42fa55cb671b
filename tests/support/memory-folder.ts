// Where the tests create their thousands of repositories: in memory, if there is enough and programs can run there.
// The sweeps of npm run faults stay on disk. TMPDIR in the environment overrides this.
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
  fs.chmodSync(dir, 0o1777); // Like /tmp: some tests switch to another user.
  if (!runsPrograms(dir)) teardown();
  else process.env["TMPDIR"] = dir;
}

export function teardown(): void {
  if (dir !== null) remove(dir);
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(memory);
    return bavail * bsize >= bytesMin && fs.statSync(memory).uid === 0;
  } catch {
    return false;
  }
}

/** Containers often mount it noexec. */
function runsPrograms(folder: string): boolean {
  const path = join(folder, "program");
  fs.writeFileSync(path, "#!/bin/sh\n", { mode: 0o755 });
  return spawnSync(path).status === 0;
}

/** Removes folders of killed test runs. */
function removeLeft(): void {
  for (const entry of fs.readdirSync(memory).filter((found) => found.startsWith(name))) {
    const isAlive = fs.existsSync(`/proc/${entry.slice(name.length)}`);
    if (!isAlive) remove(join(memory, entry));
  }
}

/** Node's own way cannot name a file that is thousands of folders down. */
function remove(folder: string): void {
  spawnSync("rm", ["-rf", "--", folder]);
}
