// A run's events for a browser or a program, as they happen. Each has its number in the journal, so that a reader that
// was cut off goes on exactly where it was (Last-Event-ID).
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Engine, Item } from "../engines/engine.ts";
import { undoneIn } from "../engines/overview.ts";
import { overview } from "../report/overview.ts";
import { briefOf } from "./brief.ts";
import { beating, drained, message, retry, untilLeft } from "./sse.ts";

/** How often a run that no process drives is looked at. */
const lookMs = 1_000;

/** Until the reader leaves or `signal` aborts. */
export async function stream(
  response: ServerResponse,
  engine: Engine,
  run: string,
  from: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const beat = beating(response);
  const left = untilLeft(response, signal);
  let isOpen = true;
  void left.then(() => {
    isOpen = false;
  });
  const told = { seq: -1, isAtRest: false };
  try {
    response.write(retry);
    while (isOpen) {
      const items = engine.subscribe(run, told.seq === -1 ? from : told.seq);
      void left.then(() => items.return());
      for await (const item of items) {
        const text = await textOf(engine, run, item, told);
        if (text !== null && !response.write(text)) await drained(response);
      }
      await changed(engine, run, told.seq, () => isOpen, left);
    }
  } finally {
    clearInterval(beat);
    response.end();
  }
}

/** Null: the reader knows it. */
async function textOf(
  engine: Engine,
  run: string,
  item: Item,
  told: { seq: number; isAtRest: boolean },
): Promise<string | null> {
  if (item.type === "sign") return message("sign", item);
  if (item.type === "rest") {
    const isNews = !told.isAtRest;
    told.isAtRest = true;
    return isNews ? message("rest", {}) : null;
  }
  if (item.type === "story" && told.seq !== -1) return null;
  told.seq = item.seq;
  told.isAtRest = false;
  if (item.type === "event") return message("event", { seq: item.seq, event: item.event }, item.seq);
  const { isDriven } = await engine.read(run);
  return message(
    "story",
    briefOf(overview(item.story, { isDriven, undone: await undoneIn(engine, item.story) })),
    item.seq,
  );
}

async function changed(
  engine: Engine,
  run: string,
  seq: number,
  isOpen: () => boolean,
  left: Promise<void>,
): Promise<void> {
  while (isOpen() && (await engine.read(run)).seq === seq) await Promise.race([pause(lookMs), left]);
}
