// What a subscriber gets first: the story as of an event, and the events since.
import type { Contract } from "../core/contract.ts";
import type { RunEvent } from "../core/event.ts";
import { follow, newStory } from "../report/story.ts";
import type { Item } from "./engine.ts";

/** `events` are all events since the beginning; number 1 is the first. */
export function pastItems(contract: Contract, events: readonly RunEvent[], from = events.length): Item[] {
  const seq = Math.min(from, events.length);
  const story = events.slice(0, seq).reduce(follow, newStory(contract));
  const since = events.slice(seq).map((event, at): Item => ({ type: "event", event, seq: seq + at + 1 }));
  return [{ type: "story", story, seq }, ...since];
}
