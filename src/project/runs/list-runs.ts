// The runs of a workspace, newest first.
import * as fs from "node:fs";
import { join } from "node:path";
import { vaultDirFor } from "../../workspace/vault.ts";
import { runsDir } from "./home.ts";

/** Run ids begin with their time, so names sort by age. */
export function listRuns(root: string): string[] {
  const dir = runsDir(vaultDirFor(root));
  if (!fs.existsSync(dir)) return [];
  const names = fs.readdirSync(dir).filter((name) => fs.existsSync(join(dir, name, "events.jsonl")));
  return names.sort().reverse();
}
