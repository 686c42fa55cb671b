// A run as it is after `loop undo`: the journal says what the run did, the branch says what of it was taken back.
import type { Overview } from "./overview.ts";

/** `undone`: commits that were taken back, each with its revert commit. */
export function withTakenBack(run: Overview, undone: ReadonlyMap<string, string>): Overview {
  const revertOf = (commit: string | null): string | undefined => (commit === null ? undefined : undone.get(commit));
  const features = run.features.map((feature) => {
    const takenBack = revertOf(feature.commit);
    if (takenBack === undefined) return feature;
    const standing = takenBackWords(takenBack);
    // As in the queue, where it is open again.
    return { ...feature, takenBack, standing, status: "not-started" as const, isDone: false, grade: null, restsOn: "" };
  });
  const gone = features.filter(({ takenBack }) => takenBack !== undefined);
  if (gone.length === 0) return run;
  return {
    ...run,
    features,
    why: `${run.why} Since then: ${gone.map(({ id, standing }) => `${id} ${standing}`).join(", ")}.`.trim(),
    verdict: "RESEARCH",
    done: run.done - gone.length,
    readFirst: run.readFirst.map((each) => {
      const takenBack = revertOf(each.commit);
      return takenBack === undefined ? each : { ...each, takenBack };
    }),
  };
}

export const takenBackWords = (revert: string): string => `taken back (${revert.slice(0, 10)})`;
