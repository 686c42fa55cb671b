// The difference between two trees, and the content of one. Everything is read from the store.
import type { TreeId } from "../../../core/ids.ts";
import type { Change } from "../../workspace.ts";
import { fields } from "../git.ts";
import { type Ground, inStore } from "../ground.ts";
import { typeOf } from "./raw-tree.ts";
import { entries, entryAt, readBlob, readObjects } from "./stored-trees.ts";

const kinds: Readonly<Record<string, Change["kind"]>> = { A: "added", D: "deleted" };
const plainDiff = ["--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=none"];

/** `lines` is lines added plus lines removed; 0 for a binary file. */
export async function changes(ground: Ground, from: TreeId, to: TreeId): Promise<readonly Change[]> {
  if (from === to) return [];
  const known = ground.memory.changes.get(`${from} ${to}`);
  if (known !== undefined) return known;
  const args = ["diff-tree", "-r", "-z", "--raw", "--numstat", ...plainDiff, from, to, "--"];
  const listed = fields(await ground.git(args, inStore(ground)));
  const found = new Map<string, Change>();
  for (let at = 0; at < listed.length; at++) {
    const text = listed[at] ?? "";
    if (text.startsWith(":")) {
      const path = listed[++at] ?? "";
      const kind = kinds[text.slice(-1)] ?? "modified";
      const about = {
        ...(kind === "modified" ? modeIn(text) : {}),
        ...executableIn(text),
        ...(await linkIn(ground, text)),
      };
      found.set(path, { path, kind, binary: false, lines: 0, ...about });
    } else count(found, text);
  }
  const inOrder = [...found.values()]; // Git walks both trees in path order.
  ground.memory.changes.set(`${from} ${to}`, inOrder, inOrder.length + 1);
  return inOrder;
}

// ":100755 100644 …": the mode before and after.
const modeIn = (raw: string): { mode?: true } => (raw.slice(1, 7) === raw.slice(8, 14) ? {} : { mode: true });

const executableIn = (raw: string): { executable?: true } =>
  raw.slice(8, 14) === "100755" && raw.slice(1, 7) !== "100755" ? { executable: true } : {};

const [linkMode, submoduleMode] = ["120000", "160000"];

async function linkIn(ground: Ground, raw: string): Promise<Pick<Change, "linksTo" | "wasSubmodule">> {
  const [was, now, , id = ""] = raw.slice(1).split(" ");
  return {
    ...(now === linkMode ? { linksTo: (await readBlob(ground, id)).toString("utf8") } : {}),
    ...(was === submoduleMode && now !== submoduleMode ? { wasSubmodule: true } : {}),
  };
}

// "added<tab>deleted<tab>path", with dashes for a binary file.
function count(found: Map<string, Change>, text: string): void {
  const [added = "", deleted = "", ...rest] = text.split("\t");
  const path = rest.join("\t");
  const change = found.get(path);
  if (change === undefined) return;
  const binary = added === "-";
  found.set(path, { ...change, binary, lines: binary ? 0 : Number(added) + Number(deleted) });
}

export async function diff(ground: Ground, from: TreeId, to: TreeId, bytesMax: number): Promise<string> {
  const args = ["diff-tree", "-r", "-p", "--full-index", ...plainDiff, from, to, "--"];
  const { stdout, cut } = await ground.git(args, { ...inStore(ground), bytesMax });
  if (!cut) return stdout.toString("utf8");
  const whole = stdout.subarray(0, stdout.lastIndexOf("\n") + 1).toString("utf8");
  return `${whole}[The diff is longer and was cut after ${bytesMax} bytes.]\n`;
}

export async function read(ground: Ground, tree: TreeId, path: string): Promise<Buffer | null> {
  const entry = await entryAt(ground, tree, path);
  return entry === null || typeOf(entry) !== "blob" ? null : readBlob(ground, entry.id);
}

export async function list(ground: Ground, tree: TreeId): Promise<readonly string[]> {
  return (await entries(ground, tree)).filter(({ type }) => type === "blob").map(({ path }) => path);
}

const isFile = ({ mode }: { mode: string }): boolean => mode === "100644" || mode === "100755";

export async function readAll(
  ground: Ground,
  tree: TreeId,
  paths: readonly string[],
  bytesMax: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const wanted = new Set(paths);
  const files = (await entries(ground, tree)).filter((entry) => isFile(entry) && wanted.has(entry.path));
  const found = new Map<string, Buffer>();
  // In batches: all blobs of a large repository would not fit into one reply from git.
  for (let at = 0; at < files.length; at += partMax) {
    const part = files.slice(at, at + partMax);
    const blobs = await readObjects(
      ground,
      part.map(({ id }) => id),
    );
    for (const { path, id } of part) {
      const bytes = blobs.get(id)?.bytes;
      if (bytes !== undefined && bytes.length <= bytesMax) found.set(path, bytes);
    }
  }
  return found;
}
const partMax = 500;
