// Why a run must not start here. Looked at before anything is written, and again when the run is prepared.
import type { Condition } from "../workspace/workspace.ts";
import { notWork } from "./records/paths.ts";

export type StartObstacle = { readonly code: string; readonly why: string; readonly next: string };

export function obstacle(condition: Condition, recordsDir: string): StartObstacle | null {
  const [first] = condition.obstacles;
  if (first !== undefined) return { code: first.kind, why: first.why, next: first.next };
  const ours = notWork(recordsDir);
  const dirty = condition.dirty.filter((path) => !ours.has(path));
  if (dirty.length === 0) return null;
  const shown = dirty.slice(0, 5).join(", ");
  return {
    code: "dirty-tree",
    why: `${dirty.length === 1 ? "One file has" : `${dirty.length} files have`} uncommitted changes, and the loop would mix them with its own: ${shown}${dirty.length > 5 ? ", …" : ""}`,
    next: "Commit or stash them, then run the same command again.",
  };
}
