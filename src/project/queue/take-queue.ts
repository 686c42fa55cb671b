// The person's work queue, as a resumed worktree run may take it: never so that a feature of the run becomes another.
import type { Feature } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { mergeFeatures } from "../../formats/queue/features-merge.ts";

export type Queues = {
  /** As the run has it in its worktree. */
  readonly ours: string | null;
  /** As it is in the person's folder now. */
  readonly theirs: string | null;
};

/**
 * A request made the run's features, so the person's file has them only once they have landed: an entry of the same
 * number there belongs to another run, and the run keeps its own queue.
 */
export function queueToTake(path: string, features: readonly Feature[], { ours, theirs }: Queues): string | null {
  if (ours === null || theirs === null) return theirs ?? ours;
  try {
    const [own, other] = [parseFeaturesJson(ours, path), parseFeaturesJson(theirs, path)];
    const ids = new Set(features.map(({ id }) => id));
    const mine = own.features.filter(({ id }) => ids.has(id));
    const isAnother = ({ id, name, criteria }: (typeof mine)[number]): boolean =>
      other.features.some(
        (each) => each.id === id && (each.name !== name || each.criteria.join("\n") !== criteria.join("\n")),
      );
    return mine.some(isAnother) ? ours : mergeFeatures(other, mine, ours, path).text;
  } catch (error) {
    // What is wrong with it is said where it is read.
    if (error instanceof UserError) return theirs;
    throw error;
  }
}
