// Events of any size over a journal of small lines: a large event is a file of the run, and the line names it by its
// hash.
import { UserError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import type { RunFiles } from "../../runtime/ports.ts";
import { parseEvent } from "./events.ts";

/** A line of the journal: the event, or its type, time and the hash of its file. */
export type Line = RunEvent | (Pick<RunEvent, "type" | "at"> & { readonly payload: string });

const inlineCharsMax = 16_000;
const fileOf = (hash: string): string => `payloads/${hash}.json`;

/** The file must be on disk before the line that names it. */
export function packed(event: RunEvent, files: Pick<RunFiles, "write">): Line {
  const text = JSON.stringify(event);
  if (text.length <= inlineCharsMax) return event;
  const hash = sha256(text);
  files.write(fileOf(hash), text);
  return { type: event.type, at: event.at, payload: hash };
}

export function unpacked(json: unknown, files: Pick<RunFiles, "read">): RunEvent {
  const hash = payloadOf(json);
  if (hash === null) return parseEvent(json);
  const text = files.read(fileOf(hash));
  if (text === null || sha256(text) !== hash) throw lost(hash, text === null ? "missing" : "altered");
  return parseEvent(JSON.parse(text));
}

/** Null: the line is the event. A name that is not a hash is left to parseEvent, which refuses unknown events. */
function payloadOf(json: unknown): string | null {
  if (typeof json !== "object" || json === null || !("payload" in json)) return null;
  return typeof json.payload === "string" && /^[0-9a-f]{64}$/.test(json.payload) ? json.payload : null;
}

const lost = (hash: string, how: "missing" | "altered"): UserError =>
  new UserError("payload-lost", {
    what: "The run was not opened.",
    why: `Its file ${fileOf(hash)} is ${how}.`,
    next: "Restore the vault from a backup, or start a new run: loop run",
  });
