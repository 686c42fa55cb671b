// The steps of a held session in the words of the hope loop: what is announced around an iteration, and what comes next.
import { withoutRequired } from "../core/verification.ts";
import { requestItems } from "../formats/contract/request-items.ts";
import { afterFailure, afterIteration, beforeIteration } from "../formats/reply/hope-forms.ts";
import type { Unmet } from "./decide.ts";
import type { Hold } from "./hold.ts";

export const isOpen = (criterion: string, unmet: readonly Unmet[]): boolean => {
  const name = withoutRequired(criterion);
  return unmet.some(({ key }) => key === `criterion:${name}` || key === `assumed:${name}`);
};

/** What the session does next: about what was found first, then about what it has to say itself. */
export function actionFor([first]: readonly Unmet[]): string {
  if (first === undefined) return "none";
  const [kind = "", ...rest] = first.key.split(":");
  switch (kind) {
    case "criterion":
      return `Meet and tick: ${rest.join(":")}`;
    case "assumed":
      return `Leave to the person: ${rest.join(":")}`;
    case "no-exit-signal":
      return "Say that everything is done";
    case "objections":
      return "Put to the person what speaks against it";
    case "missing":
      return `Complete the proof: ${firstLine(first.text)}`;
    default:
      return `Fix: ${firstLine(first.text)}`;
  }
}

type Steps = { readonly done: number; readonly total: number; readonly now: string };

/** The items that the request lists, or the request itself. The last one is not over before the work is proved. */
export function stepsOf({ request, criteria }: Hold, unmet: readonly Unmet[]): Steps {
  const items = requestItems(request).filter((item) =>
    criteria.some((criterion) => withoutRequired(criterion) === item),
  );
  const open = items.filter((item) => isOpen(item, unmet));
  const total = Math.max(1, items.length);
  const ticked = items.length - open.length;
  const isProved = unmet.every(({ key }) => isWord(key));
  const done = unmet.length === 0 ? total : isProved ? ticked : Math.min(ticked, total - 1);
  return { done, total, now: open[0] ?? items.at(-1) ?? firstLine(request) };
}

export const announced = (hold: Hold, number: number, step: string): string =>
  beforeIteration({ number, most: hold.iterationsMax, cost: "not measured", step });

/** How an iteration ended: with steps that were ticked in it and proved, or not. */
export function ended(hold: Hold, unmet: readonly Unmet[]): string {
  const { done, total, now } = stepsOf(hold, unmet);
  const before = (hold.stops.at(-2)?.unticked ?? hold.criteria).map(withoutRequired);
  const isProved = unmet.every(({ key }) => isWord(key));
  const over = isProved
    ? requestItems(hold.request).filter((item) => before.includes(item) && !isOpen(item, unmet))
    : [];
  const next = actionFor(unmet);
  return over.length > 0
    ? afterIteration({ step: over.join(", "), done, total, next })
    : afterFailure({ step: now, done, total, next });
}

/** Only the session's own word is missing. */
export const isWord = (key: string): boolean => key === "no-exit-signal" || /^(?:criterion|assumed):/.test(key);

export const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 200);
