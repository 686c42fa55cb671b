// What would be begun, as JSON.
import type { z } from "zod";
import type { UserError } from "../../core/errors.ts";
import type { PlannedRun } from "../../project/plan/plan-run.ts";
import type { answers } from "./answer-shapes.ts";

/** `refused`: what keeps it from starting. */
export const planFacts = (
  { contract, place, agents, from, waiting, notices, warnings }: PlannedRun,
  refused: UserError | null,
): z.input<typeof answers.dryRun.shape> => ({
  ...contract,
  checks: contract.checks.map((check) => ({ ...check, network: check.network ?? "open" })),
  place,
  agents: { maker: agents.maker?.kind ?? null, checker: agents.checker?.kind ?? null },
  models: { maker: agents.maker?.model ?? null, checker: agents.checker?.model ?? null },
  from,
  waiting,
  notices,
  warnings,
  refused: refused === null ? null : { code: refused.code, why: refused.why, next: refused.next },
});
