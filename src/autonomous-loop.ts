// The library: runs a loop over a project from code. The same run as `loop run`, with the same journal and vault.
import { realpathSync } from "node:fs";
import { UserError } from "./core/errors.ts";
import type { RunEvent } from "./core/event.ts";
import { gateOf } from "./core/gates.ts";
import { exitCode, exitWaiting, type Outcome } from "./core/outcome.ts";
import { progressIn } from "./core/progresses.ts";
import { beginFollowUp, beginRun, type Held } from "./engines/local/begin.ts";
import type { Watcher } from "./engines/local/local-run.ts";
import { openRun } from "./engines/local/runs.ts";
import { takeUp } from "./engines/local/take-up.ts";
import type { LoopYaml } from "./formats/loop-yaml.ts";
import { latestRun } from "./project/list-runs.ts";
import type { SignalFact } from "./runtime/ports.ts";
import { featureCount, nextCommand, outcomeOf, outcomeSentence } from "./runtime/records/words.ts";
import type { Story } from "./runtime/story.ts";

export type LoopOptions = {
  /** The request. If omitted: the open features of docs/FEATURES.json. */
  request?: string;
  maxSessions?: number;
  tokenBudget?: number;
  costBudgetUsd?: number;
  maxIterations?: number;
  maxMinutes?: number;
  /** Roll-backs need checkpoints, so they are always made; `false` is refused. */
  autoCheckpoint?: boolean;
  /** Any setting of loop.yaml; takes precedence over the workspace's file. */
  settings?: LoopYaml;
  /** Works without git, with only the vault. */
  noGit?: boolean;
  /** Waits for usage limits to end; `false` returns with `handoffReason`. */
  wait?: boolean;
  /** Skips the review before building. */
  yes?: boolean;
  /** Answers at a gate. If omitted or null, the run rests there, and anyone can answer later, from anywhere. */
  onGate?: (gate: OpenGate) => Promise<GateAnswer | null> | GateAnswer | null;
  /** Called for every event, after it was recorded. */
  onEvent?: (event: RunEvent) => void;
  /** Aborting it pauses the run: nothing is lost, and `continue` resumes it. */
  signal?: AbortSignal;
};

/** G1: before anything is built. G2: after an iteration. G3: before the run calls itself done. */
export type OpenGate = { name: "G1" | "G2" | "G3"; why: string; tree: string; feature: string | null; runId: string };
export type GateAnswer = { approve: true } | { reject: string };

export type LoopResult = {
  success: boolean;
  featuresCompleted: number;
  featuresTotal: number;
  sessionsUsed: number;
  totalTokens: number;
  totalCostUsd: number;
  /** Failed attempts and sessions of features that are complete now. */
  errorsRecovered: number;
  /** Time spent working; waiting does not count. */
  durationMinutes: number;
  /** Why a person is needed, if the run did not succeed. */
  handoffReason: string | null;
  outcome: Outcome | null;
  exitCode: number;
  /** The next command to run. */
  next: string;
  runId: string;
};

export class AutonomousLoop {
  readonly #root: string;

  constructor(projectDir: string) {
    this.#root = realpathSync(projectDir);
  }

  /** Begins a run and drives it until it stops or rests. Throws a UserError if it cannot begin. */
  async run(options: LoopOptions = {}): Promise<LoopResult> {
    if (options.autoCheckpoint === false) throw checkpointsStay();
    const kind = options.noGit === true ? "plain" : "git";
    const held = await beginRun({
      root: this.#root,
      request: options.request ?? null,
      flags: yamlOf(options),
      kind,
      yes: options.yes === true,
    });
    return this.#drive(held, options);
  }

  /** Resumes the latest run. */
  async continue(options: Pick<LoopOptions, "wait" | "onEvent" | "signal" | "onGate"> = {}): Promise<LoopResult> {
    const id = latestRun(this.#root);
    const held = await openRun(this.#root, id);
    const { now } = held.run.story.run;
    if (now.is === "stopped" && now.outcome.kind === "followup") {
      await held.close();
      return this.#drive(await beginFollowUp(this.#root, id), options);
    }
    if (now.is !== "stopped") {
      const retry = now.is === "resting" && now.outcome.kind === "inbox";
      try {
        const { going } = await takeUp(held.run, { flags: {}, yesReally: false });
        await held.run.record({ type: "continued", ...going, retry });
      } catch (error) {
        await held.close();
        throw error;
      }
    }
    return this.#drive(held, options);
  }

  /** Gaps found by the audit continue in follow-up runs; the result is that of the last one. */
  async #drive(held: Held, options: LoopOptions): Promise<LoopResult> {
    for (let current = held; ; ) {
      const story = await this.#driveOne(current, options);
      if (outcomeOf(story.run)?.kind !== "followup") return resultOf(story);
      current = await beginFollowUp(this.#root, story.chronicle.run);
    }
  }

  async #driveOne(held: Held, { wait = true, onEvent, onGate, signal }: LoopOptions): Promise<Story> {
    const pause = () => held.run.send({ type: "pause-requested", by: "person" });
    const watcher: Watcher = onEvent === undefined ? {} : { onEvent: (event) => onEvent(event) };
    try {
      if (signal?.aborted === true) pause();
      signal?.addEventListener("abort", pause, { once: true });
      for (;;) {
        const story = await held.run.drive({ wait, watcher });
        if (onGate === undefined || gateOf(story.run) === null) return story;
        if (!(await held.run.awaitAnswer(async () => answerFrom(story, onGate)))) return story;
      }
    } finally {
      signal?.removeEventListener("abort", pause);
      await held.close();
    }
  }
}

async function answerFrom(story: Story, onGate: NonNullable<LoopOptions["onGate"]>): Promise<SignalFact | null> {
  const gate = gateOf(story.run);
  const outcome = outcomeOf(story.run);
  if (gate === null || outcome === null) return null;
  const { name, number, tree, feature } = gate;
  const answer = await onGate({ name, why: outcomeSentence(outcome), tree, feature, runId: story.chronicle.run });
  if (answer === null) return null;
  const shown = { gate: name, number, tree };
  return "approve" in answer ? { type: "approved", ...shown } : { type: "rejected", ...shown, reason: answer.reject };
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
