// The triggers of a workspace. They fire as the person has confirmed them, within what bounded them then: a change needs
// to be confirmed again, since it may have come with a pull or from an agent.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings, TriggerSettings } from "../../formats/config/settings.ts";
import { loadSettings } from "../../project/config/settings.ts";
import { problemOf } from "../problem.ts";
import type { Registered } from "../registry.ts";

export type Configured = {
  /** All in the file, whether they fire or not. */
  readonly named: readonly TriggerSettings[];
  /** Those that fire. */
  readonly triggers: readonly TriggerSettings[];
  readonly perDayUsd: number | null;
  readonly costUsdMax: number | null;
  /** Why its triggers do not fire; null: they do. */
  readonly problem: string | null;
};

const none = { named: [], triggers: [], perDayUsd: null, costUsdMax: null } as const;

export function configuredIn({ root, triggers: confirmed }: Registered): Configured {
  if (!existsSync(root)) return { ...none, problem: `The folder ${root} is missing. Its firings wait for it.` };
  try {
    const settings = loadSettings(root, {}, true);
    if (hashOf(settings) !== confirmed) return { ...none, named: settings.triggers, problem: changed(root, settings) };
    const { perDayUsd, limits } = settings;
    return {
      named: settings.triggers,
      triggers: firing(settings),
      perDayUsd,
      costUsdMax: limits.costUsdMax,
      problem: null,
    };
  } catch (error) {
    return { ...none, problem: problemOf(error) };
  }
}

function changed(root: string, { triggers }: Settings): string {
  // Where a disk is not mounted, the folder is there, and its loop.yaml is not.
  if (triggers.length === 0 && !existsSync(join(root, "loop.yaml")))
    return `There is no loop.yaml in ${root}. Its firings wait for it.`;
  return `Its triggers have changed, or what bounds their runs. To confirm them: loop serve --add ${root}`;
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
export const hashOfTriggers = (root: string): string | null => hashOf(loadSettings(root, {}, true));

/** With all that bounds what a run costs, does without asking, and has to show. Programs need trust besides. */
function hashOf(settings: Settings): string | null {
  if (settings.triggers.length === 0) return null;
  const { triggers, perDayUsd, limits, autonomy, gates, continuation, followUpDepth, scope } = settings;
  const { fullAutoAnswers, sandbox, network, proof, checks } = settings;
  const bounds = { perDayUsd, limits, autonomy, gates, continuation, followUpDepth, scope, fullAutoAnswers };
  const text = JSON.stringify({ triggers, ...bounds, sandbox, network, proof, checks });
  return createHash("sha256").update(text).digest("hex");
}
