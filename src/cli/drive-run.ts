// Drives a run until it stops or rests, shows its progress, and says how it ended.

import { gateOf } from "../core/gates.ts";
import type { PauseReason } from "../core/outcome.ts";
import { exitCode, exitWaiting } from "../core/outcome.ts";
import { beginFollowUp, type Held } from "../engines/local/begin.ts";
import { patternOf } from "../engines/local/pattern.ts";
import { statusOf } from "../engines/local/status-file.ts";
import { count, money, nextCommand, outcomeOf } from "../runtime/records/words.ts";
import type { Story } from "../runtime/story.ts";
import { canAnswer, questionFor } from "./ask-gate.ts";
import type { Context } from "./context.ts";
import { endingText } from "./render/ending.ts";
import { painter } from "./render/paint.ts";
import { wrapped } from "./render/wrap.ts";
import { Screen } from "./screen.ts";

export async function driveAndReport(
  held: Held,
  context: Context,
  options: { wait: boolean; more?: object },
): Promise<number> {
  const earlier: string[] = [];
  const before = { sessions: 0, costUsd: 0 };
  for (let current = held; ; ) {
    const story = await driveHere(current, context, options);
    const code = codeOf(story);
    if (outcomeOf(story.run)?.kind !== "followup") {
      const { nth, hint } = patternOf(context.root, story);
      const answer = {
        ...answerOf(story, code, nth),
        ...options.more,
        ...(earlier.length === 0 ? {} : { follows: earlier }),
      };
      context.answer(
        context.json
          ? `${JSON.stringify(answer, null, 2)}\n`
          : `\n${wrapped(`${endingText(story, context.paint, hint)}${taskText(earlier, before)}`, columns())}`,
      );
      return code;
    }
    earlier.push(story.chronicle.run);
    before.sessions += story.run.spent.sessions;
    before.costUsd += story.run.spent.costUsd;
    context.comment(followUpText(story));
    current = await beginFollowUp(context.root, story.chronicle.run);
  }
}

const columns = (): number | undefined => (process.stdout.isTTY === true ? process.stdout.columns : undefined);

/** A follow-up is a separate run; the task's cost is the sum of all of them. */
const taskText = (earlier: readonly string[], { sessions, costUsd }: { sessions: number; costUsd: number }): string =>
  earlier.length === 0
    ? ""
    : `Before it: ${count(earlier.length, "run")} of the same task, ${count(sessions, "session")}, ${money(costUsd)}. loop list\n`;

function followUpText({ run }: Story): string {
  const { depth, depthMax } = run.contract.followUp;
  const gaps = (run.audit?.gaps ?? []).filter(({ blocking }) => blocking);
  return [
    "",
    `The audit found ${count(gaps.length, "thing")} that was asked for and is not there:`,
    ...gaps.map(({ id, text }) => `  ${id} ${text.replace(/\s+/g, " ").slice(0, 160)}`),
    `A follow-up run goes on with that, on what is left of the budget (${depth + 1} of at most ${depthMax}).`,
    "",
    "",
  ].join("\n");
}

/** Until the run stops, or rests without an answer from here. */
async function driveHere(held: Held, context: Context, options: { wait: boolean }): Promise<Story> {
  const { run } = held;
  const coloured = context.paint.red("x") !== "x" && process.stderr.isTTY === true;
  const screen = new Screen({ out: process.stderr, paint: painter(coloured), quiet: context.quiet || context.json });
  const ungrip = onSignals((by, again) => {
    if (again) endNow(by, screen);
    screen.say("", "  Pausing and saving state. Press Ctrl-C again to exit immediately.");
    run.send({ type: "pause-requested", by });
  });
  try {
    for (;;) {
      const watcher = screen.watcher(run.story);
      const story = await run.drive({ wait: options.wait && !run.plan.stopAtLimit, watcher });
      screen.close();
      const ask = canAnswer(context) ? questionFor(story, { ...context, paint: painter(coloured) }) : null;
      if (ask === null || !(await run.awaitAnswer(ask))) return story;
      if (run.story.run.now.is === "resting" && gateOf(run.story.run) === null)
        await run.record({ type: "continued", limits: {}, retry: false });
    }
  } finally {
    ungrip();
    screen.close();
    await held.close();
  }
}

export function codeOf({ run }: Story): number {
  const outcome = outcomeOf(run);
  return outcome === null ? exitWaiting : exitCode(outcome);
}

/** `alike`: how many similar requests this workspace has had, including this one. */
export function answerOf(story: Story, code: number, alike: number): object {
  const outcome = outcomeOf(story.run);
  const next = outcome === null ? "loop continue" : nextCommand(outcome);
  return { version: 1, exit_code: code, next, alike, ...statusOf(story) };
}

/** The leash ends the agent; the journal is intact at every moment. */
function endNow(by: PauseReason, screen: Screen): never {
  screen.close();
  process.stderr.write("Exited. To resume: loop continue\n");
  process.exit(by === "terminate" ? 143 : 130);
}

function onSignals(handle: (by: PauseReason, again: boolean) => void): () => void {
  let asked = false;
  const grip = (by: PauseReason) => () => {
    handle(by, asked);
    asked = true;
  };
  const grips = { SIGINT: grip("interrupt"), SIGTERM: grip("terminate"), SIGHUP: grip("terminate") } as const;
  const names = Object.keys(grips) as (keyof typeof grips)[];
  for (const name of names) process.on(name, grips[name]);
  return () => {
    for (const name of names) process.off(name, grips[name]);
  };
}
