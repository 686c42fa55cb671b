// Claims the info file so that exactly one contender wins, even across namespaces.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isErrno, readIfExists, writeAtomic } from "../disk.ts";
import { judge, type Standing } from "./judge.ts";
import type { Owner } from "./owner.ts";

export type Claim =
  | { is: "mine"; tookOver: { why: string; owner: string; stolen: boolean } | null }
  | Exclude<Standing, { is: "stale" }>;

export type ClaimOptions = { path: string; me: Owner; socketIsOurs: boolean; steal: boolean };

/** Another process's takeover lasts a few milliseconds; after this many looks it is not about to end. */
const looksMax = 40;

export async function claim(options: ClaimOptions): Promise<Claim> {
  for (let look = 1; ; look++) {
    const found = readIfExists(options.path);
    const result = found === null ? createOwn(options) : takeOver(found, options);
    if (result !== "look-again") return result;
    if (look === looksMax) throw new Error(`${options.path} keeps changing hands`);
    await pause(5);
  }
}

/** Removes the file if it is still this owner's. */
export function unclaim(path: string, me: Owner): void {
  if (readIfExists(path) === textOf(me)) fs.rmSync(path, { force: true });
}

function createOwn({ path, me }: ClaimOptions): Claim | "look-again" {
  return createWhole(path, textOf(me)) ? { is: "mine", tookOver: null } : "look-again";
}

/**
 * "Look, then remove" is a race: two see the same dead owner, and the slower one removes the faster one's new file. So
 * a dead owner has one heir, the process that creates the file named after it; a dead heir has an heir too.
 */
function takeOver(found: string, options: ClaimOptions): Claim | "look-again" {
  const { path, me, socketIsOurs, steal } = options;
  const standing = judge(found, me, socketIsOurs);
  const stolen = standing.is === "elsewhere" && steal;
  if (standing.is !== "stale" && !stolen) return standing;
  const heirs: string[] = [];
  for (let dead = found; ; ) {
    const heir = heirOf(path, dead);
    heirs.push(heir);
    if (createWhole(heir, textOf(me))) break;
    const before = readIfExists(heir);
    if (before === null) return "look-again";
    const beforeStands = judge(before, me, socketIsOurs);
    if (beforeStands.is !== "stale" && !(beforeStands.is === "elsewhere" && steal)) return "look-again";
    dead = before;
  }
  // Heirs' files go only after the dead owner's file is replaced: if it is unchanged, this process is the only heir.
  const still = readIfExists(path) === found;
  if (still) writeAtomic(path, textOf(me), { durable: false });
  for (const heir of still ? heirs : heirs.slice(-1)) fs.rmSync(heir, { force: true });
  if (!still) return "look-again";
  return { is: "mine", tookOver: { why: standing.why, owner: found, stolen } };
}

const textOf = (me: Owner): string => `${JSON.stringify(me)}\n`;

const heirOf = (path: string, dead: string): string =>
  `${path}.heir-${createHash("sha256").update(dead).digest("hex").slice(0, 16)}`;

/** Creates a file with its full content in one step, or fails if it already exists. */
function createWhole(path: string, text: string): boolean {
  const beside = `${path}.${process.pid}-${process.hrtime.bigint()}.tmp`;
  fs.writeFileSync(beside, text, { flag: "wx", mode: 0o600 });
  try {
    fs.linkSync(beside, path);
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  } finally {
    fs.rmSync(beside, { force: true });
  }
}
