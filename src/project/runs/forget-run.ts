// What a run takes up in the vault, and its removal. Only the drill removes runs: they are of no use after it.
import * as fs from "node:fs";
import { join } from "node:path";
import { lstatIfExists } from "../../host/disk.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { runDir } from "./home.ts";

/** How many bytes its sessions have written. */
export function outputOf(root: string, run: string): number {
  const dir = join(runDir(vaultDirFor(root), run), "sessions");
  if (!fs.existsSync(dir)) return 0;
  const names = fs.readdirSync(dir, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => sum + (lstatIfExists(join(dir, name))?.size ?? 0), 0);
}

export function forgetRun(root: string, run: string): void {
  fs.rmSync(runDir(vaultDirFor(root), run), { recursive: true, force: true });
}
