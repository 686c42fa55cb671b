// Why a run must not start here. Checked before anything is written, and again when the run is prepared.
import type { ErrorCode } from "../core/error-codes.ts";
import type { Settings } from "../formats/config/settings.ts";
import type { Condition } from "../workspace/workspace.ts";
import { notWork } from "./records/paths.ts";

type Place = Settings["place"];
export type StartObstacle = { readonly code: ErrorCode; readonly why: string; readonly next: string };

/** Folders of installed packages: they show up as changes only if .gitignore lacks a line for them. */
const installedIn = /^(?:\.?venv|env|node_modules|\.tox|\.nox|__pypackages__)\//;

const notIgnored = (folder: string): StartObstacle => ({
  code: "dirty-tree",
  why: `${folder} holds installed packages, and git does not ignore it, so that it counts as uncommitted work.`,
  next: `echo /${folder} >> .git/info/exclude, then run the same command again.`,
});

/** A worktree has its own index and nothing in progress. What happens in the person's folder matters when it lands. */
const ofFolder: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "merge-in-progress",
  "rebase-in-progress",
  "cherry-pick-in-progress",
  "revert-in-progress",
  "bisect-in-progress",
  "index-locked",
]);

/** By the condition of the person's folder: what keeps a run from starting in this place. */
export const obstacleFor = (condition: Condition, recordsDir: string, place: Place): StartObstacle | null =>
  obstacle(place === "here" ? condition : apart(condition), recordsDir);

/** Without a commit there is nothing to start a worktree from: the run would work in the folder. */
const apart = (condition: Condition): Condition => ({
  ...condition,
  dirty: condition.head === null ? condition.dirty : [],
  obstacles: condition.obstacles.filter(({ kind }) => !ofFolder.has(kind)),
});

/** By the condition of the folder that the run works in. */
export function obstacle(condition: Condition, recordsDir: string): StartObstacle | null {
  const [first] = condition.obstacles;
  if (first !== undefined) return { code: first.kind, why: first.why, next: first.next };
  const ours = notWork(recordsDir);
  const dirty = condition.dirty.filter((path) => !ours.has(path));
  if (dirty.length === 0) return null;
  const folders = [...new Set(dirty.map((path) => installedIn.exec(path)?.[0] ?? null))];
  const [folder = null] = folders;
  if (folders.length === 1 && folder !== null) return notIgnored(folder);
  const shown = dirty.slice(0, 5).join(", ");
  if (condition.head === null)
    return {
      code: "dirty-tree",
      why: `The repository has no commit yet, and the loop would mix these files with its own: ${shown}${dirty.length > 5 ? ", …" : ""}`,
      next: "git add -A && git commit -m start, then run the same command again.",
    };
  return {
    code: "dirty-tree",
    why: `${dirty.length === 1 ? "One file has" : `${dirty.length} files have`} uncommitted changes, and the loop would mix them with its own: ${shown}${dirty.length > 5 ? ", …" : ""}`,
    next: "Commit or stash them, then run the same command again.",
  };
}
