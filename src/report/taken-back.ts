// A run as it is after `loop undo`: the journal says what the run did, the branch says what of it was taken back.
import type { Overview } from "./overview.ts";
import { titleOf } from "./state.ts";

/** What was taken back on a branch, each with its revert commit. */
export type Undone = {
  readonly commits: Readonly<Record<string, string>>;
  /** Features without another commit there: a run that found them done has no commit of them to go by. */
  readonly features: Readonly<Record<string, string>>;
};

export const nothingUndone: Undone = { commits: {}, features: {} };

export function withTakenBack(run: Overview, undone: Undone): Overview {
  const revertOf = (commit: string | null): string | null =>
    commit === null ? null : (undone.commits[commit] ?? null);
  const all = run.features.map((feature) => {
    const { id, commit, isDone } = feature;
    const takenBack = commit === null && isDone ? (undone.features[id] ?? null) : revertOf(commit);
    if (takenBack === null) return feature;
    const standing = takenBackWords(takenBack);
    // As in the queue, where it is open again.
    return { ...feature, takenBack, standing, status: "not-started" as const, isDone: false, grade: null, restsOn: "" };
  });
  // What the run found done is not among what it was about.
  const gone = all.filter(({ takenBack, commit }) => takenBack !== null && commit !== null);
  const features = all.some(({ takenBack }) => takenBack !== null) ? all : run.features;
  if (gone.length === 0) return { ...run, features };
  const done = run.done - gone.length;
  return {
    ...run,
    features,
    title: titleOf(run, { done, total: run.total }),
    why: `${run.why} Since then: ${gone.map(({ id, standing }) => `${id} ${standing}`).join(", ")}.`.trim(),
    verdict: "RESEARCH",
    done,
    readFirst: run.readFirst.map((each) => ({ ...each, takenBack: revertOf(each.commit) })),
  };
}

export const takenBackWords = (revert: string): string => `taken back (${revert.slice(0, 10)})`;
