// What a run leaves in the folder, and commands that name the run they are about.
import type { FeatureId } from "../../core/ids.ts";
import { entriesOf } from "../../core/progresses.ts";
import type { Run } from "../../core/run.ts";
import type { Overview } from "../overview.ts";
import type { Story } from "../story.ts";

/** Features whose unproved work is in the folder. An interrupted session may have left some. */
export const unprovedInFolder = (story: Story): FeatureId[] =>
  entriesOf(story.run.progress).flatMap(([id, { base, status }]) =>
    base === null || status === "complete" || !mayHaveChanged(story, id) ? [] : [id],
  );

/** "is" where the loop saw changed files; after an interrupted session it has not looked. */
export function unprovedVerb({ chronicle: { iterations } }: Story, features: readonly FeatureId[]): "is" | "may be" {
  const isSeen = features.some((id) => iterations.some(({ feature, changed }) => feature === id && changed > 0));
  return isSeen ? "is" : "may be";
}

/** The loop's own records do not count: a session that changed nothing else leaves no work. */
function mayHaveChanged({ chronicle: { iterations } }: Story, id: FeatureId): boolean {
  const tries = iterations.filter(({ feature }) => feature === id);
  const kept = tries.slice(tries.findLastIndex(({ rolledBack }) => rolledBack !== null) + 1);
  return kept.some(({ changed, unseen }) => unseen || changed > 0);
}

/**
 * What is there besides commits, and what to do about it; null: nothing is. `worktree`: the folder of a run that does not
 * work in the person's.
 */
export function leftInFolder(story: Story, worktree?: string): string | null {
  const { run } = story;
  const features = unprovedInFolder(story);
  if (features.length === 0) return null;
  const work = `Unproved work on ${features.join(", ")} ${unprovedVerb(story, features)} in ${worktree === undefined ? "the folder" : "its worktree"}`;
  if (worktree !== undefined && run.now.is === "stopped") return `${work}: git -C ${worktree} status shows it.`;
  return run.now.is === "stopped"
    ? `${work}: git status shows it.`
    : `${work}. loop continue resumes it; loop cancel takes it out and keeps it in quarantine.`;
}

/** Work that waited for a person when the run ended: its branch stays, and takes no answer. Null: none did. */
export function heldLeft({ progress, now }: Run): string | null {
  if (now.is !== "stopped") return null;
  const branches = progress.all.flatMap(({ held }) => held?.branch ?? []);
  if (branches.length === 0) return null;
  return `Work that waited for you was left on ${branches.join(", ")}. To drop it: git branch -D ${branches.join(" ")}`;
}

const aboutRun =
  /\bloop (?:approve|reject|answer|accept|allow|continue|cancel|pause|report|inbox|show|status|land|watch|logs|prove)\b(?! --run )/g;

/** Commands are about the latest run unless they name another one. One that names its run stays as it is. */
export const addressedTo = (run: string, text: string): string =>
  text.replace(aboutRun, (command) => `${command} --run ${run}`);

/** A run with every command naming it: where several runs are shown, or the latest one may be another. */
export const addressed = (run: Overview): Overview => ({
  ...run,
  next: addressedTo(run.run, run.next),
  left: run.left === null ? null : addressedTo(run.run, run.left),
  inbox: run.inbox.map((item) => ({ ...item, next: addressedTo(run.run, item.next) })),
});
