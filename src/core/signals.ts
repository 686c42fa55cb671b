// What people, timers and triggers tell a run. A late signal changes nothing.

import { cancelled } from "./cancel.ts";
import type { SignalEvent, Stamp } from "./event.ts";
import { approved, passedBy, rejected } from "./gates.ts";
import { accepted, allowed, turnedDown } from "./held.ts";
import type { Run } from "./run.ts";
import { amended, answered } from "./said.ts";
import { goOn, unlimited } from "./stop.ts";

type SignalType = SignalEvent["type"];
type Signal<T extends SignalType> = Extract<SignalEvent, { type: T }> & Stamp;

const table: { readonly [T in SignalType]: (run: Run, event: Signal<T>) => Run } = {
  begun: (run) => run,
  noted: (run) => run,
  "pause-requested": (run, { by }) =>
    run.now.is === "resting" || (run.asked !== null && run.asked.for !== "pause")
      ? run
      : { ...run, asked: { for: "pause", by } },
  "cancel-requested": (run, { undo }) => {
    const asked = { for: "cancel", ...(undo === true ? { undo } : {}) } as const;
    return run.now.is === "resting" ? cancelled(run, run.now.resume, asked) : { ...run, asked };
  },
  continued: (run, { crew, limits, retry }) => goOn(crew === "new" ? unlimited(run) : run, limits, retry),
  answered: passedBy(answered),
  approved,
  rejected,
  accepted: passedBy(accepted),
  allowed: passedBy(allowed),
  "turned-down": passedBy(turnedDown),
  amended,
};

/** The only cast: it assumes that the row of a signal's type takes that signal. */
type Row = (run: Run, event: SignalEvent & Stamp) => Run;

export function afterSignal(run: Run, event: SignalEvent & Stamp): Run {
  return run.now.is === "stopped" ? run : (table[event.type] as Row)(run, event);
}
