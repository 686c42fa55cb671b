// What each kind of feature needs in addition to its runs.
import type { FeatureKind } from "../../core/contract.ts";
import type { Case } from "../case.ts";
import { askedRemovals } from "../rules/removed.ts";
import type { Canary } from "../runs/canary.ts";
import type { Inputs } from "../runs/inputs.ts";
import type { UnderOldJudge } from "../runs/old-judge.ts";
import type { Strength } from "../runs/strength.ts";
import { changedCode, changedJudge } from "../sides.ts";
import { hunks, mutants } from "../source/index.ts";
import { listed, type Said } from "./said.ts";

/**
 * A change of documents only is "docs", whatever the feature says. A change that removes just what the feature says to
 * remove is judged as a refactoring: nothing is there that a new test could call. Otherwise the feature's own kind counts.
 */
export function kindOf(c: Pick<Case, "feature" | "sides">): FeatureKind {
  const { feature, sides } = c;
  const changes = sides.changes.filter(({ side }) => side !== "ours");
  if (changes.length > 0 && changes.every(({ isDocument }) => isDocument)) return "docs";
  if (feature.kind === "change" && removesOnly(c) && askedRemovals(c).length > 0) return "keep";
  return feature.kind === "docs" ? "change" : feature.kind;
}

/** The change removes code and adds none. */
export function removesOnly({ sides }: Pick<Case, "sides">): boolean {
  const code = changedCode(sides);
  return (
    code.length > 0 &&
    code.every(({ path }) =>
      hunks(sides.base.text(path) ?? "", sides.candidate.text(path) ?? "").every(({ added, removed }) =>
        isWithin(piecesOf(added), piecesOf(removed)),
      ),
    )
  );
}

const piecesOf = (lines: readonly string[]): string[] => lines.join("\n").match(/\w+|[^\w\s]/g) ?? [];

/** The pieces are there in the same order: `export { sum }` is in `export { half, sum }`. */
function isWithin(pieces: readonly string[], others: readonly string[]): boolean {
  let at = 0;
  for (const other of others) if (other === pieces[at]) at++;
  return at === pieces.length;
}

/** Adds and rewrites nothing that a test could notice: comments, types, formatting, and removed code. */
export function leavesCodeAlone(c: Pick<Case, "sides">): boolean {
  const { base, candidate } = c.sides;
  const isSame = ({ path }: { path: string }): boolean => {
    const [before, after] = [base.text(path), candidate.text(path)];
    return before !== null && after !== null && mutants(path, before, after, 1).length === 0;
  };
  return removesOnly(c) || changedCode(c.sides).every(isSame);
}

const tellsNothing = (canary: Canary | null): string =>
  canary?.is === "not-shown"
    ? `neither old tests (${canary.why}) nor other inputs of the new tests show that a wrong answer changes the exit code`
    : "nothing shows that a wrong answer changes the exit code";

/** The results of the runs that these rules need. */
export type Shown = {
  readonly a: UnderOldJudge | null;
  readonly canary: Canary | null;
  readonly strength: Strength | null;
  readonly inputs: Inputs | null;
};

export function saidOfKind(c: Case, { a, canary, strength, inputs }: Shown): Said {
  const { feature, sides, order, checks, release } = c;
  const kind = kindOf(c);
  const missing: string[] = [];
  if (feature.kind === "change" && kind === "docs" && feature.enough !== "review")
    missing.push(
      "Only documents were changed, and the feature does not say that it is about documents. Build what else it asks for. If it asks for nothing else: begin the request with docs:, or write kind: docs in the feature.",
    );
  const forPerson: string[] = [];
  if (kind === "judge")
    forPerson.push("This feature is about tests or configuration themselves, which a person decides.");
  const unnamed = checks.filter(({ name }) => (a?.seen.get(name) ?? null)?.tests === null).map(({ name }) => name);
  const config = changedJudge(sides).filter(({ isTest, path }) => !isTest && !release(path));
  if (config.length > 0 && unnamed.length > 0)
    forPerson.push(
      `Configuration was changed, and ${unnamed.join(", ")} gives no test names to compare by: ${listed(config.map(({ path }) => path))}. A person has to look.`,
    );
  const isShown = canary?.is === "red";
  if (canary !== null && !isShown && (strength === null || strength.noticed === 0))
    missing.push("Neither an altered expectation nor a piece taken back could be shown to matter.");
  const isDark = a !== null && unnamed.length === checks.length;
  const mustShow = kind === "change" && order.contract.proof.depth !== "quick" && feature.enough !== "review";
  // Where no old test expects anything that could be altered, the new ones show that an exit code still tells something.
  const isToldByNew = canary?.is === "not-shown" && strength !== null && strength.noticed > 0 && inputs?.is === "red";
  if (isDark && mustShow && !isShown && !isToldByNew)
    (changedCode(sides).length === 0 ? forPerson : missing).push(
      `The checks give no test names, and ${tellsNothing(canary)}. Add an old value to compare with in a test, name a report (checks[].report), or use a runner that gives one.`,
    );
  return { missing, forPerson };
}
