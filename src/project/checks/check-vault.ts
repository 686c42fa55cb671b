// A separate vault for one `loop check`, so that a run in progress is not disturbed.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { ensureDir } from "../../host/disk.ts";
import { isAlive, removeAll } from "../../proof/rooms/places.ts";
import { vaultDirFor } from "../../workspace/vault.ts";

export type CheckVault = {
  readonly vaultDir: string;
  /** Output files stay here until the next check. */
  readonly filesDir: string;
  /** Removes everything but the output files. */
  close(): void;
};

export function openCheckVault(root: string): CheckVault {
  const above = join(vaultDirFor(root), "check");
  ensureDir(above);
  for (const name of fs.readdirSync(above)) if (!isAlive(Number.parseInt(name, 10))) removeAll(join(above, name));
  const dir = join(above, `${process.pid}-${randomBytes(4).toString("hex")}`);
  const vaultDir = join(dir, "vault");
  ensureDir(vaultDir);
  return { vaultDir, filesDir: join(dir, "files"), close: () => removeAll(vaultDir) };
}
