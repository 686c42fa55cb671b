// With --here an agent works in the person's folder, whose ignored files no checkpoint holds: installed packages, build
// output, .env. Inside walls it gets layers over the folders and copies of the files, kept for the task's next sessions.
import * as fs from "node:fs";
import { basename, join, posix } from "node:path";
import type { Apart } from "../../agents/session/session-walls.ts";
import type { TreeId } from "../../core/ids.ts";
import type { NoteKind } from "../../core/note-kinds.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import type { Confine } from "../../host/confine/confine.ts";
import { type LayerTrial, tryLayers } from "../../host/confine/layer-trial.ts";
import { prepareLayer } from "../../host/confine/layers.ts";
import { ensureDir, lstatIfExists, readIfExists, writeAtomic } from "../../host/disk.ts";
import { removeAll } from "../../proof/rooms/places.ts";
import { firstObstacle } from "../../workspace/git/files/bring-back.ts";
import { type IgnoredFiles, openIgnoredFiles } from "../../workspace/git/files/ignored-files.ts";
import { vaultsDir } from "../../workspace/vault.ts";
import { giveBack, isRealFolder, touchedIn } from "./ignored-changes.ts";

export type ApartOrder = {
  readonly root: string;
  readonly vault: string;
  readonly kind: "git" | "plain";
  /** The last commit's tree: what it holds is tracked, whatever the rules say. */
  readonly base: TreeId | null;
  readonly task: string;
  readonly note: (about: NoteKind, text: string) => void;
};
export type LaidApart = { readonly confine: Confine; readonly apart: Apart; settle(): Promise<void> };

/** Each layer is a mount; a folder full of ignored ones is left to what the disk and its backups do. */
const foldersMax = 100;
const filesMax = 200;
/** Larger files are not copied. */
const copyBytesMax = 256 << 20;
/** What is kept in quarantine besides the layer: more files than that are installed packages, or a build. */
const keptMax = { files: 500, bytes: 50 << 20 };

export const layersDir = (vault: string): string => join(vault, "layers");

const tried = new Map<string, Promise<LayerTrial>>();

/** Tried once by each process for a folder: it depends on the disks of the folder and of the vaults. */
export function layersFor(program: string, root: string): Promise<LayerTrial> {
  const key = JSON.stringify([program, root]);
  const trial = tried.get(key) ?? tryLayers(program, fs.realpathSync(root), vaultsDir());
  tried.set(key, trial);
  return trial;
}

/** Null: this machine has no layers. */
export async function layApart(program: string, order: ApartOrder): Promise<LaidApart | null> {
  const trial = await layersFor(program, order.root);
  if (!trial.works) return null;
  // A folder behind a link has two names inside, and a copy covers one of them.
  if (fs.realpathSync(order.root) !== order.root) return null;
  const ignored = await openIgnoredFiles({ root: order.root, vaultDir: order.vault, kind: order.kind });
  const store = join(layersDir(order.vault), order.task);
  ensureDir(store);
  fs.utimesSync(store, new Date(), new Date()); // prune-vault finds unused stores by this time.
  // The loop restores its own files itself.
  const found = (await ignored.list(order.base)).filter((path) => !path.startsWith(".loop/"));
  const laid = lay(ignored.root, store, found);
  const since = openedSince(store);
  return {
    confine: trial.confine,
    apart: { store, folders: laid.folders.map(({ layer }) => layer), copies: laid.copies },
    async settle() {
      await settle(laid, ignored, { store, since, note: order.note });
      fs.rmSync(openedFile(store), { force: true });
    },
  };
}

const openedFile = (store: string): string => join(store, "opened");

/** What a session wrote whose loop was killed was not looked at: it counts with what this one writes. */
function openedSince(store: string): number {
  const now = Date.now() - 20; // Clocks of file systems are coarse.
  const earlier = Number.parseInt(readIfExists(openedFile(store)) ?? "", 10);
  if (earlier < now) return earlier;
  writeAtomic(openedFile(store), `${now}\n`, { durable: false });
  return now;
}

type Laid = {
  readonly folders: readonly { readonly path: string; readonly layer: Apart["folders"][number] }[];
  readonly copies: readonly (Apart["copies"][number] & { readonly path: string })[];
  readonly links: readonly { readonly path: string; readonly to: string }[];
};

function lay(root: string, store: string, found: readonly string[]): Laid {
  const shallowFirst = [...found].sort((one, other) => one.split("/").length - other.split("/").length);
  const folders = shallowFirst.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
  const others = shallowFirst.filter((path) => !path.endsWith("/"));
  let bytes = 0;
  const isCopied = (path: string): boolean => {
    const stat = lstatIfExists(join(root, path));
    if (stat?.isFile() !== true || bytes + stat.size > copyBytesMax) return false;
    bytes += stat.size;
    return true;
  };
  return {
    folders: folders
      .filter((path) => lstatIfExists(join(root, path))?.isDirectory() === true)
      .slice(0, foldersMax)
      .map((path) => ({ path, layer: prepareLayer(store, nameOf(path), join(root, path)) })),
    copies: others
      .filter(isCopied)
      .slice(0, filesMax)
      .map((path) => ({ path, at: join(root, path), from: copyOf(store, root, path) })),
    links: others.flatMap((path) => {
      const at = join(root, path);
      return lstatIfExists(at)?.isSymbolicLink() === true ? [{ path, to: fs.readlinkSync(at) }] : [];
    }),
  };
}

