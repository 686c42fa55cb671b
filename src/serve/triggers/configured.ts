// The triggers of a workspace. They fire as the person has confirmed them: a change needs to be confirmed again, since
// it may have come with a pull or from an agent.
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
      return { ...none, problem: `Its triggers have changed. To confirm them: loop serve --add ${root}` };
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

const hashOf = ({ triggers }: Settings): string => createHash("sha256").update(JSON.stringify(triggers)).digest("hex");
