// Compares the prover's verdict on a random change with the truth.
import type { Played } from "../matrix/play-case.ts";
import type { RandomChange } from "./generate.ts";
import type { Truth } from "./truth.ts";

/**
 * violation: accepted, but not good. beyond: accepted, and wrong only where no test looks. taken: accepted, and good.
 * caught: not accepted, and not good. The others are good but not accepted: because the change alters protected files,
 * because its tests would not notice every wrong feature, because it alters dependencies, or for no such reason.
 * undecided: git itself cannot commit or clone it. crashed: the prover threw, which no change may cause.
 */
export type Finding = {
  readonly is:
    | "violation"
    | "beyond"
    | "taken"
    | "caught"
    | "protected"
    | "untested"
    | "dependencies"
    | "harmless"
    | "undecided"
    | "crashed";
  readonly why: string;
};

export async function compare(
  change: RandomChange,
  played: Pick<Played, "outcome" | "why">,
  truth: Truth,
): Promise<Finding> {
  if (played.outcome === "accepted") return taken(change, truth);
  if (!truth.good) return { is: "caught", why: wrongOf(truth).join(", ") || partOf(truth) };
  const { why } = played;
  if (change.protectedFiles.length > 0) return { is: "protected", why };
  if ((await truth.noticesFeature()) !== "all") return { is: "untested", why };
  return { is: change.dependencyFiles.length > 0 ? "dependencies" : "harmless", why };
}

async function taken(change: RandomChange, truth: Truth): Promise<Finding> {
  const wrong = wrongOf(truth);
  if (wrong.length > 0) return { is: "violation", why: wrong.join(", ") };
  if ((await truth.noticesFeature()) === "none")
    return { is: "violation", why: "its tests do not notice a wrong feature" };
  if (change.protectedFiles.length > 0 && !(await truth.noticesOld()))
    return { is: "violation", why: "its tests do not notice broken old functions any more" };
  if (truth.wrong > 0) return { is: "beyond", why: partOf(truth) };
  return { is: "taken", why: "good" };
}

const partOf = ({ wrong, points }: Truth): string => `${wrong} of ${points} hidden calls of the feature are wrong`;

/** A feature that is wrong in a few places that its tests do not reach is beyond what tests can show. */
function wrongOf(truth: Truth): string[] {
  const { own, old, wrong, points } = truth;
  return [
    ...(own ? [] : ["its own tests fail in a fresh clone"]),
    ...(old ? [] : ["the original tests fail on its product"]),
    ...(wrong * 2 > points ? [partOf(truth)] : []),
  ];
}
