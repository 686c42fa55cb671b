// What would be begun, as JSON.
import type { z } from "zod";
import type { PlannedRun } from "../../project/plan/plan-run.ts";
import type { answers } from "./answer-shapes.ts";

export const planFacts = ({
  contract,
  place,
  agents,
  from,
  waiting,
  notices,
  warnings,
}: PlannedRun): z.input<typeof answers.dryRun.shape> => ({
  ...contract,
  checks: contract.checks.map((check) => ({ ...check, network: check.network ?? "open" })),
  place,
  agents: { maker: agents.maker?.kind ?? null, checker: agents.checker?.kind ?? null },
  models: { maker: agents.maker?.model ?? null, checker: agents.checker?.model ?? null },
  from,
  waiting,
  notices,
  warnings,
});
