// One call that runs a whole task, over the library: a request or the open features, with their follow-ups.
import { UserError } from "./core/errors.ts";
import type { RunEvent } from "./core/event.ts";
import type { Outcome } from "./core/outcome.ts";
import type { LoopYaml } from "./formats/loop-yaml.ts";
import { openProject } from "./open-project.ts";
import type { OpenGate, ProjectRun, Settled } from "./project-run.ts";

/** What to do, and within which limits. All of it is optional. */
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

/** A whole task in one call, follow-ups included. `openProject` gives more control. */
export class AutonomousLoop {
  readonly #dir: string;

  constructor(projectDir: string) {
    this.#dir = projectDir;
  }

  /** Begins a run and drives it until it stops or rests. Throws a UserError if it cannot begin. */
  async run(options: LoopOptions = {}): Promise<LoopResult> {
    if (options.autoCheckpoint === false) throw checkpointsStay();
    const { request, noGit, wait, yes } = options;
    const project = await openProject(this.#dir);
    const run = await project.begin({
      settings: yamlOf(options),
      ...(request === undefined ? {} : { request }),
      ...(noGit === undefined ? {} : { noGit }),
      ...(wait === undefined ? {} : { wait }),
      ...(yes === undefined ? {} : { yes }),
    });
    return follow(run, options);
  }

  /** Resumes the latest run. */
  async continue(options: Pick<LoopOptions, "wait" | "onEvent" | "signal" | "onGate"> = {}): Promise<LoopResult> {
    const project = await openProject(this.#dir);
    const [latest] = await project.runs();
    if (latest?.state === "over" && latest.outcome?.kind !== "followup")
      return resultOf(await project.look(latest.run), []);
    return follow(await project.continue(options.wait === undefined ? {} : { wait: options.wait }), options);
  }
}

/** Until the task is over or rests. What it took is summed over the run and its follow-ups. */
async function follow(run: ProjectRun, { onEvent, onGate, signal }: LoopOptions): Promise<LoopResult> {
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

function resultOf(last: Settled, earlier: readonly Settled[]): LoopResult {
  const all = [...earlier, last];
  const sum = (value: (run: Settled) => number): number => all.reduce((total, run) => total + value(run), 0);
  return {
    success: last.success,
    featuresCompleted: last.done,
    featuresTotal: last.total,
    sessionsUsed: sum(({ spent }) => spent.sessions),
    totalTokens: sum(({ spent }) => spent.tokens),
    totalCostUsd: sum(({ spent }) => spent.costUsd),
    errorsRecovered: sum(({ recovered }) => recovered),
    durationMinutes: sum(({ spent }) => spent.activeMs) / 60_000,
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