const nameOf = (path: string): string => sha256(path).slice(0, 16);

/** What an agent made of it stays for its next session, unless the person has changed the file since. */
function copyOf(store: string, root: string, path: string): string {
  const [at, dir] = [join(root, path), join(store, nameOf(path))];
  const copy = join(dir, basename(path));
  const [known, now] = [lstatIfExists(copy), fs.statSync(at)];
  if (known?.isFile() === true && known.mtimeMs >= now.mtimeMs) return copy;
  removeAll(dir);
  ensureDir(dir);
  fs.copyFileSync(at, copy);
  fs.chmodSync(copy, now.mode & 0o777);
  fs.utimesSync(copy, now.atime, now.mtime);
  return copy;
}

type Settling = {
  readonly store: string;
  readonly since: number;
  readonly note: ApartOrder["note"];
};

async function settle(laid: Laid, ignored: IgnoredFiles, { store, since, note }: Settling): Promise<void> {
  for (const { path, why } of await ignored.setUnfitAside(since))
    note("file-refused", `${path} was moved to quarantine: ${why}.`);
  for (const { path, to } of laid.links) putBackLink(ignored.root, path, to);
  const upper = (name: string): string => join(store, name, "upper");
  const folders = laid.folders
    .map(({ path, layer }) => ({ prefix: `${path}/`, from: upper(layer.name), ...touchedIn(upper(layer.name), since) }))
    .filter(({ files, removed }) => files.length + removed > 0);
  const copies = laid.copies
    .filter(({ from, at }) => isChanged(from, at, since))
    .map(({ path, from }) => ({
      prefix: posix.dirname(path) === "." ? "" : `${posix.dirname(path)}/`,
      from: join(from, ".."),
      ...{ files: [basename(path)], removed: 0, bytes: fs.statSync(from).size },
    }));
  const changed = [...folders, ...copies];
  if (changed.length === 0) return;
  const kept = changed.filter(
    ({ files, bytes }) => files.length > 0 && files.length <= keptMax.files && bytes <= keptMax.bytes,
  );
  note("ignored", words(changed.map(({ prefix, files }) => (files.length === 1 ? prefix + files[0] : prefix))));
  try {
    if (kept.length > 0) await ignored.keep(kept, "an agent wrote these ignored files; yours were left alone");
  } catch {
    // An agent can write what git cannot read.
    note("ignored", `They could not be put into quarantine. They are in ${store}`);
  }
  await giveBackUnignored(laid, ignored, upper);
}

function isChanged(copy: string, original: string, since: number): boolean {
  const stat = lstatIfExists(copy);
  if (stat?.isFile() !== true || stat.ctimeMs < since) return false;
  fs.chmodSync(copy, stat.mode | 0o600);
  const now = lstatIfExists(original);
  return now?.isFile() !== true || now.size !== stat.size || !fs.readFileSync(copy).equals(fs.readFileSync(original));
}

/** Not where its folder is gone, or has become a link to another place. */
function putBackLink(root: string, path: string, to: string): void {
  const above = posix.dirname(path);
  const isThere = above === "." || isRealFolder(root, above);
  if (isThere && lstatIfExists(join(root, path)) === undefined) fs.symlinkSync(to, join(root, path));
}

const shownMax = 5;
function words(paths: readonly string[]): string {
  const more = paths.length > shownMax ? ` and ${paths.length - shownMax} more` : "";
  return `The agent changed ignored files in its own copies; yours were left alone: ${paths.slice(0, shownMax).join(", ")}${more}.`;
}

/** The agent took a rule back: what it wrote there is work now. */
async function giveBackUnignored(
  { folders, copies }: Laid,
  ignored: IgnoredFiles,
  upper: (name: string) => string,
): Promise<void> {
  const still = await ignored.among([...folders, ...copies].map(({ path }) => path));
  for (const { path, layer } of folders.filter((one) => !still.has(one.path))) {
    await giveBack(upper(layer.name), path, ignored);
    removeAll(join(upper(layer.name), ".."));
  }
  for (const { path, from, at } of copies.filter((one) => !still.has(one.path))) {
    if (firstObstacle(ignored.root, path) !== at || !isChanged(from, at, 0)) continue;
    await ignored.keep(
      [{ from: ignored.root, files: [path], prefix: "" }],
      "an agent changed it and no longer ignores it",
    );
    // Its copy is in the vault, and a file with holes would fill the disk here.
    if (fs.statSync(from).size <= copyBytesMax) fs.copyFileSync(from, at);
  }
}
