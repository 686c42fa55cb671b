// loop list: the tasks of this workspace with their runs, newest first.
import { isReadable, overviewsOf } from "../../engines/overview.ts";
import { shortened } from "../../formats/text/shortened.ts";
import { noRunsText } from "../../project/runs/no-runs.ts";
import type { Overview } from "../../report/overview.ts";
import { stateWords } from "../../report/state.ts";
import { isoTime, money } from "../../report/words/words.ts";
import { placeText } from "../../report/worktree.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import { runFacts } from "../json/run-shape.ts";

export async function list(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const all = await overviewsOf(context.engine);
  const shown = flags.task === undefined ? all : all.filter((run) => isReadable(run) && run.task === flags.task);
  const readable = shown.filter(isReadable);
  const tasks = [...new Set(readable.map(({ task }) => task))].map((task) => {
    const runs = readable.filter((run) => run.task === task);
    // Every run of a task has the words of its first one.
    return { task, request: runs.at(-1)?.request ?? "", runs };
  });
  if (context.json) {
    const named = tasks.map(({ task, request, runs }) => ({ task, request, runs: runs.map(({ run }) => run) }));
    const runs = shown.map((run) => (isReadable(run) ? runFacts(run) : run));
    printAnswer(answers.list, { tasks: named, runs }, 0);
    return 0;
  }
  const blocks = [
    ...tasks.map(({ task, request, runs }) => `${taskLine(task, request)}\n${runs.map(runLine).join("\n")}\n`),
    ...shown.flatMap((run) => (isReadable(run) ? [] : [`${run.run}  cannot be read: ${run.unreadable}\n`])),
  ];
  context.answer(blocks.length === 0 ? nothing(flags.task, context.root) : blocks.join("\n"));
  return 0;
}

const nothing = (task: string | undefined, root: string): string =>
  task === undefined ? `${noRunsText(root)}\n` : `No run here belongs to ${task}.\n`;

const taskLine = (task: string, request: string): string => `${task}  ${shortened(request.split("\n")[0] ?? "", 60)}`;

const runLine = (run: Overview): string =>
  [
    `  ${run.run}`,
    isoTime(run.begunAt),
    (run.outcome?.kind ?? stateWords[run.state]).padEnd(12),
    `${run.done}/${run.total}`.padEnd(7),
    money(run.spent.costUsd, run.spent.estimated),
    ...sinceThen(run),
  ].join("  ");

/** What an ending alone does not say. */
function sinceThen({ features, worktree, state }: Overview): string[] {
  const gone = features.filter(({ takenBack, commit }) => takenBack !== null && commit !== null);
  return [
    ...(gone.length === 0 ? [] : [`${gone.map(({ id }) => id).join(", ")} taken back`]),
    ...(state === "over" && worktree !== null && worktree.isAhead ? [placeText(worktree)] : []),
  ];
}
