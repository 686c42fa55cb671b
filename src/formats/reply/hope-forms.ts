// The announcements, the status block, the completion and the verdict box, as the hope loop defines them.

type LoopStatus = {
  readonly exitSignal: boolean;
  /** Met or not; or both that and how it was, or has to be, shown. */
  readonly criteria: Readonly<Record<string, boolean | { readonly met: boolean; readonly verification: string }>>;
  readonly stuckCount: number;
  readonly next: string;
};

export function statusBlock({ exitSignal, criteria, stuckCount, next }: LoopStatus): string {
  return `---LOOP_STATUS---
EXIT_SIGNAL: ${exitSignal}
CRITERIA: ${spaced(criteria)}
STUCK_COUNT: ${stuckCount}
NEXT: ${oneLine(next)}
---END_STATUS---`;
}

/** JSON on one line, with a space after each colon and comma. */
const spaced = (value: object): string =>
  `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${typeof one === "object" ? spaced(one) : JSON.stringify(one)}`)
    .join(", ")}}`;

type Start = {
  readonly shape: "Tool" | "Colleague" | "Intent";
  /** Null: nothing was scored. */
  readonly score: number | null;
  /** A, B or C; several where features differ. Null: nothing says. */
  readonly workflow: string | null;
  readonly steps: number;
  readonly budget: string;
};

export const starting = ({ shape, score, workflow, steps, budget }: Start): string =>
  `[LOOP] Starting | Shape: ${shape}${score === null ? "" : ` (${score}/10)`}${workflow === null ? "" : ` | Workflow: ${workflow}`} | Steps: ${steps} | Budget: ${budget}`;

/** The document asks whether to delete it; here it is a command, since no answer is needed. */
export const disclosure = (worktree: string | null): string =>
  `Writing state to .loop/state.json${worktree === null ? "" : ` in ${worktree}`}. To delete it after the session: loop cancel --clean`;

/** The file is another loop's, with the same name. */
export const disclosureOfOthers = ".loop/state.json is another loop's: it stays, and this run writes none.";

/** After the third request of a kind. */
export const learnable = (steps: string): string =>
  `This is a learnable pattern. Want the steps to run yourself? ${steps}`;

export const beforeIteration = (at: { number: number; most: number | null; cost: string; step: string }): string =>
  `[LOOP] Iteration ${at.number}/${at.most ?? "∞"} | Cost: ${at.cost} | Step: ${oneLine(at.step)}`;

type After = { step: string; done: number; total: number; next: string };

export const afterIteration = ({ step, done, total, next }: After): string =>
  `[LOOP] ✓ ${oneLine(step)} complete | Progress: ${done}/${total} | Next: ${oneLine(next)}`;

/** The document has no form for a step that failed; this is ours. */
export const afterFailure = ({ step, done, total, next }: After): string =>
  `[LOOP] ✗ ${oneLine(step)} not complete | Progress: ${done}/${total} | Next: ${oneLine(next)}`;

export const paused = (at: { reason: string; done: number; left: number; resume: string }): string =>
  `[LOOP] ⏸ Paused: ${oneLine(at.reason)}
Progress: ${at.done} steps complete, ${at.left} remaining
Resume: ${at.resume}`;

export const complete = (criteria: readonly string[]): string =>
  `<loop-complete>
All success criteria satisfied:
${criteria.map((criterion) => `- ${oneLine(criterion)}: ✓`).join("\n")}
</loop-complete>`;

/** What is asked at the three gates. */
export const gateQuestion = {
  G1: (steps: readonly string[]): string =>
    [
      `G1: Decomposed into ${steps.length} ${steps.length === 1 ? "step" : "steps"}:`,
      ...steps.map((step, at) => `${at + 1}. ${oneLine(step)}`),
      "Proceed? [Y/n]",
    ].join("\n"),
  G2: (step: string, isComplete: boolean): string =>
    `G2: Step ${oneLine(step)} ${isComplete ? "" : "not "}complete. Continue? [Y/n]`,
  G3: (): string => "G3: All criteria met. Confirm done? [Y/n]",
} as const;

/** The points of a request, dimension by dimension, with what was found for each. */
export const scoring = (
  points: readonly { name: string; score: number; found: string }[],
  total: number,
  shape: Start["shape"],
): string =>
  [
    "Spec scoring:",
    ...points.map(({ name, score, found }) => `- ${capitalized(name)}: ${score} (${oneLine(found)})`),
    `Total: ${total}/10 → ${shape === "Intent" ? "Intent-required" : `${shape}-shaped`}`,
  ].join("\n");

const capitalized = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

type VerdictWord = "SHIP" | "MONITOR" | "RESEARCH";
const lights: Readonly<Record<VerdictWord, string>> = { SHIP: "🟢", MONITOR: "🟡", RESEARCH: "🔴" };

export type VerdictBox = {
  readonly verdict: VerdictWord;
  /** Ways in which criteria were shown. */
  readonly verified: readonly string[];
  readonly met: number;
  readonly criteria: number;
  /** Null: nothing says. */
  readonly reversibility: string | null;
  /** Of the request; null: there was none. */
  readonly score: number | null;
  readonly alternative: string;
  readonly risk: string;
};

export function verdictBox(box: VerdictBox): string {
  const above = [
    `Verified: ${box.verified.join("/") || "nothing"}`,
    `Checklist: ${box.met}/${box.criteria} criteria verified`,
    // A feeling in percent would be a number that was not measured.
    `Subjective: not measured${box.reversibility === null ? "" : ` · Type ${box.reversibility}`}${box.score === null ? "" : ` · ${box.score}pt`}`,
  ];
  const below = [`↳ Alt: ${oneLine(box.alternative)}`, `↳ Risk: ${oneLine(box.risk)}`];
  const width = Math.max(36, ...[...above, ...below].map((line) => line.length + 2));
  // The light takes two columns.
  const title = `─ ${lights[box.verdict]} ${box.verdict} `;
  const row = (line: string): string => `│ ${line.padEnd(width - 1)}│`;
  return [
    `╭${title}${"─".repeat(width - title.length)}╮`,
    ...above.map(row),
    `├${"─".repeat(width)}┤`,
    ...below.map(row),
    `╰${"─".repeat(width)}╯`,
  ].join("\n");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 200);
