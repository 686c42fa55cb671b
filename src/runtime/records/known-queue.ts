// The known content of FEATURES.json, stored as the text once and then one letter per feature, so that a long queue is
// not written again for each change of status.

import { queueFile } from "../../formats/kept/run-files.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { QueueText, readStatusLine } from "../../formats/queue/queue-text.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import type { RunFiles } from "../ports.ts";

/** `base` is the checksum of the text that the statuses apply to; null: the text is stored whole instead. */
type Kept = { readonly version: 1; readonly base: string | null; readonly statuses: string };

const keptPath = "known/queue.json";
/**
 * Named by its content, so that one in use is never overwritten: a crash between two files leaves the old pair or the
 * new one.
 */
const basePath = (sum: string): string => `known/queue-${sum.slice(0, 16)}.json`;

/** Null: its text is stored whole, if at all. */
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
/** Cached, since it is needed several times per iteration. */
let drawn: Drawn | null = null;

function draw({ base: sum, statuses }: Kept, base: string): string | null {
  // A power cut may have truncated it; then it is ignored.
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

/** From now on, the text stored whole counts. */
export function forgetQueue(files: RunFiles): void {
  const kept: Kept = { version: 1, base: null, statuses: "" };
  if (files.read(keptPath) !== null) files.write(keptPath, JSON.stringify(kept), "derived");
}

let lastSum: { readonly raw: string; readonly sum: string } | null = null;

function sumOf(raw: string): string {
  if (lastSum?.raw !== raw) lastSum = { raw, sum: sha256(raw) };
  return lastSum.sum;
}

/** An unreadable file counts as missing: the next change writes it again. */
const readKept = (stored: string): Kept | null => queueFile.parseIfPossible<Kept>(stored);
