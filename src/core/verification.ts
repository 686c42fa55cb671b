// How a criterion has to be shown, where it says so: "the API returns 200 (verified by execution output)".
import type { Verification } from "./event.ts";

const asked = /\(verified by (execution output|observation|measurement|code review|assumption)\)\s*$/i;

/** Null: any way that is not an assumption. */
export const requiredFor = (criterion: string): Verification | null =>
  (asked.exec(criterion)?.[1]?.toLowerCase() as Verification | undefined) ?? null;

/** The criterion itself. */
export const withoutRequired = (criterion: string): string => criterion.replace(asked, "").trimEnd();

/** It is to be assumed, which shows nothing: only a person can say that it is met. */
export const isAssumed = (criterion: string): boolean => requiredFor(criterion) === "assumption";

/** Exactly as asked; anything that was seen is more than a review. An assumption shows nothing. */
export function isShown(criterion: string, by: Verification): boolean {
  const required = requiredFor(criterion);
  if (by === "assumption") return false;
  return required === null || required === "code review" || required === by;
}
