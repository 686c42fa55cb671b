// Layers: folders that a confined process changes only for itself. The kernel lays a second folder over the real one, and
// everything that is written or removed lands there.
import * as fs from "node:fs";
import { join } from "node:path";
import { ensureDir } from "../disk.ts";
import { ownProgram } from "../own-programs.ts";
import { removeTree } from "../remove-tree.ts";
import type { Layer, Layers } from "./confine.ts";

/** Of the system where it has them: these start before the walls stand. */
const program = (name: string): string => ownProgram(name, {});

/** Makes the folders of a layer over `at`. What an earlier process wrote is still there. */
export function prepareLayer(store: string, name: string, at: string, lower = at): Layer {
  const dir = join(store, name);
  ensureDir(join(dir, "upper"));
  // Its permissions are those of the folder inside.
  fs.chmodSync(join(dir, "upper"), fs.statSync(lower).mode & 0o777);
  const link = join(dir, "lower");
  fs.rmSync(link, { force: true });
  fs.symlinkSync(lower, link);
  dropWork(dir);
  fs.mkdirSync(join(dir, "work"), { mode: 0o700 });
  return { at, name };
}

/** The kernel leaves folders in it that not even their owner may open. */
function dropWork(dir: string): void {
  const work = join(dir, "work");
  if (!fs.existsSync(work)) return;
  openUp(work);
  fs.rmSync(work, { recursive: true, force: true });
}

function openUp(dir: string): void {
  fs.chmodSync(dir, 0o700);
  for (const entry of fs.readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory()) openUp(join(dir, entry.name));
}

/** Removes one layer of a store. */
export function dropLayer(store: string, name: string): void {
  const dir = join(store, name);
  if (!fs.existsSync(dir)) return;
  dropWork(dir);
  removeTree(dir);
}

/** Removes a store with all its layers. */
export function dropStore(store: string): void {
  if (!fs.existsSync(store)) return;
  for (const entry of fs.readdirSync(store, { withFileTypes: true }))
    if (entry.isDirectory()) dropWork(join(store, entry.name));
  removeTree(store);
}

/**
 * Not synced: after a power cut, what an agent wrote to a layer may be damaged, but never what lies below. A link stands
 * for the lower folder: a path may hold characters that mean something in a mount option.
 */
const options = ({ name }: Layer): string =>
  `lowerdir=${name}/lower,upperdir=${name}/upper,workdir=${name}/work,index=off,volatile,userxattr`;

/** The command that makes the mounts in its own namespace and then starts the rest of the command line. */
export function mountedFirst({ store, folders }: Layers): string[] {
  const [mount, remove, make] = [program("mount"), program("rm"), program("mkdir")];
  const script = [
    "set -e",
    `cd ${quoted(store)}`,
    // The kernel refuses a work folder that was used before without syncing.
    `for layer in ${folders.map(({ name }) => name).join(" ")}; do ${remove} -rf $layer/work; ${make} $layer/work; done`,
    ...folders.map((layer) => `${mount} -n -t overlay -o ${options(layer)} overlay ${quoted(layer.at)}`),
    "cd /",
    'exec "$@"',
  ];
  return [program("unshare"), "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script.join("\n"), "walls"];
}

/** In that namespace the person is its administrator; inside the walls they are themselves again. */
export const asTheSameUser = (): string[] => [
  ...["--uid", String(process.getuid?.() ?? 0)],
  ...["--gid", String(process.getgid?.() ?? 0)],
];

/** The same as options of bubblewrap 0.11. */
export const ownOverlays = (layers: Layers | undefined): string[] =>
  (layers?.folders ?? []).flatMap(({ at, name }) => {
    const dir = join(layers?.store ?? "", name);
    const lower = fs.realpathSync(join(dir, "lower"));
    return ["--overlay-src", lower, "--overlay", join(dir, "upper"), join(dir, "work"), at];
  });

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
