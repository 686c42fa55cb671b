// Reads both copies from start to end, for `loop doctor`. Changes nothing and needs no lock.
import { readBytesIfExists } from "../../host/disk.ts";
import { readChain } from "../chain.ts";
import { firstLink } from "../line.ts";
import { compareTwin, type Found, readTwin } from "./compare-twin.ts";
import type { Places } from "./past.ts";
import { journalIn } from "./paths.ts";

export type JournalReport = { vault: CopyReport; copy: CopyReport; same: boolean; difference: string | null };
export type CopyReport = {
  path: string;
  is: "whole" | "missing" | "torn" | "damaged" | "newer";
  lines: number;
  bytes: number;
  /** A description of the first flaw. */
  flaw: string | null;
};

export function verifyFileJournal(places: Places): JournalReport {
  const vaultPath = journalIn(places.vaultDir);
  const twinPath = journalIn(places.mirrorDir);
  const vault = readBytesIfExists(vaultPath);
  const twin = readTwin(twinPath, vault?.length ?? 0, null);
  const difference = vault === null ? "the vault has none" : differenceOf(twin, vault);
  return {
    vault: reportOn(vaultPath, vault, places.run),
    copy: reportOn(twinPath, twin.is === "file" ? twin.bytes : null, places.run),
    same: difference === null,
    difference,
  };
}

function differenceOf(twin: Found, vault: Buffer): string | null {
  const state = compareTwin(twin, vault);
  if (state.is === "altered") return state.why;
  if (state.is !== "start") return `it is ${state.is}`;
  return state.linesMissing === 0 ? null : `lines are missing at its end: ${state.linesMissing}`;
}

function reportOn(path: string, bytes: Buffer | null, run: string): CopyReport {
  if (bytes === null) return { path, is: "missing", lines: 0, bytes: 0, flaw: null };
  const { last, flaw } = readChain(bytes, firstLink(run));
  const where = flaw && `line ${flaw.line}, byte ${flaw.byte}: ${flaw.why}`;
  return { path, is: flaw?.kind ?? "whole", lines: last.seq, bytes: bytes.length, flaw: where };
}
