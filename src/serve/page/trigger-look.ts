// Triggers and their firings, as the page shows them.
import type { FiringRow, Place } from "../../report/page/view.ts";
import { isActive } from "../triggers/accept.ts";
import { configuredIn } from "../triggers/configured.ts";
import type { Keeper } from "../triggers/keeper.ts";
import { nextOf, waitsFor } from "../triggers/routes.ts";
import type { Workspaces } from "../workspaces.ts";
import { placeOf, type TriggerLook } from "./home-source.ts";

const firingsMax = 30;

export const triggerLook =
  (workspaces: Workspaces, keeper: Keeper): TriggerLook =>
  async () => {
    const all = workspaces.all();
    const { firings, refusals } = keeper.state;
    const active = [...firings.values()].filter(isActive);
    const placeAt = (root: string): Place => placeOf(all.find((each) => each.root === root) ?? { id: "gone", root });
    const begun = [...firings.values()]
      .slice(-firingsMax)
      .map(({ root, firedAt, status, run, ...firing }): FiringRow => {
        const hasRun = status === "begun" || status === "ended";
        return { ...firing, place: placeAt(root), at: firedAt, status, runId: hasRun ? run : null };
      });
    const refused = refusals.slice(-firingsMax).map(({ root, at, trigger, why }): FiringRow => {
      return { place: placeAt(root), trigger, at, status: "refused", runId: null, costUsd: null, note: why };
    });
    return {
      triggers: all.flatMap((served) =>
        configuredIn(served).triggers.map((trigger) => {
          const next = nextOf(trigger);
          const isOf = ({ root, trigger: name }: { root: string; trigger: string }): boolean =>
            root === served.root && name === trigger.name;
          return {
            place: placeOf(served),
            name: trigger.name,
            on: waitsFor(trigger),
            next: next === null ? null : Date.parse(next),
            active: active.filter(isOf).length,
          };
        }),
      ),
      firings: [...begun, ...refused].sort((one, other) => other.at - one.at).slice(0, firingsMax),
    };
  };
