// Subscribes to a run that this process does not drive, by polling its files.
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { statIfExists } from "../../host/disk.ts";
import { runDir } from "../../project/home.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { Channel } from "../channel.ts";
import type { Item } from "../engine.ts";
import { pastItems } from "../past.ts";
import { isBusy } from "./driver.ts";
import { LiveReader } from "./live-file.ts";
import { readEvents, readStory } from "./read-story.ts";

const lookMs = 200;

export function followFile(root: string, run: string, from: number | undefined): Channel<Item> {
  let isOpen = true;
  const channel = new Channel<Item>(() => {
    isOpen = false;
  });
  look(channel, root, run, from, () => isOpen).then(
    () => channel.end(),
    (error: unknown) => channel.fail(error),
  );
  return channel;
}

/** How far a subscriber has been told. */
type Told = { readonly size: number; readonly seq: number; readonly phase: string };

async function look(
  channel: Channel<Item>,
  root: string,
  run: string,
  from: number | undefined,
  isOpen: () => boolean,
): Promise<void> {
  const dir = runDir(vaultDirFor(root), run);
  const live = new LiveReader(dir);
  const tell = (before: Told | null): Told => {
    const size = statIfExists(join(dir, "events.jsonl"))?.size ?? 0;
    if (before?.size === size) return before;
    const { plan, events } = readEvents(root, run);
    const items = pastItems(plan.contract, events, before?.seq ?? from);
    for (const item of before === null ? items : items.slice(1)) channel.push(item);
    return { size, seq: events.length, phase: readStory(root, run).story.run.now.is };
  };
  let told: Told | null = null;
  let atRest: Told | null = null;
  while (isOpen()) {
    // The lock is checked before the journal: once the driver has left, its events are complete.
    const isDriven = await isBusy(root, run);
    told = tell(told);
    for (const sign of live.read()) channel.push({ type: "sign", ...sign });
    const rests = !isDriven || told.phase === "resting" || told.phase === "stopped";
    if (rests && (atRest?.seq !== told.seq || !isDriven)) channel.push({ type: "rest" });
    atRest = rests ? told : null;
    if (!isDriven) return;
    await pause(lookMs);
  }
}
