// Reads a git index from its bytes.

/** `path` is in latin1. */
export type StageEntry = { mode: string; id: string; path: string };

/** The checksum at the end, which identifies the content; null when the file has none or is not an index. */
export function checksumOf(index: Buffer, idBytes: number): string | null {
  const checksum = index.length < 12 + idBytes ? "" : index.toString("hex", index.length - idBytes);
  return index.toString("latin1", 0, 4) !== "DIRC" || /^0*$/.test(checksum) ? null : checksum;
}

/** The entries, in git's order; null where only git can tell (a split or sparse index, an unknown version). */
export function parseIndex(index: Buffer, idBytes: number): StageEntry[] | null {
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  const count = index.readUInt32BE(8);
  const found: StageEntry[] = [];
  let at = 12;
  let last = "";
  for (let nth = 0; nth < count; nth++) {
    const flagsAt = at + 40 + idBytes;
    const extended = version > 2 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
    let nameAt = flagsAt + (extended ? 4 : 2);
    let shared = "";
    if (version === 4) {
      const strip = offset(index, nameAt);
      shared = last.slice(0, last.length - strip.value);
      nameAt = strip.next;
    }
    const end = index.indexOf(0, nameAt);
    last = shared + index.toString("latin1", nameAt, end);
    const mode = index
      .readUInt32BE(at + 24)
      .toString(8)
      .padStart(6, "0");
    found.push({ mode, id: index.toString("hex", at + 40, at + 40 + idBytes), path: last });
    // Before version 4 an entry is padded with zeros, at least one, to a multiple of eight.
    at = version === 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8;
  }
  return hasForeignPart(index, at, idBytes) ? null : found;
}

// Git's variable-length number encoding.
function offset(index: Buffer, from: number): { value: number; next: number } {
  let next = from;
  let byte = index.readUInt8(next++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = index.readUInt8(next++);
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return { value, next };
}

// An extension whose name starts with a lowercase letter changes the meaning of the entries.
function hasForeignPart(index: Buffer, from: number, idBytes: number): boolean {
  const end = index.length - idBytes;
  for (let at = from; at + 8 <= end; at += 8 + index.readUInt32BE(at + 4)) if (index.readUInt8(at) >= 0x61) return true;
  return false;
}
