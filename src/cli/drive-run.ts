// Drives a run until it stops or rests, shows its progress, and says how it ended.
import { Bug } from "../core/errors.ts";
import { gateOf } from "../core/gates.ts";
import { next } from "../core/next.ts";
import type { PauseReason } from "../core/outcome.ts";
import type { Begun, Receipt, Terms } from "../engines/engine.ts";
import { leavesState, overviewOf } from "../engines/overview.ts";
import { watch } from "../engines/watch.ts";
import { hopeEnding, hopeStatus } from "../report/hope.ts";
import { type Overview, overview } from "../report/overview.ts";
import type { Story } from "../report/story.ts";
import { count, money, outcomeOf } from "../report/words/words.ts";
import { type Asked, canAnswer, questionFor } from "./ask-gate.ts";
import type { Context } from "./context.ts";
import { answers } from "./json/answer-shapes.ts";
import { lineOf } from "./json/line-shapes.ts";
import { printEnd, printLine } from "./json/print.ts";
import { runFacts } from "./json/run-shape.ts";
import { Keys } from "./keys.ts";
import { columnsOf } from "./render/columns.ts";
import { endingText, shortEnding } from "./render/ending.ts";
import { wrapped } from "./render/wrap.ts";
import { informed, Screen } from "./screen.ts";
import { SeedScreen } from "./seed-screen.ts";
import { terminalNotices } from "./terminal-notices.ts";

/** `isResumed`: if no agent works after that, a few lines are enough. `more`: for the JSON answer. */
type Shown = Terms & { readonly more?: { readonly changes: Receipt["changes"] }; readonly isResumed?: boolean };

/** Shows a run that was begun or resumed here, and its follow-ups. Returns the exit code. */
export async function driveAndReport(
  begun: Pick<Begun, "from"> & { readonly run: string },
  context: Context,
  { more, isResumed = false, ...terms }: Shown,
): Promise<number> {
  const { engine } = context;
  const earlier: string[] = [];
  const before = { sessions: 0, costUsd: 0 };
  for (let current = begun; ; ) {
    const { before: first, story } = await attend(current, context);
    if (outcomeOf(story.run)?.kind !== "followup") {
      const run = await overviewOf(engine, story.chronicle.run);
      if (context.json) {
        const follows = earlier.length === 0 ? {} : { follows: earlier };
        printEnd(answers.run, { type: "end", ...runFacts(run), ...more, ...follows }, run.exitCode);
        return run.exitCode;
      }
      context.answer(
        context.isSeed
          ? `\n${hopeEnding(story, {
              isHabit: run.hint !== null,
              leavesState: await leavesState(engine, story.chronicle.run),
            })}`
          : wrapped(
              isResumed && hasPaidNothing(first, story)
                ? shortEnding(run, changedSince(first, run), context.paint)
                : `\n${endingText(run, context.paint)}${taskText(earlier, before)}`,
              columnsOf(process.stdout),
            ),
      );
      return run.exitCode;
    }
    earlier.push(story.chronicle.run);
    before.sessions += story.run.spent.sessions;
    before.costUsd += story.run.spent.costUsd;
    if (context.isSeed) context.comment(`${hopeStatus(story)}\n\n`);
    context.comment(followUpText(story));
    current = await engine.begin({ follows: story.chronicle.run }, terms);
  }
}

/** A decision was carried out, and no agent has worked since. */
const hasPaidNothing = (before: Story, after: Story): boolean =>
  before.chronicle.run === after.chronicle.run && before.run.spent.sessions === after.run.spent.sessions;

/** The features that stand differently than before. */
function changedSince(before: Story, { features }: Overview): Overview["features"] {
  const known = new Map(overview(before, { isDriven: false }).features.map(({ id, standing }) => [id, standing]));
  return features.filter(({ id, standing }) => known.get(id) !== standing);
}

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
    gaps.some(({ by }) => by === "person")
      ? "You rejected the result:"
      : `The audit found ${count(gaps.length, "missing requirement")}:`,
    ...gaps.map(({ id, text }) => `  ${id} ${text.replace(/\s+/g, " ").slice(0, 160)}`),
    `A follow-up run works on this, with the rest of the budget (${depth + 1} of at most ${depthMax}).`,
    "",
    "",
  ].join("\n");
}

/** Until the run is over, or rests without an answer from here. */
async function attend(
  { run, from }: { run: string; from: number },
  context: Context,
): Promise<{ readonly before: Story; readonly story: Story }> {
  const { engine, plain: isDetailed, commentPaint: paint } = context;
  const seed =
    context.isSeed && context.mode !== "quiet"
      ? new SeedScreen(process.stderr, {
          leavesState: await leavesState(engine, run),
          worktree: (await engine.read(run)).worktree?.dir ?? null,
        })
      : null;
  const mode = context.isSeed ? "quiet" : context.mode;
  const screen = new Screen({ out: process.stderr, paint, mode, isDetailed, attract: terminalNotices(context.root) });
  const keys = new Keys({ onKey: (key) => screen.take(key), onLeave: () => screen.hide() });
  informed(screen, engine, run);
  const ungrip = onSignals((by, again) => {
    if (again) endNow(by, screen);
    // At a gate that waits for an answer from elsewhere, there is nothing to pause.
    if (last !== null && next(last.run) === null) return void items.return();
    screen.say("", "  Pausing and saving state. Press Ctrl-C again to exit immediately.");
    void engine.send(run, { type: "pause-requested", by });
  });
  const items = engine.subscribe(run, from);
  let asking: AbortController | null = null;
  let first: Story | null = null;
  let last: Story | null = null;
  let failure: { readonly error: unknown } | null = null;
  /** Without an answer from here, this ends; an answer that came from elsewhere is seen as an event. */
  const wait = async (ask: Asked, stop: AbortSignal): Promise<void> => {
    const fact = await ask(stop);
    if (fact !== null) await engine.send(run, fact);
    else if (!stop.aborted) await items.return();
  };
  try {
    for await (const { item, story } of watch(items)) {
      if (item.type === "event" && story.run !== last?.run) asking?.abort(item.event.type);
      first ??= story;
      last = story;
      if (context.json) printLine(lineOf(item, { isDriven: true }));
      screen.show(item, story);
      seed?.show(item, story);
      if (mode === "live" && next(story.run) !== null) keys.start();
      if (item.type !== "rest") continue;
      keys.stop();
      screen.close();
      const ask = canAnswer(context) ? questionFor(story, { ...context, paint }) : null;
      // Without a person at the terminal, the engine may keep the run open for an answer from a phone.
      if (ask === null && gateOf(story.run) !== null && !canAnswer(context)) continue;
      if (ask === null) break;
      asking = new AbortController();
      wait(ask, asking.signal).catch((error: unknown) => {
        failure = { error };
        void items.return();
      });
    }
  } finally {
    ungrip();
    asking?.abort();
    keys.stop();
    screen.end();
    await items.return();
    await engine.close();
  }
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
  if (first === null || last === null) throw new Bug("a subscription began without the story");
  return { before: first, story: last };
}

/** The leash ends the agent; the journal is intact at every moment. */
function endNow(by: PauseReason, screen: Screen): never {
  screen.end();
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
