// Facts from the workspace count as if the request had stated them, and name their file.
import type { DimensionName, Score, Scored } from "./dimensions.ts";
import type { Evidence } from "./evidence.ts";
import type { Known } from "./known.ts";

type Dimensions = Record<DimensionName, Scored>;

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** An existing check is one more way to tell success, unless the request itself names the suite. */
export function raise(said: Dimensions, known: Known, suiteIsSaid: boolean): Dimensions {
  const raised: Dimensions = { ...said };
  const lift = (name: DimensionName, by: { to: Score } | { more: number }, evidence: Evidence): void => {
    const { score, evidence: before } = raised[name];
    const next = Math.min(2, "to" in by ? Math.max(score, by.to) : score + by.more);
    if (next > score || "to" in by) raised[name] = { score: next as Score, evidence: [...before, evidence] };
  };
  const check = known.checks?.find(({ must }) => must === "turn-green") ?? known.checks?.[0];
  if (check !== undefined) {
    const evidence = { text: check.run, file: check.from };
    lift("success", suiteIsSaid ? { to: 1 } : { more: 1 }, evidence);
    lift("done", { to: check.must === "turn-green" ? 2 : 1 }, evidence);
    if (check.must === "turn-green") {
      lift("outcome", { to: 2 }, evidence);
      lift("scope", { to: 1 }, evidence);
    }
  }
  const { features, shape, scope } = known;
  if (features !== undefined && features.open > 0) {
    const evidence = {
      text: `${count(features.open, "open feature", "open features")}, ${count(features.criteria, "acceptance criterion", "acceptance criteria")}`,
      file: features.from,
    };
    for (const name of ["outcome", "scope", "success", "done"] as const) lift(name, { to: 2 }, evidence);
  }
  for (const { name, from } of known.names ?? []) lift("scope", { to: 2 }, { text: name, file: from });
  if (shape !== undefined && shape.criteria > 0) {
    const evidence = { text: count(shape.criteria, "criterion", "criteria"), file: shape.from };
    lift("outcome", { to: 2 }, evidence);
    lift("success", { to: shape.criteria > 1 ? 2 : 1 }, evidence);
    lift("done", { to: 1 }, evidence);
  }
  if (shape !== undefined && shape.mustNots > 0)
    lift(
      "constraints",
      { more: shape.mustNots },
      { text: count(shape.mustNots, "must-not", "must-nots"), file: shape.from },
    );
  if (scope !== undefined && scope.mayTouch.length > 0)
    lift("scope", { to: 2 }, { text: `may touch ${scope.mayTouch.join(", ")}`, file: scope.from });
  if (scope !== undefined && scope.mustNots.length > 0)
    lift(
      "constraints",
      { more: scope.mustNots.length },
      { text: `must not: ${scope.mustNots.join(", ")}`, file: scope.from },
    );
  return raised;
}
