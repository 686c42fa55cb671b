// One screen before anything is spent: what will be built, by whom, how it is checked, where, and what it may cost.
import type { Contract } from "../../core/contract.ts";
import { shortened } from "../../formats/text/shortened.ts";
import { visibleText } from "../../formats/text/visible-text.ts";
import { waysOf } from "../../notify/channels.ts";
import { crewText } from "../../project/agents/agent-words.ts";
import type { PlannedRun } from "../../project/plan/plan-run.ts";
import type { WallsSaid } from "../../project/walls/walls.ts";
import { count, duration, money, whenAsked } from "../../report/words/words.ts";
import type { HeadName } from "../../workspace/head-name.ts";
import { branchText } from "./branch.ts";
import { row } from "./events.ts";
import type { Paint } from "./paint.ts";

export type Surroundings = {
  readonly paint: Paint;
  readonly root: string;
  readonly head: HeadName | null;
  readonly place: PlannedRun["place"];
  readonly overnight: boolean;
  /** Its commits are for a pull request. */
  readonly isForPr: boolean;
  /** Files with uncommitted changes, which a run in a worktree does not see. */
  readonly unseen: readonly string[];
  readonly walls: WallsSaid;
  /** For one proof, as `loop check` measured it; null: it was not measured for these checks. */
  readonly estimateMs: number | null;
  readonly lastProof: PastProof | null;
  /** The person agrees to this screen before anything is built, so that it is not asked again. */
  readonly isAgreedHere: boolean;
};

export type PastProof = { readonly ms: number; readonly depth: string };

const featuresShown = 12;

export function startScreen(planned: PlannedRun, around: Surroundings): string {
  const { contract, agents, from, notices, waiting } = planned;
  const { paint } = around;
  const lines = [
    ...builtLines(planned),
    ...kindLines(planned),
    row("agents", `${crewText(agents)}${foundText(from.agents)}`),
    row(
      "walls",
      around.walls.fix === null ? around.walls.text : `${around.walls.text}. To have them: ${around.walls.fix}`,
    ),
    ...contract.checks.map(({ run, must }) =>
      row("check", `${run}${must === "turn-green" ? " has to turn green" : ""}${foundText(from.checks)}`),
    ),
    row("proof", proofText(around, contract.proof.depth)),
    ...contract.scope.mustNot.map((text) => row("must not", text)),
    row("where", whereText(around)),
    ...(around.unseen.length === 0 ? [] : [row("yours", unseenText(around.unseen))]),
    row("caps", capsText(planned)),
    row("asks", asksText(contract, contract.stages.includes("plan") || !around.isAgreedHere)),
    ...(around.overnight
      ? [row("overnight", `8 hours of work, 50 iterations, no questions; ${notifyText(planned.notify)}`)]
      : []),
    ...(waiting.length === 0
      ? []
      : [row("queue", `${count(waiting.length, "open feature")} left for another run: loop run`)]),
    ...notices.map((text) => row("note", text)),
  ];
  return [
    "",
    paint.bold("Before anything is spent"),
    ...lines.map((line) => visibleText(line).replaceAll("\n", " ")),
    "",
  ].join("\n");
}

/** Only what is not proved as code is: a person who means something else says so before it is paid for. */
export function kindLines({ isDrafted, contract: { features } }: Pick<PlannedRun, "isDrafted" | "contract">): string[] {
  const kind = isDrafted && features.length === 1 ? features[0]?.kind : undefined;
  return kind === undefined || kind === "change" ? [] : [row("kind", kindWords[kind])];
}

const kindWords = {
  docs: "docs: the checker reviews it, and no test has to show it. If it is about code as well, say so in the request",
  judge: "judge: about tests or configuration, so you decide when it is built",
  keep: "keep: behavior stays the same, as the old tests have to show",
} as const;

function builtLines({ isDrafted, contract: { features, request } }: PlannedRun): string[] {
  const open = features.filter(({ status }) => status !== "complete" && status !== "existing");
  const [first = "", ...more] = request
    .trim()
    .split(/\n+/)
    .map((line) => shortened(line.trim(), lineMax));
  if (open.length === 0) return [row("build", `${first} (to be planned first)`), ...moreLines(more)];
  // The name of a drafted feature is cut, as the subject of a commit is: what is agreed to is the request.
  if (isDrafted && open.length === 1) return [row("build", `1  ${first}`), ...moreLines(more)];
  const shown = open.slice(0, featuresShown).map(({ name }, at) => row(at === 0 ? "build" : "", `${at + 1}  ${name}`));
  return [
    ...shown,
    ...(open.length > featuresShown ? [row("", `and ${open.length - featuresShown} more`)] : []),
    ...(isDrafted ? moreLines(more) : []),
  ];
}

