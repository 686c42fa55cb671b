// The triggers of a workspace. They fire with the settings that the person has confirmed: a change needs to be confirmed
// again, since it may have come with a pull or from an agent.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Settings, settle, type TriggerSettings } from "../../formats/config/settings.ts";
import { readOnce } from "../../project/config/read-once.ts";
import { readSettings } from "../../project/config/settings.ts";
import { untrusted } from "../../project/config/trust.ts";
import { problemOf } from "../problem.ts";
import type { Registered } from "../registry.ts";
import { changesIn, changeText, confirmableOf, type Setting } from "./confirmed.ts";

export type Configured = {
  /** All in the file, whether they fire or not. */
  readonly named: readonly TriggerSettings[];
  /** Those that fire. */
  readonly triggers: readonly TriggerSettings[];
  readonly perDayUsd: number | null;
  readonly costUsdMax: number | null;
  /** Why its triggers do not fire; null: they do. */
  readonly problem: Silence | null;
};

/** Why triggers do not fire. `inShort`: for a sender, who knows the secret of one trigger and nothing of the folder. */
export type Silence = { readonly why: string; readonly inShort: string };

const none = { named: [], triggers: [], perDayUsd: null, costUsdMax: null } as const;

/** Whether triggers can fire: all who show, take, queue or begin something ask here. */
export function configuredIn({ root, triggers: confirmed, settings: before }: Registered): Configured {
  if (!existsSync(root))
    return { ...none, problem: notReadable(`The folder ${root} is missing. Its firings wait for it.`) };
  try {
    const disk = readOnce(root);
    const yaml = readSettings(root, {}, disk);
    const { triggers: hash, settings: now } = confirmableOf(yaml);
    const settings = settle(yaml);
    const { triggers: named, perDayUsd, limits } = settings;
    if (hash !== confirmed) return { ...none, named, problem: changed(root, named, before, now) };
    if (named.length > 0 && untrusted(root, disk) !== null) return { ...none, named, problem: notAgreed(root) };
    return { named, triggers: firing(settings), perDayUsd, costUsdMax: limits.costUsdMax, problem: null };
  } catch (error) {
    return { ...none, problem: notReadable(problemOf(error)) };
  }
}

/** Why this trigger does not fire; null: it does. */
export function silenceOf({ triggers, problem }: Configured, trigger: TriggerSettings): Silence | null {
  if (problem !== null) return problem;
  if (triggers.includes(trigger)) return null;
  const why = "continuation lets it begin nothing.";
  return { why, inShort: why };
}

const notReadable = (why: string): Silence => ({ why, inShort: "its configuration cannot be read." });

/** With the remedy first: what follows may be long, and is cut where space is short. */
const notAgreed = (root: string): Silence => ({
  why: `To agree: loop serve --add ${root} --trust. Its loop.yaml names programs, permissions or variables that you have not agreed to.`,
  inShort: "its loop.yaml names what is not agreed to.",
});

const shownMax = 10;
const valueMax = 60;

function changed(
  root: string,
  named: readonly TriggerSettings[],
  before: readonly Setting[],
  now: readonly Setting[],
): Silence {
  // Where a disk is not mounted, the folder is there, and its loop.yaml is not.
  if (named.length === 0 && !existsSync(join(root, "loop.yaml")))
    return notReadable(`There is no loop.yaml in ${root}. Its firings wait for it.`);
  const changes = before.length === 0 ? [] : changesIn(before, now);
  const rest = changes.length > shownMax ? `; and ${changes.length - shownMax} more` : "";
  const list = changes.slice(0, shownMax).map((change) => changeText(change, valueMax));
  return {
    why: `To confirm: loop serve --add ${root}. Its settings have changed since you confirmed its triggers${list.length === 0 ? "." : `: ${list.join("; ")}${rest}`}`,
    inShort: "its settings have changed and are not confirmed.",
  };
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
