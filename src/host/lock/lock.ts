// One writer at a time: a lock on a workspace that ends with its process and names its holder.
import { createHash } from "node:crypto";
import type { Server } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UserError } from "../../core/errors.ts";
import { ensureDir, readIfExists } from "../disk.ts";
import { type Claim, claim, unclaim } from "./claim.ts";
import { judge } from "./judge.ts";
import { isAlive, type Owner, parseOwner, thisProcess } from "./owner.ts";
import { addressOf, bindSocket, closeSocket, isBound } from "./socket.ts";

export type LockOptions = {
  /** Where the info file is stored, out of the agent's reach. */
  dir: string;
  /** The real path of the locked object. */
  key: string;
  /** What the holder is doing, shown to others who find it locked. `run …`: it drives a run. */
  about: string;
  /** A person confirms that the remote owner is gone. Does not override anything this machine can check itself. */
  steal?: boolean;
  /** `file` where the kernel has no lock that ends with its process; the default depends on the platform. */
  by?: "socket" | "file";
};

export type LockNotice = { kind: "stale-lock-taken-over" | "lock-stolen"; text: string };
export interface Lock {
  readonly notices: readonly LockNotice[];
  release(): Promise<void>;
}
/** `owner` is null when the lock is held but the holder is unknown. */
export type Holder = { owner: Owner | null; where: "here" | "elsewhere" };

/** Another process on this machine has it. `owner`: who, and for what; null: it has not said yet. */
export class Locked extends UserError {
  readonly owner: Owner | null;

  constructor(key: string, owner: Owner | null) {
    const isRun = owner !== null && isAboutRun(owner.about);
    super("workspace-locked", {
      what: isRun ? `A run is already active in ${key}` : `Another process works in ${key}`,
      why: owner === null ? "A process that has not said who it is has it locked." : `${describe(owner)}.`,
      next: isRun
        ? `See it: loop status. Stop it: loop pause, or loop cancel (pid ${owner.pid})`
        : "Wait until it has ended, then run the same command again.",
    });
    this.owner = owner;
  }
}

export async function acquireLock(options: LockOptions): Promise<Lock> {
  const { path, address } = placesOf(options);
  const me = thisProcess(options.about);
  const socket = usesSocket(options) ? await bindSocket(address) : null;
  if (usesSocket(options) && socket === null) throw new Locked(options.key, await ownerWhoHasTheSocket(path));
  try {
    const result = await claimIn({ ...options, path, me, socket });
    if (result.is === "held") throw new Locked(options.key, result.owner);
    if (result.is === "elsewhere") throw heldElsewhere(options.key, result.owner, result.why);
    return makeLock(path, me, socket, noticesOf(result, options.key));
  } catch (error) {
    if (socket !== null) await closeSocket(socket);
    throw error;
  }
}

/** The current holder, if any. Changes nothing. */
export async function whoHolds(options: Pick<LockOptions, "dir" | "key" | "by">): Promise<Holder | null> {
  const { path, address } = placesOf(options);
  const bound = usesSocket(options) && (await isBound(address));
  if (bound) return { owner: await ownerWhoHasTheSocket(path), where: "here" };
  const text = readIfExists(path);
  if (text === null) return null;
  const standing = judge(text, thisProcess(""), usesSocket(options));
  if (standing.is === "stale") return null;
  return { owner: standing.owner, where: standing.is === "held" ? "here" : "elsewhere" };
}

type Claiming = LockOptions & { path: string; me: Owner; socket: Server | null };

async function claimIn({ dir, path, me, socket, steal = false }: Claiming): Promise<Claim> {
  try {
    ensureDir(dir);
    return await claim({ path, me, socketIsOurs: socket !== null, steal });
  } catch (cause) {
    const why = `${path}: ${cause instanceof Error ? cause.message : String(cause)}.`;
    const next = `Make ${dir} a folder that you can write to.`;
    throw new UserError("lock-not-written", { what: "The workspace could not be locked.", why, next }, { cause });
  }
}

function makeLock(path: string, me: Owner, socket: Server | null, notices: LockNotice[]): Lock {
  let released: Promise<void> | null = null;
  const release = async () => {
    // Remove the file first: in the other order this could remove the next holder's file.
    unclaim(path, me);
    if (socket !== null) await closeSocket(socket);
  };
  return {
    notices,
    release: () => {
      released ??= release();
      return released;
    },
  };
}

function placesOf({ dir, key }: { dir: string; key: string }): { path: string; address: string } {
  const hash = createHash("sha256").update(key).digest("hex");
  return { path: join(dir, `${hash}.json`), address: addressOf(hash) };
}

const usesSocket = ({ by = process.platform === "linux" ? "socket" : "file" }: Pick<LockOptions, "by">): boolean =>
  by === "socket";

/** The file is written shortly after the socket is bound, so allow for a missing or stale file. */
async function ownerWhoHasTheSocket(path: string): Promise<Owner | null> {
  const { pidNamespace } = thisProcess("");
  for (let look = 0; look < 20; look++) {
    const owner = parseOwner(readIfExists(path) ?? "");
    if (owner !== null && (owner.pidNamespace !== pidNamespace || isAlive(owner))) return owner;
    await pause(10);
  }
  return null;
}

function noticesOf(result: Claim & { is: "mine" }, key: string): LockNotice[] {
  if (result.tookOver === null) return [];
  const { why, stolen } = result.tookOver;
  const kind = stolen ? "lock-stolen" : "stale-lock-taken-over";
  const how = stolen ? "taken from an owner that may be alive" : "left behind and was taken over";
  return [{ kind, text: `The lock on ${key} was ${how}: ${why}.` }];
}

/** A run can be paused; what else holds a lock is over soon, or waits for an answer at its own terminal. */
const isAboutRun = (about: string): boolean => /^run\b/.test(about);

function heldElsewhere(key: string, owner: Owner, why: string): UserError {
  return new UserError("lock-held-elsewhere", {
    what: `Another run may be active in ${key}`,
    why: `${describe(owner)}; ${why}, so nobody here can tell whether it still runs.`,
    next: "Once you are sure that it has ended, run the same command with --steal-lock",
  });
}

const describe = ({ pid, host, since, about }: Owner): string =>
  `Process ${pid} on ${host} has held it since ${since} (${about})`;
