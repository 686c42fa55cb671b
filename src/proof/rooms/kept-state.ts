// The kept state of a workspace, as a file, so that a later process can build rooms from it.
import { join } from "node:path";
import * as z from "zod";
import { type TreeId, treeId } from "../../core/ids.ts";
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import type { RepositoryNames } from "../../workspace/git/repository/repository-names.ts";
import { jsonIn, type Layer, readLayer } from "./layer.ts";
import type { DependencyKeys } from "./lockfiles.ts";
import type { Places } from "./places.ts";

export type KeptState = {
  readonly base: TreeId;
  readonly layers: readonly Layer[];
  readonly keys: DependencyKeys;
  /** The build command that was detected. */
  readonly build: string | null;
  readonly names: RepositoryNames;
};

const StateFile = z.object({
  version: z.literal(1),
  base: z.string().transform(treeId),
  /** Names of layers. */
  layers: z.array(z.string()),
  keys: z.object({ node: z.string(), python: z.string(), other: z.string() }),
  build: z.string().nullable(),
  names: z.object({
    branch: z.string().nullable(),
    refs: z.array(z.string()),
    remotes: z.array(z.object({ name: z.string(), url: z.string().nullable() })),
    identity: z.object({ name: z.string(), email: z.string() }),
  }),
});

const stateFile = ({ kept }: Places): string => join(kept, "current.json");

export function writeState(places: Places, state: KeptState): void {
  const layers = state.layers.map(({ name }) => name.replace(/\/files$/, ""));
  writeAtomic(stateFile(places), JSON.stringify({ version: 1, ...state, layers }));
}

/** Null: nothing was kept, or the state is incomplete. */
export function readState(places: Places): KeptState | null {
  const text = readIfExists(stateFile(places));
  const parsed = text === null ? null : StateFile.safeParse(jsonIn(text));
  if (parsed?.success !== true) return null;
  const layers = parsed.data.layers.map((name) => readLayer(places, name)?.layer);
  const { version: _, ...rest } = parsed.data;
  return layers.every((layer) => layer !== undefined) ? { ...rest, layers } : null;
}
