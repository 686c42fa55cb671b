// One call that runs a whole task, over the library: a request or the open features, with their follow-ups.

import { UserError } from "./core/errors.ts";
import type { RunEvent } from "./core/event.ts";
import type { Outcome } from "./core/outcome.ts";
import type { Resumable } from "./engines/resumable.ts";
import type { LoopYaml } from "./formats/config/loop-yaml.ts";
import { openProject } from "./open-project.ts";
import { type Names, refuseWrongOptions } from "./project/config/given-options.ts";
import type { OpenGate, ProjectRun, Settled } from "./project-run.ts";

/** The limits of a run. Given to `continue`, they replace the ones that it had. */
export type LoopLimits = {
  maxSessions?: number;
  tokenBudget?: number;
  costBudgetUsd?: number;
  maxIterations?: number;
  maxMinutes?: number;
};

/** What to do, and within which limits. All of it is optional. */
export type LoopConfig = LoopLimits & {
  /** The request. If omitted: the open features of docs/FEATURES.json. */
  request?: string;
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
} & LoopWatching;

type LoopWatching = {
  /** Answers at a gate. If omitted or null, the run rests there, and anyone can answer later, from anywhere. */
  onGate?: (gate: OpenGate) => Promise<GateAnswer | null> | GateAnswer | null;
  /** Called for every event, after it was recorded. */
  onEvent?: (event: RunEvent) => void;
  /** Aborting it pauses the run: nothing is lost, and `continue` resumes it. */
  signal?: AbortSignal;
};

/** Every option, so that the compiler keeps the list complete. */
const limitNames: Names<LoopLimits> = {
  maxSessions: "number",
  tokenBudget: "number",
  costBudgetUsd: "number",
  maxIterations: "number",
  maxMinutes: "number",
};
const watchingNames: Names<LoopWatching> = { onGate: "function", onEvent: "function", signal: "object" };
const continueNames: Names<LoopContinuing> = { ...limitNames, ...watchingNames, wait: "boolean" };
const configNames: Names<LoopConfig> = {
  ...continueNames,
  request: "string",
  autoCheckpoint: "boolean",
  settings: "object",
  noGit: "boolean",
  yes: "boolean",
};

/** How to go on with a run that rests. */
export type LoopContinuing = LoopLimits & Pick<LoopConfig, "wait"> & LoopWatching;

/** An answer at a gate. The reason of a rejection is what the next attempt works from. */
export type GateAnswer = { approve: true } | { reject: string };

/** How the task ended, summed over the run and its follow-ups. */
export type LoopResult = {
  success: boolean;
  featuresCompleted: number;
  featuresTotal: number;
  sessionsUsed: number;
  totalTokens: number;
  totalCostUsd: number;
  /** Failed attempts and sessions of features that are complete now. */
  errorsRecovered: number;
  /** From beginning to end without what the run waited for a usage limit or a person: sessions, checks, and the rest. */
  durationMinutes: number;
  /** Why a person is needed, if the run did not succeed. */
  handoffReason: string | null;
  outcome: Outcome | null;
  exitCode: number;
  /** The next command to run. */
  next: string;
  /** Null: every feature in scope was complete before, and no run was needed. */
  runId: string | null;
};

/** A whole task in one call, follow-ups included. `openProject` gives more control. */
export class AutonomousLoop {
  readonly #dir: string;
  readonly #trust: boolean;

  /** `trust` agrees to what the project's own loop.yaml names: programs, permissions, variables. */
  constructor(projectDir: string, { trust = false }: { readonly trust?: boolean } = {}) {
    this.#trust = trust;
    this.#dir = projectDir;
  }

