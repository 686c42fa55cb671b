// Finds out whether layers can be laid over a folder of this machine, by laying one over an empty folder elsewhere.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { ensureDir } from "../disk.ts";
import { baseEnv } from "../process/environment.ts";
import { bubblewrap, type Layering } from "./bubblewrap.ts";
import type { Confine } from "./confine.ts";
import { dropStore, prepareLayer } from "./layers.ts";
import { output } from "./trial.ts";

export type LayerTrial = { readonly works: true; readonly confine: Confine } | { readonly works: false; why: string };

/** `root` is only read; `store` is where layers of it will be. */
export async function tryLayers(program: string, root: string, store: string): Promise<LayerTrial> {
  let why = "";
  for (const layering of ["around", "own"] as const) {
    const said = await layOne(program, layering, root, store);
    if (said === "") return { works: true, confine: bubblewrap(program, layering) };
    if (why === "") why = said;
  }
  return { works: false, why };
}

/** The trace in the upper folder decides, not what the program says. */
async function layOne(program: string, layering: Layering, root: string, store: string): Promise<string> {
  const name = randomBytes(6).toString("hex");
  const place = join(store, `trial-${name}`);
  const inside = join(place, "in");
  try {
    ensureDir(inside);
    const layer = prepareLayer(place, "layer", inside, root);
    const { file, args, env, feeds } = bubblewrap(program, layering).confine(
      { file: "/bin/sh", args: ["-c", `: > '.loop-${name}'`], cwd: inside, env: baseEnv() },
      { writes: [inside], reads: [], hides: [], layers: { store: place, folders: [layer] }, network: "none" },
    );
    const said = await output(file, args, env, feeds);
    const isKept = fs.existsSync(join(place, "layer", "upper", `.loop-${name}`));
    return isKept ? "" : said.trim().split("\n").at(-1) || "the trial did not start";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    dropStore(place);
  }
}
