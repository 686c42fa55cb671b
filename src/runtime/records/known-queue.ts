// What the loop knows FEATURES.json to hold, kept as its text once and a letter a feature from then on: a long queue is not
// written a second time for each status that changes.
import { parseFeaturesJson } from "../../formats/features-json.ts";
import { parseJsonText } from "../../formats/json-text.ts";
import { QueueText, readStatusLine } from "../../formats/queue-text.ts";
import { sha256 } from "../../formats/sha256.ts";
import type { RunFiles } from "../ports.ts";

/** `base` is the sum of the text that the statuses belong into; null: the text is kept whole instead. */
type Kept = { readonly version: 1; readonly base: string | null; readonly statuses: string };

const keptPath = "known/queue.json";
/** By its content, so that one in use is never overwritten: a crash between two files leaves the old pair or the new. */
const basePath = (sum: string): string => `known/queue-${sum.slice(0, 16)}.json`;

/** Null: its text is kept whole, if any. */
export function knownQueue(files: RunFiles): string | null {
  const stored = files.read(keptPath);
  if (stored === null) return null;
  const kept = drawn?.stored === stored ? drawn.kept : readKept(stored);
  const base = kept?.base == null ? null : files.read(basePath(kept.base));
  if (kept === null || base === null) return null;
  if (drawn?.stored !== stored || drawn.base !== base) drawn = { stored, kept, base, text: draw(kept, base) };
  return drawn.text;
}

type Drawn = { readonly stored: string; readonly kept: Kept; readonly base: string; readonly text: string | null };
/** The last one, which is asked for several times an iteration. */
let drawn: Drawn | null = null;

function draw({ base: sum, statuses }: Kept, base: string): string | null {
  // A power cut may have left less of it: then it says nothing.
  if (sum === null || sumOf(base) !== sum) return null;
  const file = parseFeaturesJson(base, basePath(sum));
  const line = readStatusLine(statuses, file.features.length);
  return line === null ? null : new QueueText(file, (at) => line[at]).text;
}

export function rememberQueue(files: RunFiles, queue: QueueText): void {
  const { raw } = queue.file;
  const sum = sumOf(raw);
  let base = files.read(basePath(sum));
  if (base !== raw) {
    files.write(basePath(sum), raw);
    base = raw;
  }
  const kept: Kept = { version: 1, base: sum, statuses: queue.statusLine };
  const stored = JSON.stringify(kept);
  files.write(keptPath, stored, "derived");
  drawn = { stored, kept, base, text: queue.text };
}

/** From now on the text that is kept whole counts. */
export function forgetQueue(files: RunFiles): void {
  const kept: Kept = { version: 1, base: null, statuses: "" };
  if (files.read(keptPath) !== null) files.write(keptPath, JSON.stringify(kept), "derived");
}

let lastSum: { readonly raw: string; readonly sum: string } | null = null;

function sumOf(raw: string): string {
  if (lastSum?.raw !== raw) lastSum = { raw, sum: sha256(raw) };
  return lastSum.sum;
}

/** What cannot be read is as good as not there: it is written again with the next change. */
function readKept(stored: string): Kept | null {
  const json = parseJsonText(stored, { bytes: stored.length * 4, depth: 4 });
  if (!json.ok || typeof json.value !== "object" || json.value === null) return null;
  const { version, base, statuses } = json.value as Partial<Record<keyof Kept, unknown>>;
  if (version !== 1 || typeof statuses !== "string" || (base !== null && typeof base !== "string")) return null;
  return { version, base, statuses };
}
