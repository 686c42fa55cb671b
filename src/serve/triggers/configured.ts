// The triggers of a workspace. They fire as the person has confirmed them, within what bounded them then: a change needs
// to be confirmed again, since it may have come with a pull or from an agent.
import { createHash } from "node:crypto";
import { UserError } from "../../core/errors.ts";
import type { Settings, TriggerSettings } from "../../formats/settings.ts";
import { loadSettings } from "../../project/settings.ts";
import type { Registered } from "../registry.ts";

export type Configured = {
  readonly triggers: readonly TriggerSettings[];
  readonly perDayUsd: number | null;
  readonly costUsdMax: number | null;
  /** Why its triggers do not fire; null: they do. */
  readonly problem: string | null;
};

const none = { triggers: [], perDayUsd: null, costUsdMax: null } as const;

export function configuredIn({ root, triggers: confirmed }: Registered): Configured {
  try {
    const settings = loadSettings(root, {}, true);
    if (settings.triggers.length > 0 && hashOf(settings) !== confirmed)
      return {
        ...none,
        problem: `Its triggers have changed, or what bounds their runs. To confirm them: loop serve --add ${root}`,
      };
    const { perDayUsd, limits } = settings;
    return { triggers: firing(settings), perDayUsd, costUsdMax: limits.costUsdMax, problem: null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...none, problem: `${error.what} ${error.why}` };
  }
}

/** Those that may let work go on. */
export function firing({ triggers, continuation }: Pick<Settings, "triggers" | "continuation">) {
  const fires: Record<Settings["continuation"], (trigger: TriggerSettings) => boolean> = {
    auto: () => true,
    manual: () => false,
    scheduled: ({ cron }) => cron !== null,
    event: ({ cron }) => cron === null,
  };
  return triggers.filter(fires[continuation]);
}

/** Null: there are no triggers. */
export function hashOfTriggers(root: string): string | null {
  const settings = loadSettings(root, {}, true);
  return settings.triggers.length === 0 ? null : hashOf(settings);
}

/** With all that bounds what a run costs, does without asking, and has to show. Programs need trust besides. */
function hashOf(settings: Settings): string {
  const { triggers, perDayUsd, limits, autonomy, gates, continuation, followUpDepth, scope } = settings;
  const { fullAutoAnswers, sandbox, network, proof, checks } = settings;
  const bounds = { perDayUsd, limits, autonomy, gates, continuation, followUpDepth, scope, fullAutoAnswers };
  const text = JSON.stringify({ triggers, ...bounds, sandbox, network, proof, checks });
  return createHash("sha256").update(text).digest("hex");
}
