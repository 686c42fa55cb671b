// Subscribes to a run that this process does not drive, by polling its files.
import { setTimeout as pause } from "node:timers/promises";
import type { RunEvent } from "../../core/event.ts";
import { JournalTail } from "../../journal/file/tail.ts";
import { runDir, runFiles } from "../../project/runs/home.ts";
import { follow, newStory, type Story } from "../../report/story.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { Channel } from "../channel.ts";
import type { Item } from "../engine.ts";
import { pastItems } from "../past.ts";
import { isDriven } from "./driver.ts";
import { LiveReader } from "./live-file.ts";
import { unpacked } from "./payloads.ts";
import { homeOf, readEvents } from "./read-story.ts";

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
type Told = { readonly seq: number; readonly story: Story };

async function look(
  channel: Channel<Item>,
  root: string,
  run: string,
  from: number | undefined,
  isOpen: () => boolean,
): Promise<void> {
  const dir = runDir(vaultDirFor(root), run);
  const live = new LiveReader(dir);
  const { contract } = homeOf(root, run).plan;
  const files = runFiles(dir);
  const tail = new JournalTail<RunEvent>(dir, run, (json) => unpacked(json, files));
  const tell = (before: Told | null): Told => {
    const { after, events } = tail.read() ?? { after: 0, events: readEvents(root, run).events };
    // The first look has everything since the beginning.
    const since = before === null ? events : events.slice(Math.max(0, before.seq - after));
    const items = before === null ? pastItems(contract, events, from) : numbered(since, before.seq);
    for (const item of items) channel.push(item);
    const { seq, story } = before ?? { seq: 0, story: newStory(contract) };
    return since.length === 0 && before !== null
      ? before
      : { seq: seq + since.length, story: since.reduce(follow, story) };
  };
  let told: Told | null = null;
  let atRest: Told | null = null;
  while (isOpen()) {
    // The lock is checked before the journal: once the driver has left, its events are complete.
    const isUnderWay = await isDriven(root, run);
    told = tell(told);
    for (const sign of live.read()) channel.push({ type: "sign", ...sign });
    const rests = !isUnderWay || isAtRest(told);
    if (rests && (atRest?.seq !== told.seq || !isUnderWay)) channel.push({ type: "rest" });
    atRest = rests ? told : null;
    if (!isUnderWay) return;
    await pause(lookMs);
  }
}

const isAtRest = ({ story }: Told): boolean => story.run.now.is === "resting" || story.run.now.is === "stopped";
const numbered = (events: readonly RunEvent[], after: number): Item[] =>
  events.map((event, at) => ({ type: "event", event, seq: after + at + 1 }));
