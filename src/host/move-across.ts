// Moves a file or a folder, also to another disk. Holes stay holes, pipes are not read, and depth does not matter.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { isErrno } from "./disk.ts";
import { systemPath } from "./own-programs.ts";

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
  const options = { cwd: dir.toString("utf8"), stdio: "ignore", env: { PATH: systemPath } } as const;
  execFileSync("cp", ["-a", ...sparse, "--", name, to], options);
  execFileSync("rm", ["-rf", "--", name], options);
}
