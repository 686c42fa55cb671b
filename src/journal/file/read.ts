// Reads a journal while someone else may be writing it, for `loop status`: no lock, no repair, nothing changed.
import type { Journal } from "../journal.ts";
import type { FileJournalOptions } from "./open.ts";
import { findPast } from "./past.ts";

export type ReadOptions<Event> = Pick<
  FileJournalOptions<Event>,
  "vaultDir" | "mirrorDir" | "run" | "parse" | "stateVersion"
>;

/** A torn tail is a line being written, and is omitted. Damage is skipped only if opening would repair it. */
export function readFileJournal<Event, State>(options: ReadOptions<Event>): Journal<Event, State>["past"] {
  const found = findPast<State>(options, options.stateVersion);
  const { events, last } = found.is === "tail" ? found.chain : found.settled.chain;
  const snapshot = found.is === "tail" ? found.snapshot.state : null;
  return { snapshot, events: events.map(options.parse), seq: last.seq };
}
