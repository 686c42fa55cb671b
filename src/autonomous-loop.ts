// The library: a loop over a project, from code. It is the same run as `loop run`, with the same journal and vault.
import { realpathSync } from "node:fs";
import { UserError } from "./core/errors.ts";
import type { RunEvent } from "./core/event.ts";
import { exitCode, exitWaiting, type Outcome } from "./core/outcome.ts";
import { progressIn } from "./core/progresses.ts";
import { beginRun, type Held } from "./engines/local/begin.ts";
import { latestRun } from "./engines/local/list-runs.ts";
import type { Watcher } from "./engines/local/local-run.ts";
import { openRun } from "./engines/local/runs.ts";
import { takeUp } from "./engines/local/take-up.ts";
import type { LoopYaml } from "./formats/loop-yaml.ts";
import { featureCount, nextCommand, outcomeOf, outcomeSentence } from "./runtime/records/words.ts";
import type { Story } from "./runtime/story.ts";

export type LoopOptions = {
  /** What should be done. Left out: the open features of docs/FEATURES.json. */
  request?: string;
  maxSessions?: number;
  tokenBudget?: number;
  costBudgetUsd?: number;
  maxIterations?: number;
  maxMinutes?: number;
  /** Checkpoints are what a roll-back returns to, so they are always made; `false` is refused. */
  autoCheckpoint?: boolean;
  /** Anything that loop.yaml can say; it goes over the workspace's own file. */
  settings?: LoopYaml;
  /** Work without git, on the vault alone. */
  noGit?: boolean;
  /** Wait for usage limits to end; `false` returns with `handoffReason`. */
  wait?: boolean;
  /** Everything that happens, after it was written down. */
  onEvent?: (event: RunEvent) => void;
  /** Aborting it pauses the run: nothing is lost, and `continue` goes on. */
  signal?: AbortSignal;
};

export type LoopResult = {
  success: boolean;
  featuresCompleted: number;
  featuresTotal: number;
  sessionsUsed: number;
  totalTokens: number;
  totalCostUsd: number;
  /** Attempts and sessions that failed on the way to features that are complete now. */
  errorsRecovered: number;
  /** Time at work; waiting does not count. */
  durationMinutes: number;
  /** Why a person is needed, when the run did not succeed. */
  handoffReason: string | null;
  outcome: Outcome | null;
  exitCode: number;
  /** The command that goes on from here. */
  next: string;
  runId: string;
};

export class AutonomousLoop {
  readonly #root: string;

  constructor(projectDir: string) {
    this.#root = realpathSync(projectDir);
  }

  /** Begins a run and drives it until it stops or rests. Throws a UserError when it cannot begin. */
  async run(options: LoopOptions = {}): Promise<LoopResult> {
    if (options.autoCheckpoint === false) throw checkpointsStay();
    const kind = options.noGit === true ? "plain" : "git";
    const held = await beginRun({ root: this.#root, request: options.request ?? null, flags: yamlOf(options), kind });
    return this.#drive(held, options);
  }

  /** Goes on with the latest run. */
  async continue(options: Pick<LoopOptions, "wait" | "onEvent" | "signal"> = {}): Promise<LoopResult> {
    const held = await openRun(this.#root, latestRun(this.#root));
    const { now } = held.run.story.run;
    if (now.is !== "stopped") {
      const retry = now.is === "resting" && now.outcome.kind === "inbox";
      try {
        const { limits } = await takeUp(held.run, { flags: {}, yesReally: false });
        await held.run.record({ type: "continued", limits, retry });
      } catch (error) {
        await held.close();
        throw error;
      }
    }
    return this.#drive(held, options);
  }

  async #drive(held: Held, { wait = true, onEvent, signal }: LoopOptions): Promise<LoopResult> {
    const pause = () => held.run.send({ type: "pause-requested", by: "person" });
    const watcher: Watcher = onEvent === undefined ? {} : { onEvent: (event) => onEvent(event) };
    try {
      if (signal?.aborted === true) pause();
      signal?.addEventListener("abort", pause, { once: true });
      return resultOf(await held.run.drive({ wait, watcher }));
    } finally {
      signal?.removeEventListener("abort", pause);
      await held.close();
    }
  }
}

function yamlOf(options: LoopOptions): LoopYaml {
  const { settings = {}, maxSessions, tokenBudget, costBudgetUsd, maxIterations, maxMinutes } = options;
  const given = {
    sessions: maxSessions,
    tokens: tokenBudget,
    cost_usd: costBudgetUsd,
    iterations: maxIterations,
    minutes: maxMinutes,
  };
  const limits = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...settings, limits: { ...settings.limits, ...limits } };
}

function resultOf({ run, chronicle }: Story): LoopResult {
  const outcome = outcomeOf(run);
  const { done, total } = featureCount(run);
  const success = outcome?.kind === "success";
  const recovered = chronicle.iterations.filter(
    ({ feature }) => progressIn(run.progress, feature)?.status === "complete",
  );
  const failedSessions = recovered.flatMap(({ sessions }) => sessions).filter(({ failed }) => failed).length;
  const waiting = run.now.is === "waiting" ? run.now.because : "The run is not over.";
  return {
    success,
    featuresCompleted: done,
    featuresTotal: total,
    sessionsUsed: run.spent.sessions,
    totalTokens: run.spent.tokens,
    totalCostUsd: run.spent.costUsd,
    errorsRecovered: recovered.filter(({ ending }) => ending === "rework").length + failedSessions,
    durationMinutes: run.spent.activeMs / 60_000,
    handoffReason: success ? null : outcome === null ? waiting : outcomeSentence(outcome),
    outcome,
    exitCode: outcome === null ? exitWaiting : exitCode(outcome),
    next: outcome === null ? "loop continue" : nextCommand(outcome),
    runId: chronicle.run,
  };
}

function checkpointsStay(): UserError {
  return new UserError("checkpoints-stay", {
    what: "The run did not start.",
    why: "autoCheckpoint is false, and without checkpoints a roll-back would have nothing to return to.",
    next: "Leave autoCheckpoint out.",
  });
}
