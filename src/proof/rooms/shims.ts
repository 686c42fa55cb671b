// Programs of ours that run in front of a runner: first on PATH, and in place of the runner in node_modules/.bin.
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { lstatIfExists } from "../../host/disk.ts";
import { type Layer, layerDir } from "./layer.ts";
import type { Places } from "./places.ts";
import type { Shim } from "./room.ts";

export const realSuffix = ".loop-real";

/** Paths in a room where a package manager installed a program with a shim's name, and where it comes from. */
export function shimmedPrograms(places: Places, layers: readonly Layer[], shims: readonly Shim[]) {
  const seen = new Set<string>();
  return layers.flatMap((layer) =>
    layer.roots
      .filter((root) => basename(root) === "node_modules")
      .flatMap((root) => shims.map((shim) => ({ path: `${root}/.bin/${shim.name}`, shim })))
      .map(({ path, shim }) => ({ path, shim, from: join(layerDir(places, layer), path) }))
      .filter(({ path, from }) => {
        const isNew = !seen.has(path) && lstatIfExists(from) !== undefined;
        if (isNew) seen.add(path);
        return isNew;
      }),
  );
}

export function writeShims(dir: string, shims: readonly Shim[]): void {
  for (const { name, script } of shims) fs.writeFileSync(join(dir, name), script, { mode: 0o755 });
}

/** Writes a shim and, next to it, the program that it replaces. A link keeps its target, and so still works. */
export function replaceProgram(from: string, to: string, shim: Shim): void {
  fs.mkdirSync(dirname(to), { recursive: true });
  for (const path of [to, to + realSuffix]) fs.rmSync(path, { force: true });
  const stat = fs.lstatSync(from);
  if (stat.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), to + realSuffix);
  else {
    fs.copyFileSync(from, to + realSuffix);
    fs.chmodSync(to + realSuffix, stat.mode & 0o777);
  }
  fs.writeFileSync(to, shim.script, { mode: 0o755 });
}
