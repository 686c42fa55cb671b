// A request, what is known about its workspace, and the expected intake result.
import type { Known } from "../../src/intake/known.ts";

type Given = keyof typeof givens;
export type Row = {
  readonly request: string;
  readonly known: Known;
  readonly shape: string;
  /** Null: reasonable people would differ, so it does not count. */
  readonly workflow: string | null;
  readonly reversibility: string | null;
  /** Outcome, scope, constraints, success, done; null: not judged for this request. */
  readonly dimensions: readonly number[] | null;
};

const check = { name: "test", run: "npm test", must: "stay-green", from: "package.json" } as const;
const givens = {
  nothing: {},
  tests: { checks: [check] },
  features: { checks: [check], features: { from: "docs/FEATURES.json", open: 4, criteria: 11 } },
  shape: { checks: [check], shape: { from: ".loop/shape/SHAPE.md", criteria: 3, mustNots: 2 } },
} satisfies Record<string, Known>;

/** `expected` is a shape, a workflow, a reversibility and perhaps the five scores: "colleague debug 2B 22011". */
export function row(given: Given, expected: string, request: string): Row {
  const [shape = "", workflow = "-", reversibility = "-", scores] = expected.split(" ");
  return {
    request,
    known: givens[given],
    shape,
    workflow: workflow === "-" ? null : workflow,
    reversibility: reversibility === "-" ? null : reversibility,
    dimensions: scores === undefined ? null : Array.from(scores, Number),
  };
}
