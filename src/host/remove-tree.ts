// Removes a folder that an agent could write to, however deep it is.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { isErrno } from "./disk.ts";
import { ownPath, systemProgram } from "./own-programs.ts";

export function removeTree(dir: string): void {
  try {
    fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch (error) {
    if (!isErrno(error, "ENAMETOOLONG") && !(error instanceof RangeError)) throw error;
    // Node names each file by its whole path, of at most 4,096 bytes, and calls itself for each level.
    execFileSync(systemProgram("rm"), ["-rf", "--", dir], { stdio: "ignore", env: { PATH: ownPath() } });
  }
}
