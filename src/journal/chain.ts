// Reads the bytes of a journal as a chain, as far as it is valid.
import { decodeLine, type Link } from "./line.ts";

export type Chain = {
  /** The events of the valid lines, as JSON values that have not been parsed yet. */
  events: unknown[];
  last: Link;
  /** The size of the valid lines in bytes. */
  length: number;
  flaw: Flaw | null;
};

/** The first error. A `torn` flaw is only the last line: what a crash during a write leaves. */
export type Flaw = { kind: "torn" | "damaged" | "newer"; line: number; byte: number; why: string };

const newline = 0x0a;

export function readChain(bytes: Buffer, from: Link): Chain {
  const events: unknown[] = [];
  let last = from;
  let length = 0;
  const stop = (kind: Flaw["kind"], why: string): Chain => {
    return { events, last, length, flaw: { kind, line: last.seq + 1, byte: length, why } };
  };
  while (length < bytes.length) {
    const end = bytes.indexOf(newline, length);
    if (end === -1) return stop("torn", "the line has no end");
    const decoded = decodeLine(bytes.subarray(length, end), last);
    if (decoded.is === "newer") return stop("newer", `the line has format version ${decoded.version}`);
    if (decoded.is === "misplaced") return stop("damaged", decoded.why);
    if (decoded.is === "garbled") return stop(end === bytes.length - 1 ? "torn" : "damaged", decoded.why);
    events.push(decoded.event);
    last = decoded.link;
    length = end + 1;
  }
  return { events, last, length, flaw: null };
}

/** The complete lines, valid or not, each with its newline. */
export function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0, end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    lines.push(bytes.subarray(start, end + 1));
    start = end + 1;
  }
  return lines;
}
