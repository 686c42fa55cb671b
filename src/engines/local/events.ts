// Reads events back. Their bytes are vouched for by the journal's chain; here it is seen that this version knows them.
import { UserError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";

const types: Record<RunEvent["type"], true> = {
  begun: true,
  noted: true,
  "pause-requested": true,
  "cancel-requested": true,
  continued: true,
  answered: true,
  approved: true,
  rejected: true,
  amended: true,
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
  closed: true,
  filed: true,
  woke: true,
  cut: true,
};

export function parseEvent(json: unknown): RunEvent {
  const type = typeof json === "object" && json !== null && "type" in json ? String(json.type) : "nothing";
  if (Object.hasOwn(types, type)) return json as RunEvent;
  throw new UserError("journal-from-the-future", {
    what: "The run was not opened.",
    why: `Its journal holds an event that this version does not know: ${type}.`,
    next: "Use the version that wrote it, or a later one.",
  });
}
