// One room: a built room with its environment, for running commands.
import * as fs from "node:fs";
import { join } from "node:path";
import type { CheckResult, CheckRunner } from "../../checks/check.ts";
import { machineTrouble, UserError } from "../../core/errors.ts";
import type { Turns } from "../turns.ts";
import type { BuiltRoom } from "./builder.ts";
import { type Left, leftInScratch, leftSince } from "./left.ts";
import type { Room, RoomCommand, RoomFailure } from "./room.ts";

export type RoomParts = {
  readonly built: BuiltRoom;
  readonly env: Readonly<Record<string, string>>;
  readonly checks: CheckRunner;
  /** Only one command of all rooms runs at a time: two could want the same port, or disturb each other's timing. */
  readonly turns: Turns;
  /** Called when a command of this room starts. */
  readonly onStart: () => void;
};

export async function runIn(parts: RoomParts, order: RoomCommand, signal: AbortSignal): Promise<CheckResult> {
  return parts.turns.take(() => {
    parts.onStart();
    return runNow(parts, order, signal);
  });
}

async function runNow(
  { built, env, checks }: RoomParts,
  order: RoomCommand,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { door, strays } = built.enter(order.network ?? "open");
  const result = await checks.run(
    {
      name: order.name,
      command: order.command,
      cwd: built.cwd,
      door,
      timeoutMs: order.timeoutMs,
      outputFile: order.outputFile,
      env: { ...env, ...order.env },
      ...(order.browser === undefined ? {} : { browser: order.browser }),
      ...(order.library === undefined ? {} : { library: order.library }),
    },
    signal,
  );
  const isCut = result.how === "interrupted" || result.how === "timed-out";
  try {
    return { ...result, leftBehind: await strays(result.leftBehind) };
  } catch (error) {
    if (isCut) return result; // It may not have started.
    throw notEntered(result, built.logs, error);
  }
}

const notEntered = (result: CheckResult, dir: string, cause: unknown): UserError =>
  machineTrouble(new Error(result.tail)) ??
  (isFull(dir) ? machineTrouble(new Error("no space left on device")) : null) ??
  new UserError(
    "room-not-entered",
    {
      what: "A clean checkout could not be entered.",
      why: result.tail.split("\n").slice(-3).join(" ") || "The command that mounts it failed.",
      next: "See what the machine says about mounts (dmesg), then: loop continue",
    },
    { cause },
  );

/** On a full disk there is no room for the message that says so. */
function isFull(dir: string): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(dir);
    return bavail * bsize < 64 << 10;
  } catch {
    return false;
  }
}

export type ReadyRoom = RoomParts & {
  readonly failed: RoomFailure | null;
  readonly notes: readonly string[];
  /** What the build left in the tree, which does not count for any run. */
  readonly leftByBuild: Left;
};

export function asRoom(ready: ReadyRoom): Room {
  const { built, failed, notes, leftByBuild } = ready;
  return {
    cwd: built.cwd,
    out: built.out,
    failed,
    notes,
    run: (order, signal) => runIn(ready, order, signal),
    written: (path) => built.written(path),
    left: async () => leftSince(await built.left(), leftByBuild),
    leftInScratch: () => leftInScratch(built.scratch),
    close: () => built.close(),
  };
}

const preparationMs = 30 * 60_000;

/** Runs one of the loop's own commands to prepare a room. */
export const prepare = (parts: RoomParts, name: string, command: string, signal: AbortSignal): Promise<CheckResult> =>
  runIn(parts, { name, command, timeoutMs: preparationMs, outputFile: join(parts.built.logs, "prepare.log") }, signal);
