// Triggers and their firings, as the page shows them.
import type { FiringRow, Place } from "../../report/page/view.ts";
import { configuredIn } from "../triggers/configured.ts";
import type { Ears } from "../triggers/deaf.ts";
import type { Keeper } from "../triggers/keeper.ts";
import { triggerRows } from "../triggers/routes.ts";
import type { Workspaces } from "../workspaces.ts";
import { placeOf, type TriggerLook } from "./home-source.ts";

const firingsMax = 30;

export const triggerLook =
  (workspaces: Workspaces, keeper: Keeper, ears: Ears): TriggerLook =>
  async () => {
    const all = workspaces.all();
    const { firings, refusals } = keeper.state;
    const placeAt = (root: string): Place => placeOf(all.find((each) => each.root === root) ?? { id: "gone", root });
    const begun = [...firings.values()]
      .slice(-firingsMax)
      .map(({ root, firedAt, status, run, ...firing }): FiringRow => {
        const hasRun = status === "begun" || status === "ended";
        return { ...firing, place: placeAt(root), at: firedAt, status, runId: hasRun ? run : null };
      });
    const refused = refusals.slice(-firingsMax).map(({ root, at, trigger, cause, why }): FiringRow => {
      return { place: placeAt(root), trigger, at, cause, status: "refused", runId: null, costUsd: null, note: why };
    });
    const known = all.map((served) => ({ served, place: placeOf(served), configured: configuredIn(served) }));
    return {
      triggers: known.flatMap(({ served, place, configured }) =>
        triggerRows(served, configured, keeper, ears).map(({ silence, ...row }) => ({
          place,
          ...row,
          silent: silence?.inShort ?? null,
        })),
      ),
      silent: known.flatMap(({ place, configured: { problem } }) =>
        problem === null ? [] : [{ place, why: problem.why }],
      ),
      firings: [...begun, ...refused].sort((one, other) => other.at - one.at).slice(0, firingsMax),
    };
  };
