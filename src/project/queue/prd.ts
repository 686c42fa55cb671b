// A run from a PRD: its features are the work, its own words the request, and the PRD is recorded.
import { createHash } from "node:crypto";
import { UserError } from "../../core/errors.ts";
import { importFeatures } from "../../formats/import/index.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { mergeFeatures } from "../../formats/queue/features-merge.ts";
import { queueRequest } from "../../formats/queue/queue-request.ts";
import { readImport } from "./import-features.ts";
import type { WorkQueue } from "./work-queue.ts";

/** The file a run was begun from, by its given path and its content. */
export type Prd = { readonly path: string; readonly sha256: string };
export type PrdOrder = { readonly file: string; readonly shown: string };

/** The PRD's features, or the existing queue if it has them all; other features are not mixed in. */
export function prdQueue(
  { file, shown }: PrdOrder,
  there: string | null,
  path: string,
  request: string | null,
): WorkQueue & { readonly prd: Prd; readonly warnings: readonly string[] } {
  const text = readImport(file, shown);
  const imported = importFeatures(shown, text, null);
  const goal = [request, imported.goal].filter((part) => part !== null).join("\n\n");
  const about = {
    request: goal || queueRequest(shown),
    prd: { path: shown, sha256: createHash("sha256").update(text).digest("hex") },
    warnings: imported.warnings,
    asked: "request" as const,
    drafted: null,
    waiting: [],
  };
  if (there === null) return { ...about, file: parseFeaturesJson(imported.text, path) };
  const queue = parseFeaturesJson(there, path);
  if (mergeFeatures(queue, imported.features, imported.text, path).added.length > 0) throw otherFeatures(path, shown);
  return { ...about, file: queue };
}

function otherFeatures(path: string, shown: string): UserError {
  return new UserError("features-exist", {
    what: "The run did not start.",
    why: `${path} is there, and features of ${shown} are not in it.`,
    next: `Add them with: loop import ${shown} --merge. Then run the same command again.`,
  });
}
