// How long a proof takes here, as `loop check` measured it. Nothing depends on it: a file that cannot be read is ignored.
import { join } from "node:path";
import { z } from "zod";
import type { CheckSpec } from "../../core/contract.ts";
import { parseJsonText } from "../../formats/text/json-text.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import { ensureDir, readIfExists, writeAtomic } from "../../host/disk.ts";
import type { Estimate } from "../../proof/estimate.ts";
import { vaultDirFor } from "../../workspace/vault.ts";

const ms = z.number().min(0);
const file = z.object({
  version: z.literal(1),
  checks: z.string(),
  estimate: z.object({ quick: ms, standard: ms, deep: ms }),
});

const placeOf = (root: string): string => join(vaultDirFor(root), "proof-time.json");
/** Other checks take another time. */
const keyOf = (checks: readonly Pick<CheckSpec, "name" | "run">[]): string =>
  sha256(JSON.stringify(checks.map(({ name, run }) => [name, run])));

export function keepProofTime(root: string, checks: Parameters<typeof keyOf>[0], estimate: Estimate): void {
  ensureDir(vaultDirFor(root));
  const text = JSON.stringify({ version: 1, checks: keyOf(checks), estimate }, null, 2);
  writeAtomic(placeOf(root), `${text}\n`, { durable: false });
}

export function readProofTime(root: string, checks: Parameters<typeof keyOf>[0]): Estimate | null {
  const json = parseJsonText(readIfExists(placeOf(root)) ?? "", { bytes: 10_000, depth: 5 });
  const parsed = json.ok ? file.safeParse(json.value) : null;
  return parsed?.success === true && parsed.data.checks === keyOf(checks) ? parsed.data.estimate : null;
}
