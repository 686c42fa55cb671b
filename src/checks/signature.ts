// Which part of a check's output people and prompts see, and which part identifies a failure.
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { stripVTControlCharacters } from "node:util";

const tailBytes = 4096;
const linesMax = 200;

/** The last part, without colors, cursor moves, progress bars and other terminal codes. */
export function cleanTail(output: string): string {
  const text = plain(output);
  if (Buffer.byteLength(text) <= tailBytes) return text;
  const end = Buffer.from(text).subarray(-tailBytes).toString("utf8");
  return end.slice(end.indexOf("\n") + 1);
}

function plain(output: string): string {
  return (
    stripVTControlCharacters(output)
      .replaceAll("\r\n", "\n")
      // A lone carriage return overwrites the line: keep only the last text.
      .replaceAll(/^.*\r(?=[^\n])/gm, "")
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
      .trimEnd()
  );
}

/**
 * The same failure gives the same text, even from another scratch folder, at another time, with tests in another order.
 * Counts stay: two failing tests differ from one.
 */
export function signatureOf(how: string, output: string, cwd: string): string {
  const lines = normalise(plain(output), cwd).split("\n");
  const told = [...new Set(lines.slice(-linesMax).map((line) => line.trim()))].sort().join("\n");
  return createHash("sha256").update(`${how}\n${told}`).digest("hex").slice(0, 16);
}

// In this order: a line number looks like a time of day, and a date contains one.
const varying: readonly [RegExp, string][] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "<time>"],
  [/(\.[A-Za-z]\w{0,7})(?::\d+){1,2}\b/g, "$1:<line>"],
  [/(\.[A-Za-z]\w{0,7})\(\d+(?:,\d+)?\)/g, "$1:<line>"],
  [/\b(line|column|col)s?[ :]+\d+/gi, "$1 <line>"],
  [/\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d+/g, "$1:<port>"],
  [/\b(duration(?:_ms)?|elapsed|took)(["' :=]+)\d+(?:\.\d+)?/gi, "$1$2<duration>"],
  [/\b(pid|process|port|seed|node)([ :=#]+)\d+/gi, "$1$2<number>"],
  [/\b\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?(?: ?[AP]M)?\b/gi, "<time>"],
  [/\b\d+(?:\.\d+)?(?:e[+-]?\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/g, "<duration>"],
  [/\b\d{10}(?:\d{3})?\b/g, "<time>"],
  [/\b0x[0-9a-f]+\b/gi, "<address>"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/g, "<hash>"],
];

export function normalise(text: string, cwd: string): string {
  let now = text.replaceAll(cwd, "<here>");
  for (const folder of [tmpdir(), "/private/tmp", "/tmp", "/var/tmp", "/private/var/folders", "/var/folders"]) {
    now = now.replaceAll(new RegExp(`${escaped(folder)}/[^\\s:'")\\]]+`, "g"), "<temp>");
  }
  for (const [pattern, by] of varying) now = now.replaceAll(pattern, by);
  // A longer time is padded with fewer spaces.
  return now.replaceAll(/[ \t]+/g, " ");
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