/** A request of several lines, to the end: a specification may be long, and a person who has it in a file knows it. */
function moreLines(lines: readonly string[]): string[] {
  const left = lines.length - linesShown;
  const shown = lines.slice(0, linesShown).map((line) => row("", `   ${line}`));
  return [...shown, ...(left > 0 ? [row("", `   … and ${count(left, "more line")} of the request`)] : [])];
}

const linesShown = 30;
const lineMax = 2000;

function proofText({ estimateMs, lastProof }: Surroundings, depth: string): string {
  if (estimateMs !== null) return `about ${duration(estimateMs)} for each feature (${depth}, measured by loop check)`;
  if (lastProof?.depth === depth) return `the last one here took ${duration(lastProof.ms)} (${depth})`;
  if (lastProof !== null)
    return `${depth}; the last one here was ${lastProof.depth}, and took ${duration(lastProof.ms)}`;
  return `${depth}; how long it takes was not measured yet: loop check`;
}

function whereText({ root, head, place, isForPr }: Surroundings): string {
  return `${root}, ${branchText(head, place, isForPr)}`;
}

/** `src/list.js, notes.txt: uncommitted, so the run does not see it`. */
export function unseenText(unseen: readonly string[]): string {
  const named = unseen.slice(0, 3).join(", ");
  const more = unseen.length > 3 ? ` and ${unseen.length - 3} more` : "";
  const [it, is] = unseen.length === 1 ? ["it", "it is"] : ["them", "they are"];
  return `${named}${more}: uncommitted, so the run does not see ${it} and leaves ${it} alone. While ${is}, it lands by loop land, and not by itself`;
}

export function capsText({ contract: { limits }, from }: Pick<PlannedRun, "contract" | "from">): string {
  const caps = [
    limits.costUsdMax === null ? "no cap on cost" : money(limits.costUsdMax),
    limits.iterationsMax === null ? "" : count(limits.iterationsMax, "iteration"),
    limits.activeMsMax === null ? "" : `${duration(limits.activeMsMax)} of work`,
    limits.commitsMax === null ? "" : count(limits.commitsMax, "commit"),
    `${count(limits.reworkMax, "rework")} of a feature`,
    limits.sessionsMax === null ? "" : count(limits.sessionsMax, "session"),
    limits.tokensMax === null ? "" : count(limits.tokensMax, "token"),
    limits.checkMsMax === null ? "" : `${duration(limits.checkMsMax)} of checks`,
    limits.windowPercentMax === null ? "" : `${limits.windowPercentMax} % of a subscription's window`,
  ];
  return `${caps.filter((text) => text !== "").join(", ")}${foundText(from.limits)}`;
}

/** With a way that reaches someone who is not looking, the run can wait for them. */
function notifyText(settings: PlannedRun["notify"]): string {
  const ways = waysOf(settings);
  const isReached = ways.some((way) => way !== "bell" && way !== "title");
  const more = isReached ? "" : ". To be told on your phone: loop notify --test";
  return ways.length === 0 ? "notifications are off" : `you are told by ${ways.join(", ")}${more}`;
}

function asksText({ gates, fullAutoAnswers }: Contract, isAskedFirst: boolean): string {
  const left = gates.filter((name) => name !== "G1" || isAskedFirst).map((name) => whenAsked[name]);
  const [last = "", ...before] = left.toReversed();
  if (left.length > 0) return `you, ${before.length === 0 ? last : `${before.toReversed().join(", ")} and ${last}`}`;
  return fullAutoAnswers ? `nothing more; ${supposes}` : "nothing more, unless an agent has a question";
}

/** With `full_auto_answers`. */
export const supposes = "an agent's question is answered with its own best supposition";

/** Agents and checks without configuration are detected; a default cap needs no word. */
const foundText = (from: string): string => (from === "default" ? "" : ` (${from})`);
