// Decides about an occasion to fire, and records the decision. Nothing is begun here.
import { randomBytes } from "node:crypto";
import { newRunId } from "../../engines/new-run-id.ts";
import type { TriggerSettings } from "../../formats/config/settings.ts";
import { type Fold, isActive, type Line, placeKey } from "./firing.ts";
import { missingIn, requestFrom, type Values } from "./template.ts";

export type Occasion = {
  /** Up to where its schedule or branch has been looked at; null: it has none. */
  readonly mark: string | null;
  /** By which the same occasion is known when it comes again. Keys of different occasions differ, whatever their trigger. */
  readonly keys: readonly string[];
  readonly values: Values;
  /** What happened, for people: `main moved from 1a2b3c4 to 5d6e7f8`. */
  readonly cause: string;
  /** Where the values come from, for people. */
  readonly source: string;
  /** Whether another program sent it: such a sender can send any number. */
  readonly isDelivered?: boolean;
};

export type Accepted =
  | { readonly is: "queued"; readonly id: string }
  | { readonly is: "known" }
  /** `isKept`: it is recorded. The same delivery can be sent again, and is taken once nothing is in its way. */
  | {
      /** `incomplete`: the request cannot be written from it, however often it is sent. */
      readonly is: "refused" | "incomplete";
      readonly why: string;
      readonly isKept: boolean;
    };

/** Of one trigger, and of all. */
export const queueMax = 10;
export const queueMaxOfAll = 100;
/** Deliveries that are recorded as skipped while a run is at work. */
export const skippedMax = 10;
/** Deliveries that one trigger accepts in an hour. */
export const deliveredMax = 100;
const hourMs = 3_600_000;
const causeMax = 300;

/** The lines to record, in this order. A crash in between leaves at most one firing too many in the queue. */
export function decide(
  state: Fold,
  root: string,
  trigger: TriggerSettings,
  occasion: Occasion,
  now: number,
): { readonly accepted: Accepted; readonly lines: readonly Line[] } {
  const { name, overlap } = trigger;
  const { mark, keys, isDelivered = false } = occasion;
  const cause = occasion.cause.slice(0, causeMax);
  if (keys.some((key) => state.keys.has(key))) return { accepted: { is: "known" }, lines: [] };
  const waiting = [...state.firings.values()].filter(({ status }) => status === "queued");
  const own = [...state.firings.values()].filter((firing) => firing.root === root && firing.trigger === name);
  const isListed = mark !== null || (state.skipped.get(placeKey(root, name)) ?? 0) < skippedMax;
  const queued = own.filter(({ status }) => status === "queued");
  const refuse = (why: string, isKept: boolean, is: "refused" | "incomplete" = "refused") => ({
    accepted: { is, why, isKept } as const,
    // A flood must not fill the disk.
    lines: isKept ? [{ type: "refused", at: now, root, trigger: name, mark, cause, why } as const] : [],
  });
  const missing = missingIn(trigger.request ?? "", occasion.values);
  if (missing.length > 0) {
    const why = `The delivery does not have what the request names: ${missing.map((each) => `{{${each}}}`).join(", ")}.`;
    return refuse(why, isListed, "incomplete");
  }
  if (overlap === "skip" && own.some(isActive)) return refuse("Its last run is still at work.", isListed);
  const lately = own.filter(({ firedAt }) => firedAt > now - hourMs);
  if (isDelivered && lately.length >= deliveredMax)
    return refuse(`It has fired ${deliveredMax} times in the last hour.`, false);
  const isFull = waiting.length >= queueMaxOfAll || (overlap === "queue" && queued.length >= queueMax);
  if (isFull) return refuse("The queue is full.", mark !== null);
  const fired = firedFor(root, trigger, { ...occasion, cause }, now);
  const replaced = overlap === "replace" ? queued : [];
  const dropped = replaced.map(
    ({ id }) => ({ type: "dropped", at: now, id, why: "A later firing has replaced it." }) as const,
  );
  return { accepted: { is: "queued", id: fired.id }, lines: [fired, ...dropped] };
}

function firedFor(
  root: string,
  trigger: TriggerSettings,
  { mark, keys, cause, values, source }: Occasion,
  now: number,
) {
  const { name, request, limits, autonomy, perDayUsd, overlap } = trigger;
  return {
    type: "fired",
    at: now,
    root,
    trigger: name,
    id: `${name}-${randomBytes(5).toString("hex")}`,
    run: newRunId(new Date(now)),
    mark,
    keys,
    cause,
    request: request === null ? null : requestFrom(request, values, source, ownNames(trigger)),
    terms: { limits, ...(autonomy === null ? {} : { autonomy }), perDayUsd, overlap },
  } as const satisfies Line;
}

/** What the person has written into the trigger, by the names that a request has for it. */
function ownNames({ git, webhook }: TriggerSettings): Values {
  const own = { branch: (webhook ?? git)?.branch, label: webhook?.label, repository: webhook?.repository };
  return Object.fromEntries(
    Object.entries(own).filter((each): each is [string, string] => typeof each[1] === "string"),
  );
}
