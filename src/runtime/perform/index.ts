// One file per effect. Each says what happens on a retry after a crash in the middle.
import type { Effect } from "../../core/effect.ts";
import { machineTrouble, type UserError, unreachable } from "../../core/errors.ts";
import { whoWorks } from "../../core/limited.ts";
import type { Run } from "../../core/run.ts";
import type { Ports, Result } from "../ports.ts";
import { makeCheckpoint } from "./checkpoint.ts";
import { close } from "./close.ts";
import { collect } from "./collect.ts";
import { commit } from "./commit.ts";
import { fileRecords } from "./file.ts";
import { hold, release } from "./hold.ts";
import { observe } from "./observe.ts";
import { prepare } from "./prepare.ts";
import { prove } from "./prove.ts";
import { rollBack } from "./roll-back.ts";
import { runSession } from "./run-session.ts";
import { takeUp } from "./take-up.ts";
import { wait } from "./wait.ts";

/** If a person can fix an error, the run rests with the reason; any other error is rethrown. */
export async function perform(effect: Effect, run: Run, ports: Ports, cut: AbortSignal): Promise<Result> {
  try {
    return await byKind(effect, run, ports, cut);
  } catch (error) {
    if (cut.aborted) return { type: "cut", usage: null };
    const trouble = machineTrouble(error);
    if (trouble === null) throw error;
    return refusal(trouble);
  }
}

export const refusal = ({ code, what, why, next }: UserError): Result => ({
  type: "refused",
  code,
  why: `${what} ${why}`,
  next,
});

function reserve({ role }: Extract<Effect, { do: "reserve-session" }>, run: Run, ports: Ports): Result {
  const price = ports.sessions.price?.(role, whoWorks(run, role, ports.clock.now())) ?? null;
  const session = ports.newSessionId();
  return { type: "session-reserved", session, ...(price === null ? {} : { priceUsd: price }) };
}

async function byKind(effect: Effect, run: Run, ports: Ports, cut: AbortSignal): Promise<Result> {
  switch (effect.do) {
    case "prepare":
      return prepare(run, ports, cut);
    case "observe":
      return observe(run, ports);
    case "checkpoint":
      return makeCheckpoint(effect, run, ports);
    case "reserve-session":
      return reserve(effect, run, ports);
    case "run-session":
      return runSession(effect, run, ports, cut);
    case "collect":
      return collect(effect, run, ports);
    case "prove":
      return prove(effect, run, ports, cut);
    case "commit":
      return commit(effect, run, ports);
    case "roll-back":
      return rollBack(effect, run, ports);
    case "hold":
      return hold(effect, run, ports);
    case "release":
      return release(effect, ports);
    case "take-up":
      return takeUp(effect, run, ports);
    case "close":
      return close(run, ports, cut);
    case "file":
      return fileRecords(effect, run, ports);
    case "wait":
      return wait(effect, ports, cut);
    default:
      return unreachable(effect);
  }
}
