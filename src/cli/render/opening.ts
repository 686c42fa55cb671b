// What a run would do, before it does anything: each value with its origin.
import type { Autonomy, FeatureNote } from "../../core/contract.ts";
import { shortened } from "../../formats/text/shortened.ts";
import { crewText } from "../../project/agents/agent-words.ts";
import type { PlannedRun } from "../../project/plan/plan-run.ts";
import type { WallsSaid } from "../../project/walls/walls.ts";
import { count, whenAsked } from "../../report/words/words.ts";
import type { HeadName } from "../../workspace/head-name.ts";
import { branchText } from "./branch.ts";
import { row } from "./events.ts";
import { capsText, kindLines, supposes } from "./start-screen.ts";

export function openingText(
  { contract, agents, from, inputs, notices, waiting, place, isDrafted }: PlannedRun,
  walls: WallsSaid,
  head: HeadName | null,
  isForPr: boolean,
): string {
  const { features, checks, scope, autonomy, stages, gates, intake } = contract;
  const open = features.filter(({ status }) => status !== "complete" && status !== "existing");
  const goal = from.request === "goal" ? `, for the goal of ${inputs.loopMd?.path ?? "the contract"}` : "";
  const lines = [
    ...(intake === null
      ? []
      : [row("request", `${clarity[intake.shape]} (${intake.score} of 10)${hardToUndo(intake.reversibility)}`)]),
    row(
      "work",
      `${open.length === 0 ? "to be planned" : count(open.length, "feature")}${goal}${hardOnes(contract.notes ?? [])}`,
    ),
    ...kindLines({ contract, isDrafted }),
    ...(stages.length === 1 ? [] : [row("stages", stages.join(", "))]),
    ...(gates.length === 0
      ? []
      : [row("gates", `you are asked ${gates.map((gate) => whenAsked[gate]).join(", ")} (${gates.join(", ")})`)]),
    ...(scope.include === null ? [] : [row("only", `${scope.include.join(", ")} (${from.include})`)]),
    ...(scope.exclude.length === 0 ? [] : [row("not", `${scope.exclude.join(", ")} (${from.exclude})`)]),
    ...(waiting.length === 0 ? [] : [row("queue", waitingText(waiting, contract.recordsDir))]),
    row("where", branchText(head, place, isForPr)),
    row("autonomy", `${autonomy}: ${autonomyWords[autonomy]} (${from.autonomy})`),
    ...(contract.fullAutoAnswers ? [row("answers", supposes)] : []),
    row("agents", `${crewText(agents)} (${found(from.agents)})`),
    row("walls", walls.fix === null ? walls.text : `${walls.text}. To have them: ${walls.fix}`),
    ...checks.map(({ name, run, must, network }) =>
      row(
        "check",
        `${name}: ${run} (${must}, ${found(from.checks)}${network === "none" ? ", without the network" : ""})`,
      ),
    ),
    ...scope.mustNot.map((text, at) => row("must not", `${shortened(text, 100)} (${from.mustNot[at] ?? "loop.yaml"})`)),
    row("limits", capsText({ contract, from })),
    ...notices.map((text) => row("note", text)),
  ];
  return `${lines.join("\n")}\n`;
}

const clarity = { tool: "clear", colleague: "leaves something open" } as const;
const hardToUndo = (reversibility: string): string => (reversibility === "1" ? ", would take hours to undo" : "");
function hardOnes(notes: readonly FeatureNote[]): string {
  const ids = notes.flatMap(({ feature, reversibility }) => (reversibility === "1" ? [feature] : []));
  const more = ids.length > waitingShown ? ", …" : "";
  return ids.length === 0 ? "" : `; would take hours to undo: ${ids.slice(0, waitingShown).join(", ")}${more}`;
}

const autonomyWords: Readonly<Record<Autonomy, string>> = {
  L1: "asks at every gate",
  L2: "asks only when the request leaves something open",
  L3: "asks at no gate",
};

const waitingShown = 8;

function waitingText(waiting: readonly string[], recordsDir: string): string {
  const named = waiting.slice(0, waitingShown).join(", ");
  const more = waiting.length > waitingShown ? ", …" : "";
  const stay = `${count(waiting.length, "open feature stays", "open features stay")} as ${waiting.length === 1 ? "it is" : "they are"}`;
  return `${stay} in ${recordsDir}/FEATURES.json (${named}${more}): this run is only about the request. For those: loop run`;
}

/** Agents and checks have no default: without configuration they are detected. */
const found = (from: string): string => (from === "default" ? "detected" : from);
