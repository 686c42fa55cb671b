// What opening a journal finds: a snapshot and the lines after it, or all lines, and the required repairs.
import * as fs from "node:fs";
import { isErrno, readBytesIfExists } from "../../host/disk.ts";
import { type Chain, readChain } from "../chain.ts";
import type { JournalNotice } from "../journal.ts";
import { firstLink, type Link } from "../line.ts";
import { readTwin } from "./compare-twin.ts";
import { notRead, orUserError } from "./errors.ts";
import { journalIn } from "./paths.ts";
import { type Settled, settle } from "./settle.ts";
import { fits, type ReadSnapshot, readSnapshot, type Snapshot } from "./snapshot-file.ts";
import { readRange } from "./vault-file.ts";

export type Places = { vaultDir: string; mirrorDir: string; run: string };

export type Found<State> =
  | { is: "tail"; snapshot: Snapshot<State>; chain: Chain }
  | { is: "whole"; settled: Settled; notices: JournalNotice[] };

/** Read-only. */
export function findPast<State>(places: Places, stateVersion: number): Found<State> {
  return orUserError(notRead, journalIn(places.vaultDir), () => find(places, stateVersion));
}

function find<State>(places: Places, stateVersion: number): Found<State> {
  const read = readSnapshot<State>(places.vaultDir, stateVersion);
  const tail = read.is === "valid" ? readTail(read.snapshot, places) : null;
  if (read.is === "valid" && tail?.flaw === null) return { is: "tail", snapshot: read.snapshot, chain: tail };
  const notices = ignored(read, tail);
  return { is: "whole", settled: settleBoth(places, knownBy(read)), notices };
}

/** Null: the snapshot does not belong to this journal. */
function readTail(snapshot: Snapshot<unknown>, { vaultDir, run }: Places): Chain | null {
  let fd: number;
  try {
    fd = fs.openSync(journalIn(vaultDir), "r");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
  try {
    const length = fs.fstatSync(fd).size;
    if (!fits(snapshot, run, length, (from, to) => readRange(fd, from, to))) return null;
    return readChain(readRange(fd, snapshot.offset, length), snapshot.link);
  } finally {
    fs.closeSync(fd);
  }
}

function settleBoth(places: Places, known: Link | null): Settled {
  const vaultPath = journalIn(places.vaultDir);
  const twinPath = journalIn(places.mirrorDir);
  const vault = readBytesIfExists(vaultPath);
  const twin = () => {
    const found = readTwin(twinPath, vault === null ? journalBytesMax : vault.length, null);
    return found.is === "file" ? found.bytes : null;
  };
  return settle({ vault, twin, first: firstLink(places.run), known, vaultPath, twinPath });
}

/** Without a vault to compare with, a twin is read up to this size: more than any run writes, and it fits in memory. */
const journalBytesMax = 512 * 1024 * 1024;

function ignored(read: ReadSnapshot<unknown>, tail: Chain | null): JournalNotice[] {
  const say = (why: string): JournalNotice[] => [
    { kind: "snapshot-ignored", text: `The snapshot was not used: ${why}. The whole journal was read instead.` },
  ];
  if (read.is === "ignored") return say(read.why);
  if (read.is === "valid" && tail === null) return say("it does not belong to this journal");
  return [];
}

function knownBy(read: ReadSnapshot<unknown>): Link | null {
  if (read.is === "valid") return read.snapshot.link;
  return read.is === "ignored" ? read.known : null;
}
