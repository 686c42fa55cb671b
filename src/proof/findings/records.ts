// Runs of checks, as stored in the evidence and as shown to people.

import type { CheckSpec } from "../../core/contract.ts";
import { leftRunning } from "../../core/left-running.ts";
import type { CheckOutcome } from "../../core/proof.ts";
import type { RunRecord } from "../evidence.ts";
import type { RunName, RunShown } from "../prover.ts";
import { inWords, isGreen, passed, type Seen } from "../seen.ts";
import type { Said } from "./said.ts";

type Recorded = {
  readonly run: RunName;
  readonly checks: readonly CheckSpec[];
  readonly seen: ReadonlyMap<string, Seen>;
  /** Names of checks that were red and then green. */
  readonly flaky?: ReadonlySet<string>;
  /** Added to the text of each result. */
  readonly more?: string;
  readonly without?: RunRecord["without"];
};

export function recorded({ run, checks, seen, flaky = new Set(), more = "", without }: Recorded): Said {
  const commands = new Map(checks.map((check) => [check.name, check.run]));
  const records = [...seen].map(
    ([check, one]): RunRecord => ({
      run,
      check,
      command: commands.get(check) ?? "",
      how: flaky.has(check) ? "flaky" : isGreen(one) ? "green" : "red",
      text: `${inWords(one)}${flaky.has(check) ? ", and green a second time" : ""}${more}`,
      output: one.output === "" ? null : one.output,
      ms: one.ms,
      ...(without === undefined ? {} : { without }),
      ...(one.tests === null ? {} : { passed: passed(one) }),
      ...(one.tests === null || run !== "B" ? {} : { share: { count: passed(one).length, of: ran(one) } }),
    }),
  );
  const remarks = [...seen.values()].flatMap(({ problem, check, leftBehind }) => [
    ...(problem === null ? [] : [problem]),
    ...(leftBehind > 0 ? [`${check} ${leftRunning(leftBehind)}`] : []),
  ]);
  return { records, remarks };
}

const ran = ({ tests }: Seen): number => [...(tests?.values() ?? [])].filter(({ how }) => how !== "skipped").length;

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
