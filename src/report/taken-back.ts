// A run as it is after `loop undo`: the journal says what the run did, the branch says what of it was taken back.
import type { Overview } from "./overview.ts";
import { titleOf } from "./state.ts";

/** `undone`: commits that were taken back, each with its revert commit. */
export function withTakenBack(run: Overview, undone: Readonly<Record<string, string>>): Overview {
  const revertOf = (commit: string | null): string | null => (commit === null ? null : (undone[commit] ?? null));
  const features = run.features.map((feature) => {
    const takenBack = revertOf(feature.commit);
    if (takenBack === null) return feature;
    const standing = takenBackWords(takenBack);
    // As in the queue, where it is open again.
    return { ...feature, takenBack, standing, status: "not-started" as const, isDone: false, grade: null, restsOn: "" };
  });
  const gone = features.filter(({ takenBack }) => takenBack !== null);
  if (gone.length === 0) return run;
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
