// Which checks `loop check` has seen green without the network: runs then keep them from it.
import { join } from "node:path";
import { z } from "zod";
import type { CheckSpec } from "../../core/contract.ts";
import type { Sandbox } from "../../formats/config/settings.ts";
import { parseJsonText } from "../../formats/text/json-text.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import { ensureDir, readIfExists, writeAtomic } from "../../host/disk.ts";
import { vaultDirFor } from "../../workspace/vault.ts";

const file = z.object({ version: z.literal(1), offline: z.array(z.string().max(64)).max(50) });

const placeOf = (root: string): string => join(vaultDirFor(root), "check-networks.json");
/** Another command line may need something else. */
const keyOf = ({ name, run, before, after }: CheckSpec): string =>
  sha256(JSON.stringify([name, run, before ?? null, after ?? null]));

/** Replaces what an earlier look has found. */
export function keepOffline(root: string, checks: readonly CheckSpec[]): void {
  ensureDir(vaultDirFor(root));
  const text = JSON.stringify({ version: 1, offline: checks.map(keyOf) }, null, 2);
  writeAtomic(placeOf(root), `${text}\n`, { durable: false });
}

/** A configured network stays; a file that cannot be read changes nothing. Without walls, nothing is taken away. */
export function withNetworks(root: string, sandbox: Sandbox, checks: readonly CheckSpec[]): readonly CheckSpec[] {
  if (sandbox === "off") return checks;
  const json = parseJsonText(readIfExists(placeOf(root)) ?? "", { bytes: 20_000, depth: 5 });
  const parsed = json.ok ? file.safeParse(json.value) : null;
  const offline = new Set(parsed?.success === true ? parsed.data.offline : []);
  return checks.map((check) =>
    check.network === undefined && offline.has(keyOf(check)) ? { ...check, network: "none" } : check,
  );
}
