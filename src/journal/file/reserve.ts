// Room set aside while there is some, so that a run on a full disk can still write how it ended.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { readBytesIfExists, writeAtomic } from "../../host/disk.ts";
import { reserveIn } from "./paths.ts";

const reserveBytes = 256 * 1024;

/** Returns whether the reserve stands. A disk too full for it is no reason not to open. */
export function setReserve(vaultDir: string): boolean {
  try {
    // Random bytes, because some file systems store zeros, or what compresses well, in no room at all.
    if (readBytesIfExists(reserveIn(vaultDir))?.length !== reserveBytes) {
      writeAtomic(reserveIn(vaultDir), randomBytes(reserveBytes));
    }
    return true;
  } catch {
    return false;
  }
}

/** Gives the room back to the disk; false when there was none to give. */
export function releaseReserve(vaultDir: string): boolean {
  try {
    fs.unlinkSync(reserveIn(vaultDir));
    return true;
  } catch {
    return false;
  }
}
