// Disk space reserved in advance, so that a run on a full disk can still write how it ended.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { readBytesIfExists, writeAtomic } from "../../host/disk.ts";
import { reserveIn } from "./paths.ts";

const reserveBytes = 256 * 1024;

/** Returns whether the reserve exists. Opening works without it on a full disk. */
export function setReserve(vaultDir: string): boolean {
  try {
    // Random bytes, because some file systems store zeros or compressible data without using space.
    if (readBytesIfExists(reserveIn(vaultDir))?.length !== reserveBytes) {
      writeAtomic(reserveIn(vaultDir), randomBytes(reserveBytes));
    }
    return true;
  } catch {
    return false;
  }
}

/** Frees the space; false when there was no reserve. */
export function releaseReserve(vaultDir: string): boolean {
  try {
    fs.unlinkSync(reserveIn(vaultDir));
    return true;
  } catch {
    return false;
  }
}
