// loop init: inspects the project, asks at most three questions, and writes loop.yaml and the contract.
import { UserError } from "../../core/errors.ts";
import { type Autonomy, defaults } from "../../formats/config/settings.ts";
import { agentHereText } from "../../project/agents/agents-here.ts";
import { whoDrives } from "../../project/place/who-drives.ts";
import { type InitAnswers, type Initialised, initialise, type Survey, survey } from "../../project/plan/init.ts";
import { count } from "../../report/words/words.ts";
import { ask, canAsk, type Question } from "../ask.ts";
import { agentFlags, autonomyFlag } from "../choice-flags.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import { row } from "../render/events.ts";

export type InitFlags = GlobalFlags & {
  yes?: boolean;
  force?: boolean;
  goal?: string;
  check?: string;
  autonomy?: string;
  agent?: string;
};

export async function init(flags: InitFlags): Promise<number> {
  const context = contextOf(flags);
  const force = flags.force === true;
  const agent = agentFlags(flags).agents?.maker === undefined ? null : (flags.agent ?? null);
  autonomyFlag(flags.autonomy);
  await refuseUnderWay(context.root);
  const found = await survey(context.root, { force });
  context.comment(surveyText(found));
  const given = await answersFor(found, flags);
  const done = initialise(found, { ...given, agent }, { force });
  const next = nextOf(found, given);
  if (context.json) printAnswer(answers.init, { ...done, next }, 0);
  else context.answer(doneText(done, next, context));
  return 0;
}

/** Files written while an agent works would be undone as the agent's edits. */
async function refuseUnderWay(root: string): Promise<void> {
  if ((await whoDrives(root)) === null) return;
  throw new UserError("run-under-way", {
    what: "Nothing was written.",
    why: "A run is under way in this workspace, and its inputs must not change under it.",
    next: "loop pause, then: loop init",
  });
}

type Asked = { readonly flag: "goal" | "check" | "autonomy"; readonly question: Question };

async function answersFor(found: Survey, flags: InitFlags): Promise<Omit<InitAnswers, "agent">> {
  const open = questionsFor(found, flags).filter(({ flag }) => flags[flag] === undefined);
  const isAsked = open.length > 0 && flags.yes !== true;
  if (isAsked && !canAsk()) throw cannotAsk(open);
  const given = isAsked
    ? await ask(open.map(({ question }) => question))
    : open.map(({ question }) => question.otherwise);
  const answer = (flag: Asked["flag"], otherwise: string): string => {
    const at = open.findIndex((asked) => asked.flag === flag);
    return (flags[flag] ?? given[at] ?? otherwise).trim();
  };
  return {
    goal: answer("goal", ""),
    check: answer("check", found.detected[0]?.run ?? ""),
    autonomy: answer("autonomy", defaults.autonomy).toUpperCase() as Autonomy,
  };
}

/** Only questions for files that will be written. */
function questionsFor({ files, detected, open, recordsDir }: Survey, flags: InitFlags): Asked[] {
  const isDue = (file: { isThere: boolean }) => flags.force === true || !file.isThere;
  const goal = open !== null && open > 0 ? `The features in ${recordsDir}/FEATURES.json are complete.` : "";
  const contract: Asked[] = [
    { flag: "goal", question: { text: "What should be true at the end?", otherwise: goal } },
    {
      flag: "autonomy",
      question: {
        text: "How autonomous? L1 asks after each iteration, L2 goes on within the scope, L3 is unattended.",
        otherwise: defaults.autonomy,
        wrong: (answer) => (/^L[123]$/i.test(answer) ? null : `${answer} is not L1, L2 or L3.`),
      },
    },
  ];
  const check: Asked = {
    flag: "check",
    question: { text: "Which command proves it?", otherwise: detected[0]?.run ?? "" },
  };
  const [first, second] = isDue(files.contract) ? contract : [];
  return [...(first ? [first] : []), ...(isDue(files.yaml) ? [check] : []), ...(second ? [second] : [])];
}

function cannotAsk(open: readonly Asked[]): UserError {
  const names = open.map(({ flag }) => `--${flag}`);
  return new UserError("no-terminal", {
    what: "Nothing was written.",
    why: `${count(open.length, "question")} would have to be asked, and there is no terminal to ask in.`,
    next: `Answer with ${names.join(", ")}, or take the defaults: loop init --yes`,
  });
}

function surveyText({ git, agents, detected, open, recordsDir, files }: Survey): string {
  const there = [files.yaml, files.contract].filter(({ isThere }) => isThere).map(({ path }) => path);
  const lines = [
    row("git", git ? "a repository" : "none: git init, or run with --no-git"),
    row("agents", agents.map(agentHereText).join(" · ") || "neither claude nor codex is on PATH"),
    row("checks", detected.map(({ run }) => run).join(" · ") || "none found: a run needs one"),
    ...(open === null ? [] : [row("work", `${count(open, "open feature")} in ${recordsDir}/FEATURES.json`)]),
    ...(there.length === 0 ? [] : [row("there", there.join(", "))]),
  ];
  return `${lines.join("\n")}\n\n`;
}

/** If there is work, suggest a dry run; otherwise a request. */
const nextOf = ({ open, goal }: Survey, answers: Pick<InitAnswers, "goal">): string =>
  (goal ?? answers.goal) !== "" || (open !== null && open > 0) ? "loop run --dry-run" : 'loop "what should be done"';

function doneText({ wrote, left, kept }: Initialised, next: string, { paint }: Context): string {
  const lines = [
    ...wrote.map((path) => `Wrote ${path}`),
    ...left.map((path) => `Left ${path} as it is (--force replaces it, and keeps the old one)`),
    ...(kept.length === 0 ? [] : [`Kept what was there: ${kept.join(", ")} (no run reads it)`]),
  ];
  return `${lines.join("\n")}\n${paint.bold("Next:")} ${next}\n`;
}
