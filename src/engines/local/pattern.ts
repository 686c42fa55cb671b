// How often a similar request was made in this workspace, and completed.

import { runDir } from "../../project/home.ts";
import { listRuns } from "../../project/list-runs.ts";
import { outcomeOf } from "../../runtime/records/words.ts";
import { alike, patternHint } from "../../runtime/request-words.ts";
import type { Story } from "../../runtime/story.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { readStatus } from "./status-file.ts";

/** Older runs are too long ago to matter. */
const runsMax = 50;

export type Pattern = { readonly nth: number; readonly hint: string | null };

/** Only successful runs count: asking again after a failure is not a habit. */
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

/** The loop's own text for a run without a request: see work-queue.ts. */
const isFromFile = (request: string): boolean => /^Complete the features in \S+\.$/.test(request);
