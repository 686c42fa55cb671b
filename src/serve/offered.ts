// Workspaces that have runs and are not served: registering them is offered, and never done unasked.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LocalEngine } from "../engines/local/engine.ts";
import { rootOfVault, vaultsDir } from "../workspace/vault.ts";
import type { Registered } from "./registry.ts";

const offeredMax = 5;

/** Their folders. */
export async function offered(registered: readonly Registered[]): Promise<readonly string[]> {
  const dir = vaultsDir();
  const known = new Set(registered.map(({ root }) => root));
  const roots: string[] = [];
  for (const name of existsSync(dir) ? readdirSync(dir).sort() : []) {
    const root = rootOfVault(join(dir, name));
    if (root === null || known.has(root) || !existsSync(root)) continue;
    if ((await new LocalEngine(root).runs()).length > 0) roots.push(root);
    if (roots.length === offeredMax) break;
  }
  return roots;
}
