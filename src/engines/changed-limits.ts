// The limits that a person changes when they continue a run: those of the command line come before those of the files.
import { UserError } from "../core/errors.ts";
import {
  type LimitName,
  type Limits,
  limitNames,
  limitRow,
  limitsFrom,
  limitsLeft,
  limitsOfTask,
  type Used,
  usedByTask,
  written,
} from "../core/limits.ts";
import type { Run } from "../core/run.ts";
import type { LoopYaml } from "../formats/config/loop-yaml.ts";
import { checkCeilings } from "../formats/config/settings.ts";
import type { Configured } from "../project/config/configured.ts";
import { isLimitChanged } from "../project/config/drift.ts";

/**
 * All of them, if any is different; else none. Refused if one is too high, or used up already. A person sets the caps of
 * the task; a follow-up gets what the runs before it left.
 */
export function changedLimits(
  { contract, spent }: Pick<Run, "contract" | "spent">,
  edited: Partial<Limits>,
  flags: NonNullable<LoopYaml["limits"]>,
  yesReally: boolean,
): Partial<Limits> {
  const given = limitNames.filter((name) => Object.hasOwn(flags, limitRow(name).key));
  if (Object.keys(edited).length + given.length === 0) return {};
  const changed = { ...limitsOfTask(contract), ...edited, ...picked(limitsFrom(flags), given) };
  checkCeilings(changed, yesReally);
  const who = contract.followUp.of === null ? "run" : "task";
  refuseUsedUp(changed, given, { who, spent: usedByTask({ contract, spent }) });
  return limitsLeft(changed, contract.followUp.used);
}

/** A cap below what is spent would be broken from the first moment. */
function refuseUsedUp(
  limits: Limits,
  given: readonly LimitName[],
  { who, spent }: { who: "run" | "task"; spent: Used },
): void {
  const reached = given.flatMap((name) => {
    const row = limitRow(name);
    const [most, used] = [limits[name], row.cap === undefined ? 0 : spent[row.cap.counts]];
    return row.cap === undefined || most === null || used <= most
      ? []
      : [
          `${row.key} would be ${written(name, most)}, and the ${who} has used ${Math.round((written(name, used) ?? 0) * 100) / 100}.`,
        ];
  });
  if (reached.length === 0) return;
  throw new UserError("limit-too-low", {
    what: "The run was not continued.",
    why: reached.join("\n"),
    next: "Give a higher limit, or leave it as it is: loop continue",
  });
}

/** The caps that a person's files say otherwise than when the run began. */
export const editedLimits = (
  { limits: began }: Pick<Configured, "limits">,
  { limits: now }: Pick<Configured, "limits">,
): Partial<Limits> =>
  picked(
    now,
    limitNames.filter((name) => isLimitChanged(began, now, name)),
  );

const picked = (limits: Limits, names: readonly LimitName[]): Partial<Limits> =>
  Object.fromEntries(names.map((name) => [name, limits[name]]));
