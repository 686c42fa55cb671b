// How often a stop was refused without a judgement: an unreadable hold cannot store its own count.
import * as fs from "node:fs";
import { dirname } from "node:path";
import { ensureDir } from "../host/disk.ts";

/** Enough for an agent to repair what it broke, and for a person to notice. */
const refusalsMax = 3;

const tallyFile = (file: string): string => `${file.replace(/\.json$/, "")}.tally`;

/**
 * Counts one more refusal, and returns whether it is allowed. If nothing can be written, a session that was already
 * blocked once is released: that needs no count, so it works on a full disk, too.
 */
export function mayRefuse(file: string, again: boolean, cap: number): boolean {
  try {
    ensureDir(dirname(file));
    fs.appendFileSync(tallyFile(file), ".", { mode: 0o600 });
    return fs.statSync(tallyFile(file)).size <= Math.min(refusalsMax, cap);
  } catch {
    return !again;
  }
}

export const forgetRefusals = (file: string): void => fs.rmSync(tallyFile(file), { force: true, recursive: true });
