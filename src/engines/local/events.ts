// Reads events back. The journal's hash chain vouches for their bytes; this checks that this version knows them.
import { type Feature, featureDefaults } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import { isSignalType, type ResultEvent, type RunEvent } from "../../core/event.ts";

const results: Record<ResultEvent["type"], true> = {
  prepared: true,
  refused: true,
  observed: true,
  checkpointed: true,
  "session-reserved": true,
  "session-ended": true,
  collected: true,
  proved: true,
  committed: true,
  "head-moved": true,
  "rolled-back": true,
  held: true,
  released: true,
  "taken-up": true,
  closed: true,
  filed: true,
  woke: true,
  cut: true,
};

export function parseEvent(json: unknown): RunEvent {
  const type = typeof json === "object" && json !== null && "type" in json ? String(json.type) : "nothing";
  if (isSignalType(type) || Object.hasOwn(results, type)) return asToday(json as RunEvent);
  throw new UserError("journal-from-the-future", {
    what: "The run was not opened.",
    why: `Its journal holds an event that this version does not know: ${type}.`,
    next: "Use the version that wrote it, or a later one.",
  });
}

/** Converts features written by an earlier version: fields it did not have get the values that applied then. */
function asToday(read: RunEvent): RunEvent {
  // Time was measured between two events and stored in a different field.
  const event = read.sinceMs === undefined ? { ...read, sinceMs: "tookMs" in read ? read.tookMs : 0 } : read;
  if (event.type === "observed" && event.features !== null) return { ...event, features: event.features.map(whole) };
  if (event.type !== "session-ended" || event.ending.how !== "replied") return event;
  const { reply } = event.ending;
  if (reply.kind !== "planned") return event;
  return { ...event, ending: { how: "replied", reply: { ...reply, features: reply.features.map(whole) } } };
}

const whole = (feature: Feature): Feature => ({ ...featureDefaults, ...feature });
