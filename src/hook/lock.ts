// The lock on the workspace, as hooks take it.
import { setTimeout as pause } from "node:timers/promises";
import { type Lock, Locked } from "../host/lock/lock.ts";
import { lockWorkspace } from "../project/place/lock.ts";

const names = { start: "loop hook start", continue: "loop hook continue", stop: "loop hook stop" } as const;

export const lockForHook = (root: string, what: keyof typeof names): Promise<Lock> => lockWorkspace(root, names[what]);

/** Waits for another hook on the same stop, but for nothing else: a run that has the workspace may take hours. */
export async function lockPatiently(root: string, cut: AbortSignal): Promise<Lock> {
  for (;;) {
    try {
      return await lockForHook(root, "stop");
    } catch (error) {
      if (!isHooks(error) || cut.aborted) throw error;
      await pause(100);
    }
  }
}

/** A process that has not said yet what it is for will have by the next look. */
const isHooks = (error: unknown): boolean =>
  error instanceof Locked && (error.owner === null || Object.values<string>(names).includes(error.owner.about));
