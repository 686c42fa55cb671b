// A run with what its session at work has used so far, so that every part of a page shows the same sums.
import type { Overview } from "../overview.ts";
import type { Live } from "./view.ts";

export function withSession(run: Overview, live: Live | null): Overview {
  if (live === null) return run;
  const { costUsd: knownUsd, tokens } = live;
  const [costUsd, current] = [knownUsd ?? 0, run.current?.feature];
  const { spent, caps, features } = run;
  const more: Partial<Record<Overview["caps"][number]["cap"], number>> = { cost: costUsd, tokens };
  return {
    ...run,
    spent: { ...spent, costUsd: spent.costUsd + costUsd, tokens: spent.tokens + tokens },
    caps: caps.map((each) => ({ ...each, used: each.used + (more[each.cap] ?? 0) })),
    features: features.map((each) =>
      each.id === current ? { ...each, sessions: each.sessions + 1, costUsd: each.costUsd + costUsd } : each,
    ),
  };
}
