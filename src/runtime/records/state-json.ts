// .loop/state.json: what an agent or a stop hook may read. Nothing is ever read back from it.
import type { Run } from "../../core/run.ts";
import { outcomeOf } from "./words.ts";

export function stateText(run: Run): string {
  const { contract, progress, spent, streaks, now } = run;
  const met = (id: string) =>
    progress[id as keyof typeof progress]?.status === "complete" ||
    progress[id as keyof typeof progress]?.status === "existing";
  const outcome = outcomeOf(run);
  return `${JSON.stringify(
    {
      version: 1,
      spec: contract.request,
      criteria: contract.features.flatMap((f) => f.criteria),
      criteriaStatus: Object.fromEntries(contract.features.flatMap((f) => f.criteria.map((c) => [c, met(f.id)]))),
      exit_signal: outcome?.kind === "success",
      steps: contract.features.map((f) => f.id),
      completedSteps: contract.features.filter((f) => met(f.id)).map((f) => f.id),
      remainingSteps: contract.features.filter((f) => !met(f.id)).map((f) => f.id),
      iteration: spent.iterations,
      status:
        outcome === null
          ? "in_progress"
          : outcome.kind === "success"
            ? "completed"
            : outcome.kind === "cancelled"
              ? "cancelled"
              : "paused",
      phase: now.is,
      circuitBreaker: { stuckCount: streaks.stuck, lastUnmet: contract.features.find((f) => !met(f.id))?.id ?? null },
      cost: spent.costUsd,
    },
    null,
    2,
  )}\n`;
}
