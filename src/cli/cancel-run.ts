// Cancels a run, and waits until it is over.
import type { Engine } from "../engines/engine.ts";
import { watch } from "../engines/watch.ts";
import { patienceMs } from "./commands/pause.ts";

/**
 * `quarantine`: where the work that was taken out of the folder is kept; null: nothing was. `left`: why unproved work could
 * not be taken out.
 */
export type Cancelled = { readonly quarantine: string | null; readonly left: string | null };

/** Null: it is not over in time, since it finishes what must not be cut short. */
export async function cancelRun(engine: Engine, run: string, { undo }: { undo: boolean }): Promise<Cancelled | null> {
  const { seq } = await engine.read(run);
  await engine.send(run, { type: "cancel-requested", ...(undo ? { undo } : {}) });
  const items = engine.subscribe(run, seq);
  const timer = setTimeout(() => void items.return(), patienceMs);
  let quarantine: string | null = null;
  let left: string | null = null;
  try {
    for await (const { item, story } of watch(items)) {
      if (item.type === "event" && item.event.type === "rolled-back") quarantine = item.event.quarantine;
      if (item.type === "event" && item.event.type === "refused") left = item.event.why;
      if (story.run.now.is === "stopped" && item.type === "rest") return { quarantine, left };
    }
    return null;
  } finally {
    clearTimeout(timer);
    await items.return();
  }
}
