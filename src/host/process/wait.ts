// Waits of any length: a timer past 2^31-1 ms would fire at once.
import { setTimeout as pause } from "node:timers/promises";

const chunkMs = 60_000;

/** Resolves early, without an error, when `signal` aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const end = performance.now() + ms;
  await inChunks(() => end - performance.now(), signal);
}

/** By the wall clock, checked again each minute: correct after a suspend or a change of the clock. */
export async function sleepUntil(wallMs: number, signal?: AbortSignal): Promise<void> {
  await inChunks(() => wallMs - Date.now(), signal);
}

async function inChunks(left: () => number, signal: AbortSignal | undefined): Promise<void> {
  for (let ms = left(); ms > 0 && signal?.aborted !== true; ms = left()) {
    // At least a millisecond, or the last fraction would spin.
    const chunk = Math.max(1, Math.min(ms, chunkMs));
    await pause(chunk, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}
