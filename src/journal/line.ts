// One journal line: an event in an envelope that proves its place in the chain. Encoded and decoded here and nowhere else.
import { createHash } from "node:crypto";
import { Bug } from "../core/errors.ts";

/** The end of a chain so far: the number and the sum of its last line. */
export type Link = { readonly seq: number; readonly sum: string };

export type Decoded =
  | { is: "line"; event: unknown; link: Link }
  /** Does not even prove itself: half a write, or spoiled bytes. */
  | { is: "garbled"; why: string }
  /** Proves itself, but does not belong here: no crash does that. */
  | { is: "misplaced"; why: string }
  /** Sound, but written by a release that knows more than this one. */
  | { is: "newer"; version: number };

/** Large payloads belong in files, named by hash: a small line is written in one piece and read back in no time. */
export const eventBytesMax = 64 * 1024;

const sumOpen = ',"sum":"';
const sumClose = '"}';
const tailLength = sumOpen.length + 64 + sumClose.length;
/** No sound line is longer: event, tail, newline, and a head with a sequence number of up to sixteen digits. */
export const lineBytesMax = eventBytesMax + tailLength + 256;

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** Where a run's chain hangs: a line of another run does not fit, so journals cannot be swapped. */
export const firstLink = (run: string): Link => ({ seq: 0, sum: sha256(run) });

const headAfter = (link: Link): string => `{"v":1,"seq":${link.seq + 1},"prev":"${link.sum}","event":`;

export function encodeLine(event: unknown, after: Link): { bytes: Buffer; link: Link } {
  const json: string | undefined = JSON.stringify(event);
  if (json === undefined || !json.startsWith("{")) throw new Bug("an event must be a JSON object");
  const size = Buffer.byteLength(json);
  if (size > eventBytesMax)
    throw new Bug(`an event of ${size} bytes is too large for the journal: ${json.slice(0, 100)}`);
  const body = headAfter(after) + json;
  const sum = sha256(body);
  return { bytes: Buffer.from(`${body}${sumOpen}${sum}${sumClose}\n`), link: { seq: after.seq + 1, sum } };
}

/** Decodes one line, given without its newline, that must follow `after`. */
export function decodeLine(bytes: Buffer, after: Link): Decoded {
  const text = bytes.toString("utf8");
  if (claimedSum(text) === null) return { is: "garbled", why: "the line does not end in its checksum" };
  const sum = provenSum(bytes);
  if (sum === null) return { is: "garbled", why: "the checksum does not match the line" };
  const head = headAfter(after);
  if (!text.startsWith(head)) return wrongHead(text, after);
  try {
    const event: unknown = JSON.parse(text.slice(head.length, -tailLength));
    return { is: "line", event, link: { seq: after.seq + 1, sum } };
  } catch {
    return { is: "misplaced", why: "the event is not JSON" };
  }
}

/** Whether a line proves itself, wherever in a chain it stands. */
export const isSelfConsistent = (bytes: Buffer): boolean => provenSum(bytes) !== null;

function provenSum(bytes: Buffer): string | null {
  const sum = sha256(bytes.subarray(0, bytes.length - tailLength));
  return claimedSum(bytes.toString("utf8")) === sum ? sum : null;
}

/** The link that a self-consistent line makes, by its own account. */
export function linkOf(bytes: Buffer): Link | null {
  const sum = provenSum(bytes);
  const seq = /^\{"v":1,"seq":(\d{1,16}),/.exec(bytes.toString("utf8"))?.[1];
  return seq === undefined || sum === null ? null : { seq: Number(seq), sum };
}

function claimedSum(text: string): string | null {
  const tail = text.slice(-tailLength);
  if (!tail.startsWith(sumOpen) || !tail.endsWith(sumClose)) return null;
  return tail.slice(sumOpen.length, -sumClose.length);
}

function wrongHead(text: string, after: Link): Decoded {
  const version = Number(/^\{"v":(\d{1,9}),/.exec(text)?.[1] ?? Number.NaN);
  if (version > 1) return { is: "newer", version };
  return { is: "misplaced", why: `the line does not follow line ${after.seq}` };
}
