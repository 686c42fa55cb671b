// What to do now: a function of the state and nothing else, so that resuming is the same as starting.
import type { Effect, Order } from "./effect.ts";
import { unreachable } from "./errors.ts";
import { checkpointId, effectKey } from "./ids.ts";
import type { InSession, Run } from "./run.ts";

/** The next effect of a run; null: it rests or is over. */
export function next(run: Run): Effect | null {
  const order = orderFor(run);
  return order === null ? null : { ...order, key: effectKey(`${order.do}-${run.turn}`) };
}

function orderFor(run: Run): Order | null {
  const { now } = run;
  switch (now.is) {
    case "opening":
      return { do: "prepare" };
    case "between":
      return run.released.length > 0 ? { do: "release", features: run.released } : { do: "observe" };
    case "marking":
      return { do: "checkpoint", id: checkpointId(`i${run.spent.iterations}`), feature: now.feature };
    case "in-session":
      return session(run, now);
    case "collecting":
      return { do: "collect", work: now.work };
    case "proving":
      return { do: "prove", work: now.work, candidate: now.candidate };
    case "committing":
      return { do: "commit", work: now.work, candidate: now.candidate };
    case "undoing":
      return { do: "roll-back", work: now.work, cause: now.cause };
    case "holding":
      return { do: "hold", work: now.work, held: now.held };
    case "taking-up":
      return { do: "take-up", work: now.work, held: now.held };
    case "closing":
      return { do: "close" };
    case "filing":
      return { do: "file", outcome: now.outcome };
    case "waiting":
      return { do: "wait", until: now.until, because: now.because };
    case "resting":
    case "stopped":
      return null;
    default:
      return unreachable(now);
  }
}

function session({ contract, spent }: Run, now: InSession): Order {
  const { role, work, candidate, ticket, pair = null } = now;
  if (ticket === null) return { do: "reserve-session", role };
  const { activeMsMax, sessionMsMax, silenceMsMax } = contract.limits;
  const left = activeMsMax === null ? sessionMsMax : Math.max(1, activeMsMax - spent.activeMs);
  return {
    do: "run-session",
    session: ticket.session,
    role,
    work,
    candidate,
    pair,
    by: ticket.by,
    ...(ticket.resumes === undefined ? {} : { resumes: ticket.resumes }),
    costUsdMax: ticket.reservedUsd,
    tokensMax: ticket.reservedTokens,
    timeoutMs: Math.min(sessionMsMax, left),
    silenceMs: silenceMsMax,
  };
}
