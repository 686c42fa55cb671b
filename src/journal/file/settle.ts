// Decides the content of the vault's journal when it may be torn, damaged or missing. Pure: the caller writes it.
import { type Chain, type Flaw, readChain, splitLines } from "../chain.ts";
import { isSelfConsistent, type Link, linkOf } from "../line.ts";
import { damaged, tooNew } from "./errors.ts";

export type Settled = { bytes: Buffer; chain: Chain; how: How };
export type How =
  | { is: "kept" }
  | { is: "cut"; torn: Buffer; why: string }
  | { is: "restored"; spoiled: Buffer | null; why: string };

export type Copies = {
  /** Null: the file is missing. The twin is read only if the vault needs it. */
  vault: Buffer | null;
  twin: () => Buffer | null;
  first: Link;
  /** A line that a snapshot proves to have existed. */
  known: Link | null;
  vaultPath: string;
  twinPath: string;
};

export function settle(copies: Copies): Settled {
  const { vault, first, known } = copies;
  // An empty file counts as missing: its content is lost.
  if (vault === null || vault.length === 0) return fromTwinAlone(copies);
  const chain = readChain(vault, first);
  if (chain.flaw?.kind === "newer") throw tooNew(copies.vaultPath, chain.flaw);
  if (chain.flaw?.kind === "damaged") return fromTwin(vault, chain.flaw, copies);
  const found = known !== null && known.seq > chain.last.seq ? fromTwinThatHas(known, vault, chain, copies) : null;
  if (found !== null) return found;
  if (chain.flaw === null) return { bytes: vault, chain, how: { is: "kept" } };
  return spoiledNotTorn(vault, chain, chain.flaw, copies) ?? cut(vault, chain, chain.flaw);
}

function fromTwinAlone({ vault, twin, first, twinPath }: Copies): Settled {
  const bytes = twin() ?? Buffer.alloc(0);
  const chain = readChain(bytes, first);
  if (chain.flaw?.kind === "newer") throw tooNew(twinPath, chain.flaw);
  if (chain.flaw?.kind === "damaged") {
    throw damaged(twinPath, chain.flaw, "The vault's journal is gone: restore it from a backup, or start a new run.");
  }
  const sound = soundPart(bytes, chain);
  const how: How =
    chain.last.seq === 0 ? { is: "kept" } : { is: "restored", spoiled: vault, why: "the vault's journal was gone" };
  return { bytes: sound, chain: { ...chain, flaw: null }, how };
}

function cut(vault: Buffer, chain: Chain, flaw: Flaw): Settled {
  const torn = vault.subarray(chain.length);
  return { bytes: soundPart(vault, chain), chain: { ...chain, flaw: null }, how: { is: "cut", torn, why: flaw.why } };
}

/**
 * The vault is written first, so a line in the twin proves that the vault had it. A torn write is shorter than its
 * line; a last line as long as the twin's was complete and acknowledged, and was corrupted later.
 */
function spoiledNotTorn(vault: Buffer, chain: Chain, flaw: Flaw, { twin, first }: Copies): Settled | null {
  const bytes = twin();
  if (bytes === null || bytes.length <= chain.length || bytes.length > vault.length) return null;
  if (!startsWith(bytes, vault.subarray(0, chain.length))) return null;
  return restored(bytes, vault, flaw.why, first);
}

/** A valid vault that ends before its own snapshot has lost lines. */
function fromTwinThatHas(known: Link, vault: Buffer, chain: Chain, { twin, first }: Copies): Settled | null {
  const bytes = twin();
  if (bytes === null || !startsWith(bytes, soundPart(vault, chain))) return null;
  const line = splitLines(bytes)[known.seq - 1];
  if (line === undefined || linkOf(line.subarray(0, -1))?.sum !== known.sum) return null;
  return restored(bytes, vault, "lines were missing at the end", first);
}

/** Damage in the middle. Every line that is still valid must be in the twin too, or the twin is not trusted. */
function fromTwin(vault: Buffer, flaw: Flaw, { twin, first, vaultPath, twinPath }: Copies): Settled {
  const give = (next: string) => damaged(vaultPath, flaw, next);
  const bytes = twin();
  if (bytes === null) throw give("There is no second copy: restore the file from a backup, or start a new run.");
  const whole = soundPart(bytes, readChain(bytes, first));
  const lines = splitLines(whole);
  const known = new Set(lines.map(asKey));
  const mine = splitLines(vault);
  const sound = mine.filter((line) => isSelfConsistent(line.subarray(0, -1)));
  if (!sound.every((line) => known.has(asKey(line)))) {
    throw give(`The copy at ${twinPath} does not agree with the sound lines: restore one of them from a backup.`);
  }
  if (lines.length < mine.length && whole.length < vault.length) {
    throw give(`The copy at ${twinPath} has fewer lines: restore one of them from a backup, or start a new run.`);
  }
  const sure = upTo(mine.at(-1), lines, whole);
  return { bytes: sure, chain: readChain(sure, first), how: { is: "restored", spoiled: vault, why: flaw.why } };
}

/** Lines after the vault's valid last line cannot be ours: the vault is written first. */
function upTo(last: Buffer | undefined, lines: Buffer[], whole: Buffer): Buffer {
  if (last === undefined || !isSelfConsistent(last.subarray(0, -1))) return whole;
  const at = lines.findIndex((line) => line.equals(last));
  return Buffer.concat(lines.slice(0, at + 1));
}

function restored(bytes: Buffer, spoiled: Buffer, why: string, first: Link): Settled | null {
  const chain = readChain(bytes, first);
  return chain.flaw === null ? { bytes, chain, how: { is: "restored", spoiled, why } } : null;
}

const soundPart = (bytes: Buffer, chain: Chain): Buffer => bytes.subarray(0, chain.length);
const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start);
const asKey = (line: Buffer): string => line.toString("latin1");