  /**
   * Begins a run and drives it until it stops or rests. Throws a UserError if it cannot begin, and if an earlier run was
   * interrupted, was paused or waits: `continue` resumes that one. If every feature in scope is complete, that is
   * a success that takes no run.
   */
  async run(config: LoopConfig = {}): Promise<LoopResult> {
    refuseWrongOptions("run", "The run did not start.", config, configNames);
    if (config.autoCheckpoint === false) throw checkpointsStay();
    const { request, noGit, wait, yes, settings = {} } = config;
    const project = await openProject(this.#dir, { trust: this.#trust });
    const finished = request === undefined ? project.finished(settings) : null;
    if (finished !== null) return completeBefore(finished);
    const before = await project.resumable(request !== undefined);
    if (before !== null) throw resumeBefore(before);
    const run = await project.begin({
      settings: { ...settings, limits: { ...settings.limits, ...limitsOf(config) } },
      ...(request === undefined ? {} : { request }),
      ...(noGit === undefined ? {} : { noGit }),
      ...(wait === undefined ? {} : { wait }),
      ...(yes === undefined ? {} : { yes }),
    });
    return follow(run, config);
  }

  /** Resumes the run that `loop continue` would, with other limits if they are given: a run at its cap resumes with a higher one. */
  async continue(options: LoopContinuing = {}): Promise<LoopResult> {
    refuseWrongOptions("continue", "The run was not continued.", options, continueNames);
    const project = await openProject(this.#dir, { trust: this.#trust });
    const run = await project.runToContinue();
    const standing = await project.look(run);
    if (standing.state === "over" && standing.outcome?.kind !== "followup") return resultOf(standing, []);
    const { wait } = options;
    const limits = limitsOf(options);
    return follow(await project.continue({ run, limits, ...(wait === undefined ? {} : { wait }) }), options);
  }
}

/** As at the command line: part of that run is paid for. */
const resumeBefore = ({ says }: Resumable): UserError =>
  new UserError("run-to-resume", {
    what: "No new run was started.",
    why: says,
    next: "Call continue(), or give that run up: loop cancel",
  });

/** Until the task is over or rests. What it took is summed over the run and its follow-ups. */
async function follow(run: ProjectRun, { onEvent, onGate, signal }: LoopWatching): Promise<LoopResult> {
  const earlier: Settled[] = [];
  const pause = () => void run.pause();
  try {
    if (signal?.aborted === true) pause();
    signal?.addEventListener("abort", pause, { once: true });
    for await (const item of run) {
      if (item.type === "event") onEvent?.(item.event);
      if (item.type === "follow-up") earlier.push(item.of);
      if (item.type !== "gate" || onGate === undefined) continue;
      const answer = await onGate(item.gate);
      if (answer === null) continue;
      if ("approve" in answer) await run.approve(item.gate);
      else await run.reject(item.gate, answer.reject);
    }
    return resultOf(await run.settled, earlier);
  } finally {
    signal?.removeEventListener("abort", pause);
  }
}

function limitsOf({
  maxSessions,
  tokenBudget,
  costBudgetUsd,
  maxIterations,
  maxMinutes,
}: LoopLimits): NonNullable<LoopYaml["limits"]> {
  return {
    ...(maxSessions === undefined ? {} : { sessions: maxSessions }),
    ...(tokenBudget === undefined ? {} : { tokens: tokenBudget }),
    ...(costBudgetUsd === undefined ? {} : { cost_usd: costBudgetUsd }),
    ...(maxIterations === undefined ? {} : { iterations: maxIterations }),
    ...(maxMinutes === undefined ? {} : { minutes: maxMinutes }),
  };
}

const completeBefore = (features: number): LoopResult => ({
  success: true,
  featuresCompleted: features,
  featuresTotal: features,
  sessionsUsed: 0,
  totalTokens: 0,
  totalCostUsd: 0,
  errorsRecovered: 0,
  durationMinutes: 0,
  handoffReason: null,
  outcome: { kind: "success" },
  exitCode: 0,
  next: 'loop "…"',
  runId: null,
});

function resultOf(last: Settled, earlier: readonly Settled[]): LoopResult {
  const all = [...earlier, last];
  const sum = (value: (run: Settled) => number): number => all.reduce((total, run) => total + value(run), 0);
  return {
    success: last.success,
    featuresCompleted: sum(({ done }) => done),
    featuresTotal: sum(({ total }) => total),
    sessionsUsed: sum(({ spent }) => spent.sessions),
    totalTokens: sum(({ spent }) => spent.tokens),
    totalCostUsd: sum(({ spent }) => spent.costUsd),
    errorsRecovered: sum(({ recovered }) => recovered),
    durationMinutes: sum(({ spent }) => spent.activeMs + spent.checkMs) / 60_000,
    handoffReason: last.success ? null : last.why,
    outcome: last.outcome,
    exitCode: last.exitCode,
    next: last.next,
    runId: last.run,
  };
}

function checkpointsStay(): UserError {
  return new UserError("checkpoints-stay", {
    what: "The run did not start.",
    why: "autoCheckpoint is false, and without checkpoints a roll-back would have nothing to return to.",
    next: "Leave autoCheckpoint out.",
  });
}
