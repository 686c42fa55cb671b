// The library: runs a loop over a project from code. The same run as `loop run`, with the same journal and vault.
import { realpathSync } from "node:fs";
import { Bug, UserError } from "./core/errors.ts";
import type { RunEvent } from "./core/event.ts";
import { gateOf } from "./core/gates.ts";
import { exitCode, exitWaiting, type Outcome } from "./core/outcome.ts";
import { progressIn } from "./core/progresses.ts";
import type { Engine } from "./engines/engine.ts";
import { LocalEngine } from "./engines/local/engine.ts";
import { findRun, watch } from "./engines/watch.ts";
import type { LoopYaml } from "./formats/loop-yaml.ts";
import { planRun } from "./project/plan-run.ts";
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
  readonly #engine: Engine;

  constructor(projectDir: string) {
    this.#root = realpathSync(projectDir);
    this.#engine = new LocalEngine(this.#root);
  }

  /** Begins a run and drives it until it stops or rests. Throws a UserError if it cannot begin. */
  async run(options: LoopOptions = {}): Promise<LoopResult> {
    if (options.autoCheckpoint === false) throw checkpointsStay();
    const { request = null, yes = false } = options;
    const plan = planRun({ root: this.#root, request, flags: yamlOf(options), yes });
    const kind = options.noGit === true ? "plain" : "git";
    return this.#follow(await this.#engine.begin({ plan, kind }, termsOf(options)), options);
  }

  /** Resumes the latest run. */
  async continue(options: Pick<LoopOptions, "wait" | "onEvent" | "signal" | "onGate"> = {}): Promise<LoopResult> {
    const engine = this.#engine;
    const run = await findRun(engine);
    const { story } = await engine.read(run);
    const { now } = story.run;
    const terms = termsOf(options);
    if (now.is !== "stopped") {
      const { from } = await engine.send(run, { type: "resume", terms, changes: { flags: {} } });
      return this.#follow({ run, from }, options);
    }
    if (now.outcome.kind !== "followup") return resultOf(story);
    return this.#follow(await engine.begin({ follows: run }, terms), options);
  }

  /** Gaps found by the audit continue in follow-up runs; the result is that of the last one. */
  async #follow(begun: { run: string; from: number }, options: LoopOptions): Promise<LoopResult> {
    for (let current = begun; ; ) {
      const story = await this.#attend(current, options);
      if (outcomeOf(story.run)?.kind !== "followup") return resultOf(story);
      current = await this.#engine.begin({ follows: story.chronicle.run }, termsOf(options));
    }
  }

  async #attend(
    { run, from }: { run: string; from: number },
    { onEvent, onGate, signal }: LoopOptions,
  ): Promise<Story> {
    const engine = this.#engine;
    const pause = () => void engine.send(run, { type: "pause-requested", by: "person" });
    const items = engine.subscribe(run, from);
    let last: Story | null = null;
    try {
      if (signal?.aborted === true) pause();
      signal?.addEventListener("abort", pause, { once: true });
      for await (const { item, story } of watch(items)) {
        last = story;
        if (item.type === "event") onEvent?.(item.event);
        if (item.type !== "rest") continue;
        const fact = onGate === undefined ? null : await answerFrom(story, onGate);
        if (fact === null) break;
        await engine.send(run, fact);
      }
    } finally {
      signal?.removeEventListener("abort", pause);
      await items.return();
      await engine.close();
    }
    if (last === null) throw new Bug("a subscription began without the story");
    return last;
  }
}

const termsOf = ({ wait = true, onGate }: Pick<LoopOptions, "wait" | "onGate">) => ({
  wait,
  attended: onGate !== undefined,
});

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
