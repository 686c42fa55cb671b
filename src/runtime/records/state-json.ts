// .loop/state.json: what an agent or a stop hook may read. Nothing is ever read back from it.
import type { Feature } from "../../core/contract.ts";
import type { Run } from "../../core/run.ts";
import { isDone } from "../../core/select.ts";
import { outcomeOf } from "./words.ts";

export function stateText(run: Run): string {
  const { contract, spent, streaks, now } = run;
  const { criteria, owners, steps } = quotedOf(contract.features);
  const isMet = contract.features.map(({ id }) => isDone(run, id));
  const done = steps.filter((_, at) => isMet[at]);
  const left = steps.filter((_, at) => !isMet[at]);
  const outcome = outcomeOf(run);
  const status = Array.from(owners, ([criterion, places]) => `${criterion}: ${places.every((at) => isMet[at])}`);
  const fields: [string, string][] = [
    ["version", "1"],
    ["spec", JSON.stringify(contract.request)],
    ["criteria", lines("[", criteria, "]")],
    ["criteriaStatus", lines("{", status, "}")],
    ["exit_signal", String(outcome?.kind === "success")],
    ["steps", lines("[", steps, "]")],
    ["completedSteps", lines("[", done, "]")],
    ["remainingSteps", lines("[", left, "]")],
    ["iteration", String(spent.iterations)],
    ["status", JSON.stringify(statusWord(outcome?.kind))],
    ["phase", JSON.stringify(now.is)],
    ["circuitBreaker", `{ "stuckCount": ${streaks.stuck}, "lastUnmet": ${left[0] ?? "null"} }`],
    ["cost", String(spent.costUsd)],
  ];
  return `{\n${fields.map(([name, value]) => `  "${name}": ${value}`).join(",\n")}\n}\n`;
}

function statusWord(kind: string | undefined): string {
  if (kind === undefined) return "in_progress";
  return kind === "success" ? "completed" : kind === "cancelled" ? "cancelled" : "paused";
}

const lines = (open: string, items: readonly string[], close: string): string =>
  items.length === 0 ? `${open}${close}` : `${open}\n    ${items.join(",\n    ")}\n  ${close}`;

type Quoted = {
  readonly criteria: readonly string[];
  /** Which features have a criterion, by their places: it is met when all of them are done. */
  readonly owners: ReadonlyMap<string, number[]>;
  readonly steps: readonly string[];
};
const quoted = new WeakMap<readonly Feature[], Quoted>();

/** The parts that stay the same while the queue does: with ten thousand features they are most of the work. */
function quotedOf(features: readonly Feature[]): Quoted {
  const known = quoted.get(features);
  if (known !== undefined) return known;
  const owners = new Map<string, number[]>();
  const criteria = features.flatMap((feature, at) =>
    feature.criteria.map((criterion) => {
      const text = JSON.stringify(criterion);
      const places = owners.get(text);
      if (places === undefined) owners.set(text, [at]);
      else places.push(at);
      return text;
    }),
  );
  const made = { criteria, owners, steps: features.map(({ id }) => JSON.stringify(id)) };
  quoted.set(features, made);
  return made;
}
