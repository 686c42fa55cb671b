// Folders of the person's in which toolchains keep what they fetched. They lie read-only inside walls, but Go and cargo can
// add no dependency then: an agent gets a layer over them, which lasts as long as its session.
import * as fs from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { Confine, Layers } from "../../host/confine/confine.ts";
import type { LayerTrial } from "../../host/confine/layer-trial.ts";
import { dropLayer, prepareLayer } from "../../host/confine/layers.ts";
import { partsOfGoPath } from "../../host/confine/toolchains.ts";
import { ensureDir, lstatIfExists } from "../../host/disk.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The real folders of this machine that need a layer. */
export function toolCaches(env: Env, home = homedir()): string[] {
  const [goPath = join(home, "go")] = (env["GOPATH"] ?? "").split(delimiter).filter((path) => path !== "");
  const named = [...partsOfGoPath(goPath), env["GOMODCACHE"], env["CARGO_HOME"] ?? join(home, ".cargo")];
  const found = named.filter((path) => path !== undefined && isAbsolute(path) && isOwnFolder(path, home));
  return [...new Set(found)].filter((path) => !found.some((other) => path?.startsWith(`${other}/`))) as string[];
}

/** Behind a link it has two names inside. */
const isOwnFolder = (path: string, home: string): boolean =>
  path !== home && lstatIfExists(path)?.isDirectory() === true && fs.realpathSync(path) === path;

/** Lays them in a store. Where the machine has no layers, the folders stay read-only. */
export async function layToolCaches(
  store: string,
  paths: readonly string[],
  tried: (path: string) => Promise<LayerTrial>,
): Promise<{ readonly folders: Layers["folders"]; readonly confine: Confine | null; drop(): void }> {
  const trials = await Promise.all(paths.map(tried));
  const [works] = trials.filter((trial) => trial.works);
  const laid = paths.filter((_, at) => trials[at]?.works).map((at, number) => ({ at, name: `tool-${number}` }));
  const drop = (): void => {
    for (const { name } of laid) dropLayer(store, name);
  };
  drop();
  if (laid.length > 0) ensureDir(store);
  return { folders: laid.map(({ at, name }) => prepareLayer(store, name, at)), confine: works?.confine ?? null, drop };
}
