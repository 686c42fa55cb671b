// What a run leaves in the folder, and commands that name the run they are about.
import type { FeatureId } from "../../core/ids.ts";
import { entriesOf } from "../../core/progresses.ts";
import type { Run } from "../../core/run.ts";

/** Features whose unproved work is in the folder. */
export const unprovedInFolder = ({ progress }: Run): FeatureId[] =>
  entriesOf(progress).flatMap(([id, { base, status }]) => (base === null || status === "complete" ? [] : [id]));

/**
 * What is there besides commits, and what to do about it; null: nothing is. `worktree`: the folder of a run that does not
 * work in the person's.
 */
export function leftInFolder(run: Run, worktree?: string): string | null {
  const features = unprovedInFolder(run);
  if (features.length === 0) return null;
  const work = `Unproved work on ${features.join(", ")} is in ${worktree === undefined ? "the folder" : "its worktree"}`;
  if (worktree !== undefined && run.now.is === "stopped") return `${work}: git -C ${worktree} status shows it.`;
  return run.now.is === "stopped"
    ? `${work}: git status shows it.`
    : `${work}. loop continue resumes it; loop cancel takes it out and keeps it in quarantine.`;
}

const aboutRun = /\bloop (?:approve|reject|answer|accept|allow|continue|cancel|pause|report|inbox|show|status|land)\b/g;

/** Commands are about the latest run unless they name another one. */
export const addressedTo = (run: string, text: string): string =>
  text.replace(aboutRun, (command) => `${command} --run ${run}`);
