// Where the server keeps what belongs to no workspace: the registry, its tokens, the audit, the firings.
import { join } from "node:path";
import { ensureDir } from "../host/disk.ts";
import { vaultsDir } from "../workspace/vault.ts";

export type Places = {
  readonly dir: string;
  readonly registry: string;
  readonly tokens: string;
  readonly audit: string;
  readonly firings: string;
  /** What drivers print when something goes wrong. */
  readonly driversLog: string;
};

export function servePlaces(env: NodeJS.ProcessEnv = process.env): Places {
  const places = placesIn(join(vaultsDir(env), "serve"));
  ensureDir(places.dir);
  return places;
}

/** Nothing is made yet. */
export function placesIn(dir: string): Places {
  return {
    dir,
    registry: join(dir, "workspaces.json"),
    tokens: join(dir, "tokens"),
    audit: join(dir, "audit.jsonl"),
    firings: join(dir, "firings.jsonl"),
    driversLog: join(dir, "drivers.log"),
  };
}
