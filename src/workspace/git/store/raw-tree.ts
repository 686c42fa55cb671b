// A git tree as bytes: one folder's entries, in git's order.

/** `name` is in latin1, so that names that are not valid UTF-8 stay unchanged. */
export type RawEntry = { mode: string; name: string; id: string };

export const treeMode = "40000";
const linkMode = "160000";
export const isTree = ({ mode }: RawEntry): boolean => mode === treeMode;
export const typeOf = ({ mode }: RawEntry): "tree" | "commit" | "blob" =>
  mode === treeMode ? "tree" : mode === linkMode ? "commit" : "blob";

export function parseTree(bytes: Buffer, idBytes: number): RawEntry[] {
  const found: RawEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    const next = end + 1 + idBytes;
    found.push({
      mode: bytes.toString("latin1", at, space),
      name: bytes.toString("latin1", space + 1, end),
      id: bytes.toString("hex", end + 1, next),
    });
    at = next;
  }
  return found;
}

export function treeBytes(entries: readonly RawEntry[]): Buffer {
  // Git sorts a folder as if its name ended with a slash.
  const key = (entry: RawEntry) => (isTree(entry) ? `${entry.name}/` : entry.name);
  const sorted = [...entries].sort((one, other) => (key(one) < key(other) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(id, "hex")]),
  );
}
