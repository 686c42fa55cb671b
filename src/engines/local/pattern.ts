// How often something like this was asked for in this workspace, and done.

import { runDir } from "../../project/home.ts";
import { listRuns } from "../../project/list-runs.ts";
import { outcomeOf } from "../../runtime/records/words.ts";
import { alike, patternHint } from "../../runtime/request-words.ts";
import type { Story } from "../../runtime/story.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { readStatus } from "./status-file.ts";

/** Further back nobody remembers what was asked for. */
const runsMax = 50;

export type Pattern = { readonly nth: number; readonly hint: string | null };

/** Runs that did not come to their end count for nothing: asking again after a failure is no habit. */
export function patternOf(root: string, { run, chronicle }: Story): Pattern {
  const none = { nth: 1, hint: null };
  const { request } = run.contract;
  if (outcomeOf(run)?.kind !== "success" || isFromFile(request)) return none;
  const vault = vaultDirFor(root);
  const earlier = listRuns(root)
    .filter((name) => name < chronicle.run)
    .slice(0, runsMax)
    .map((name) => readStatus(runDir(vault, name)));
  const done = earlier.filter((status) => status?.outcome?.kind === "success").map((status) => status?.request ?? "");
  const nth = 1 + alike(done, request.slice(0, 500));
  return { nth, hint: patternHint(nth, chronicle.run) };
}

/** What the loop itself says where nobody said anything: see work-queue.ts. */
const isFromFile = (request: string): boolean => /^Complete the features in \S+\.$/.test(request);
