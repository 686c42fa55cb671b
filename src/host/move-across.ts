// Moves a file or a folder, also to another disk. Holes stay holes, pipes are not read, and depth does not matter.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { isErrno } from "./disk.ts";
import { ownPath, systemProgram } from "./own-programs.ts";

export function moveAcross(from: Buffer, to: string): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if (!isErrno(error, "EXDEV")) throw error;
    copyAcross(from, to);
  }
}

/** Arguments of a program are text, so it gets another name first. Node's own copy writes every hole, and refuses pipes. */
function copyAcross(from: Buffer, to: string): void {
  const dir = from.subarray(0, from.lastIndexOf("/"));
  const name = `.moving-${randomBytes(6).toString("hex")}`;
  fs.renameSync(from, Buffer.concat([dir, Buffer.from(`/${name}`)]));
  const sparse = process.platform === "linux" ? ["--sparse=always"] : [];
  const [options, env] = [{ cwd: dir.toString("utf8"), stdio: "ignore" } as const, { PATH: ownPath() }];
  execFileSync(systemProgram("cp"), ["-a", ...sparse, "--", name, to], { ...options, env });
  execFileSync(systemProgram("rm"), ["-rf", "--", name], { ...options, env });
}
