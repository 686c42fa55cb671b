// What people, timers and triggers tell a run. A late signal changes nothing.
import type { SignalEvent, Stamp } from "./event.ts";
import { approved, rejected } from "./gates.ts";
import { accepted, allowed, turnedDown } from "./held.ts";
import { settle } from "./ledger.ts";
import type { Phase, Run } from "./run.ts";
import { amended, answered } from "./said.ts";
import { noUsage } from "./session.ts";
import { goOn, stop, unlimited } from "./stop.ts";

type SignalType = SignalEvent["type"];
type Signal<T extends SignalType> = Extract<SignalEvent, { type: T }> & Stamp;

const table: { readonly [T in SignalType]: (run: Run, event: Signal<T>) => Run } = {
  begun: (run) => run,
  noted: (run) => run,
  "pause-requested": (run, { by }) =>
    run.now.is === "resting" || run.asked?.for === "cancel" ? run : { ...run, asked: { for: "pause", by } },
  "cancel-requested": (run) =>
    run.now.is === "resting" ? cancelled(run, run.now.resume) : { ...run, asked: { for: "cancel" } },
  continued: (run, { crew, limits, retry }) => goOn(crew === "new" ? unlimited(run) : run, limits, retry),
  answered,
  approved,
  rejected,
  accepted,
  allowed,
  "turned-down": turnedDown,
  amended,
};

/** The only cast: it assumes that the row of a signal's type takes that signal. */
type Row = (run: Run, event: SignalEvent & Stamp) => Run;

export function afterSignal(run: Run, event: SignalEvent & Stamp): Run {
  return run.now.is === "stopped" ? run : (table[event.type] as Row)(run, event);
}

/** Cancelled means cancelled; the reservation of an unfinished session is charged. */
export function cancelled(run: Run, phase: Phase): Run {
  const ticket = phase.is === "in-session" ? phase.ticket : null;
  const spent = ticket === null ? run.spent : settle(run.spent, ticket, { ...noUsage, costUsd: null });
  return stop({ ...run, spent }, { kind: "cancelled" });
}
