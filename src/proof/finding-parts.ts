// What findings are made of: the words of a cause, a record of a run, and what can be told of a change as a whole.
import type { CheckSpec, FeatureKind } from "../core/contract.ts";
import type { CheckOutcome, Share } from "../core/proof.ts";
import type { Cause } from "../core/run.ts";
import type { Case } from "./case.ts";
import type { RunRecord } from "./evidence.ts";
import type { RunName, RunShown } from "./prover.ts";
import type { Tried } from "./runs/strength.ts";
import { endedIn, type Seen } from "./seen.ts";
import { changedCode, changedJudge } from "./sides.ts";
import { hunks, languageOf } from "./source/index.ts";

const tailMax = 2500;
export const shownMax = 8;

export const permissionHint =
  "\nIf the feature cannot be done without changing them, put them back and reply needs-permission with the tests and the reason.";

export const group = (run: RunName, how: RunRecord["how"], text: string, share?: Share): RunRecord => ({
  run,
  check: "",
  command: "",
  how,
  text,
  output: null,
  ms: 0,
  ...(share === undefined ? {} : { share }),
});

/** Noticed is red: a test turned red, as it should. */
export function shownOf({ run, check, how, text, share }: RunRecord): RunShown {
  const outcome = outcomeOf(how);
  return {
    run,
    check,
    how: text,
    ...(outcome === null ? {} : { outcome }),
    ...(share === undefined ? {} : { seen: share }),
  };
}

function outcomeOf(how: RunRecord["how"]): CheckOutcome | null {
  if (how === "not-shown") return null;
  if (how === "flaky") return how;
  return how === "green" || how === "not-noticed" ? "green" : "red";
}

/** The end of the output. What an installer or a build says is wrong stands at its beginning, before pages of usage. */
export function tailOf({ how, tail }: Seen): string {
  if (tail.length <= tailMax) return tail;
  return how === "unready" ? `${tail.slice(0, tailMax)}\n…` : tail.slice(-tailMax);
}

export function redCause(check: CheckSpec, seen: Seen): Cause {
  const failed = [...(seen.tests ?? [])].filter(([, { how }]) => how === "failed").map(([key]) => key);
  const tests = failed.length === 0 ? "" : ` Failing: ${listed(failed)}`;
  // The names of the failing tests say more about the root cause than output with times and counts in it.
  const key = failed.length === 0 ? `${seen.how}:${seen.signature}` : failed.toSorted().slice(0, 5).join(",");
  return {
    kind: "check-red",
    key: `check:${check.name}:${key}`.slice(0, 300),
    text: `${check.name} (${check.run}) fails, ${endedIn(seen)}.${tests}\n${tailOf(seen)}`,
  };
}

/** Documents alone are a change of documents, whatever the feature calls itself; anything else is what it says. */
export function kindOf({ feature, sides }: Case): FeatureKind {
  const changes = sides.changes.filter(({ side }) => side !== "ours");
  if (changes.length > 0 && changes.every(({ side, isDocument }) => side === "product" && isDocument)) return "docs";
  return feature.kind === "docs" ? "change" : feature.kind;
}

export const changedPaths = ({ sides }: Case): string[] => changedJudge(sides).map(({ path }) => path);

export const listed = (names: readonly string[]): string =>
  `${names.slice(0, shownMax).join("; ")}${names.length > shownMax ? `; and ${names.length - shownMax} more` : ""}`;

/** Code is taken away and none is added. */
export function removesOnly({ sides }: Case): boolean {
  const code = changedCode(sides);
  return (
    code.length > 0 &&
    code.every(({ path }) =>
      hunks(sides.base.text(path) ?? "", sides.candidate.text(path) ?? "").every(({ added }) =>
        added.every((line) => line.trim() === ""),
      ),
    )
  );
}

/**
 * Functions that do nothing any more, old lines that were rewritten, and files in which nothing was noticed: what was asked for
 * may be among the first, what nobody asked for among the second, however well the rest of the change is tested.
 */
export function unnoticed(tried: readonly Tried[]): string[] {
  const known = new Set(tried.filter(({ noticed }) => noticed).map(({ path }) => path));
  return tried
    .filter(({ noticed, kind, path }) => !noticed && (kind !== "hunk" || (isCode(path) && !known.has(path))))
    .map(({ what }) => what);
}

const isCode = (path: string): boolean => languageOf(path) !== null && !path.endsWith(".d.ts");
