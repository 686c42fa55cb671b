// The runs of a workspace, newest first. Light, since `loop status` waits for it.
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import { vaultDirFor } from "../workspace/vault.ts";
import { runsDir } from "./home.ts";

/** Run ids begin with their time, so names sort by age. */
export function listRuns(root: string): string[] {
  const dir = runsDir(vaultDirFor(root));
  if (!fs.existsSync(dir)) return [];
  const names = fs.readdirSync(dir).filter((name) => fs.existsSync(join(dir, name, "events.jsonl")));
  return names.sort().reverse();
}

export function latestRun(root: string, named?: string): string {
  const runs = listRuns(root);
  const found =
    named === undefined ? runs[0] : runs.find((run) => run === named || run.startsWith(named) || run.endsWith(named));
  if (found !== undefined) return found;
  throw new UserError(
    "no-such-run",
    {
      what: "There is no such run.",
      why: named === undefined ? `No run was ever begun in ${root}.` : `No run here is called ${named}.`,
      next: named === undefined ? 'loop "what should be done"' : "loop list",
    },
    { exitCode: 64 },
  );
}
