// The snapshot next to the journal: the state after a given line, so that the next opening reads only later lines.
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import { firstLink, type Link, lineBytesMax, linkOf, sha256 } from "../line.ts";
import { snapshotIn } from "./paths.ts";

export type Snapshot<State> = { state: State; link: Link; offset: number };

export type ReadSnapshot<State> =
  | { is: "none" }
  | { is: "valid"; snapshot: Snapshot<State> }
  /** `known`: an intact snapshot proves its line, even if its state is unusable. */
  | { is: "ignored"; why: string; known: Link | null };

const checksumOpen = ',"checksum":"';
const tailLength = checksumOpen.length + 64 + 2;

export function writeSnapshot<State>(
  dir: string,
  stateVersion: number,
  { state, link, offset }: Snapshot<State>,
): void {
  const body = JSON.stringify({ v: 1, stateVersion, seq: link.seq, offset, sum: link.sum, state }).slice(0, -1);
  writeAtomic(snapshotIn(dir), `${body}${checksumOpen}${sha256(body)}"}`);
}

export function readSnapshot<State>(dir: string, stateVersion: number): ReadSnapshot<State> {
  const text = readIfExists(snapshotIn(dir));
  if (text === null) return { is: "none" };
  const body = text.slice(0, -tailLength);
  if (text.slice(-tailLength) !== `${checksumOpen}${sha256(body)}"}`) {
    return { is: "ignored", why: "its checksum does not match", known: null };
  }
  // With a valid checksum, `writeSnapshot` of this or another release wrote the text.
  const read = JSON.parse(`${body}}`) as Stored<State>;
  if (read.v !== 1) return { is: "ignored", why: `its format version is ${read.v}`, known: null };
  const link = { seq: read.seq, sum: read.sum };
  if (read.stateVersion !== stateVersion) {
    return { is: "ignored", why: `its state has version ${read.stateVersion}, not ${stateVersion}`, known: link };
  }
  return { is: "valid", snapshot: { state: read.state, link, offset: read.offset } };
}

type Stored<State> = { v: number; stateVersion: number; seq: number; offset: number; sum: string; state: State };

/** Whether the journal, read through `read`, has the snapshot's line just before the snapshot's offset. */
export function fits(
  { link, offset }: Snapshot<unknown>,
  run: string,
  length: number,
  read: (from: number, to: number) => Buffer,
): boolean {
  if (offset === 0) return link.seq === 0 && link.sum === firstLink(run).sum;
  if (offset > length) return false;
  const before = read(Math.max(0, offset - lineBytesMax), offset);
  if (before.at(-1) !== 0x0a) return false;
  const start = before.lastIndexOf(0x0a, before.length - 2) + 1;
  const found = linkOf(before.subarray(start, -1));
  return found?.seq === link.seq && found.sum === link.sum;
}
