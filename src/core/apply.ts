// What each event means for the run: a fold over facts that also accounts for time, pauses and cancels.
import { abandoned, cancelled } from "./cancel.ts";
import { dropFeatures } from "./drop.ts";
import { isSignalType, type RunEvent, type SignalEvent, type Stamp } from "./event.ts";
import { settle } from "./ledger.ts";
import { next } from "./next.ts";
import type { Phase, Run } from "./run.ts";
import { noUsage } from "./session.ts";
import { afterSignal } from "./signals.ts";
import { rest } from "./stop.ts";
import { type Answer, afterResult } from "./transitions.ts";

/** The run after an event. A late or duplicate event gives the same run back. */
export function apply(run: Run, event: RunEvent): Run {
  if (isSignal(event)) return afterSignal(run, event);
  // A duplicate, or an answer to an effect that is no longer in flight: engines deliver at least once.
  if (event.key !== undefined && event.key !== next(run)?.key) return run;
  const after = onResult(timed(run, event.tookMs), event);
  const answered = isAnswered(run, event) ? { ...after, turn: run.turn + 1 } : after;
  return run.asked === null ? answered : honour(answered, run.asked);
}

const isSignal = (event: RunEvent): event is SignalEvent & Stamp => isSignalType(event.type);

function onResult(run: Run, event: Answer): Run {
  const { now } = run;
  if (event.type === "cut") return onCut(run, event.usage);
  if (event.type === "refused" && now.is !== "stopped" && now.is !== "resting") return refused(run, event, now);
  return afterResult(run, event);
}

/** An effect that was cut, refused by the machine or woken too early is ordered again under the same key. */
function isAnswered({ now }: Run, event: Answer): boolean {
  if (event.type === "woke") return now.is === "waiting" && event.at >= now.until;
  return event.type !== "cut" && event.type !== "refused";
}

/** Time counts while the loop works, not while it waits. */
function timed(run: Run, tookMs: number): Run {
  const { spent, now } = run;
  if (now.is === "waiting" || now.is === "resting" || now.is === "stopped") return run;
  const ms = Math.max(0, Math.round(tookMs));
  const isChecking = now.is === "opening" || now.is === "proving" || now.is === "closing";
  return {
    ...run,
    spent: { ...spent, ...(isChecking ? { checkMs: spent.checkMs + ms } : { activeMs: spent.activeMs + ms }) },
  };
}

/** What a person asked for while an effect was in flight takes effect once it has ended. */
function honour(run: Run, asked: NonNullable<Run["asked"]>): Run {
  const { now } = run;
  if (now.is === "stopped") return run;
  if (asked.for === "cancel") return cancelled(run, now.is === "resting" ? now.resume : now, asked);
  if (asked.for === "drop") return dropFeatures(run, asked.features);
  return now.is === "resting" ? run : rest(run, { kind: "paused", by: asked.by }, now);
}

/** A session that was cut short keeps its ticket, so that it can be resumed and is paid for only once. */
function onCut(run: Run, usage: Answer<"cut">["usage"]): Run {
  const { now } = run;
  // If the pause was withdrawn in the meantime, the effect is simply ordered again.
  if (run.asked === null || now.is !== "in-session" || now.ticket === null) return run;
  if (run.asked.for === "pause")
    return usage === null ? run : { ...run, now: { ...now, ticket: { ...now.ticket, used: usage } } };
  const spent = settle(run.spent, now.ticket, usage ?? { ...noUsage, costUsd: null });
  return { ...run, spent, now: { ...now, ticket: null } };
}

function refused(run: Run, event: Answer<"refused">, phase: Phase): Run {
  // A person's cancel holds, even if the folder cannot be restored: the work stays where it is.
  if (phase.is === "undoing" && phase.after.do === "cancel") return abandoned(run);
  return rest(run, { kind: "refused", code: event.code, why: event.why, next: event.next }, phase);
}
