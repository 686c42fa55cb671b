// How often a stop was refused without being judged: a hold that cannot be read has no place for a count of its own.
import * as fs from "node:fs";
import { dirname } from "node:path";
import { ensureDir } from "../host/disk.ts";

/** Enough for an agent to put right what it broke, and for a person to notice. */
const refusalsMax = 3;

const tallyFile = (file: string): string => `${file.replace(/\.json$/, "")}.tally`;

/**
 * Counts one more refusal, and says whether there may be one. Where nothing can be written, a session that was stopped
 * from ending once already is let go: no count is needed for that, so it ends on a full disk, too.
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
