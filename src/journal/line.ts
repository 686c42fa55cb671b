// One journal line: an event in an envelope that proves its place in the chain. The only encoder and decoder.
import { createHash } from "node:crypto";
import { Bug } from "../core/errors.ts";

/** The current end of a chain: the number and the checksum of its last line. */
export type Link = { readonly seq: number; readonly sum: string };

export type Decoded =
  | { is: "line"; event: unknown; link: Link }
  /** The checksum is invalid: half a write, or corrupted bytes. */
  | { is: "garbled"; why: string }
  /** The checksum is valid, but the line does not belong here: no crash does that. */
  | { is: "misplaced"; why: string }
  /** Valid, but written by a newer release. */
  | { is: "newer"; version: number };

/** Large payloads belong in files, named by hash: a small line is written in one piece and read quickly. */
export const eventBytesMax = 64 * 1024;

const sumOpen = ',"sum":"';
const sumClose = '"}';
const tailLength = sumOpen.length + 64 + sumClose.length;
/** No valid line is longer: event, tail, newline, and a head with a sequence number of up to sixteen digits. */
export const lineBytesMax = eventBytesMax + tailLength + 256;

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** The start of a run's chain: lines of another run do not fit, so journals cannot be swapped. */
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

/** Decodes one line, without its newline, that must follow `after`. */
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

/** Whether a line's checksum is valid, at any position in a chain. */
export const isSelfConsistent = (bytes: Buffer): boolean => provenSum(bytes) !== null;

function provenSum(bytes: Buffer): string | null {
  const sum = sha256(bytes.subarray(0, bytes.length - tailLength));
  return claimedSum(bytes.toString("utf8")) === sum ? sum : null;
}

/** The link that a self-consistent line claims. */
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
