// The runs of a workspace, newest first.
import * as fs from "node:fs";
import { vaultDirFor } from "../../workspace/vault.ts";
import { hasBegun } from "./begun.ts";
import { runsDir } from "./home.ts";

/** Run ids begin with their time, so names sort by age. */
export function listRuns(root: string): string[] {
  const dir = runsDir(vaultDirFor(root));
  if (!fs.existsSync(dir)) return [];
  const names = fs.readdirSync(dir).filter((name) => hasBegun(root, name));
  return names.sort().reverse();
}
