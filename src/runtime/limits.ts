// Limits as people write them (dollars, minutes) and as the core counts them.
import type { Limits } from "../core/contract.ts";
import type { LimitSettings } from "../formats/settings.ts";

const minute = 60_000;

export const limitsOf = (settings: LimitSettings): Limits => ({
  costUsdMax: settings.costUsd,
  sessionCostUsdMax: settings.sessionCostUsd,
  tokensMax: settings.tokens,
  sessionsMax: settings.sessions,
  iterationsMax: settings.iterations,
  commitsMax: settings.commits,
  activeMsMax: settings.minutes * minute,
  reworkMax: settings.rework,
  roundsMax: settings.rounds,
  sessionMsMax: settings.sessionMinutes * minute,
  silenceMsMax: settings.silenceMinutes * minute,
  checkMsMax: settings.checkMinutes === null ? null : settings.checkMinutes * minute,
});

export const limitSettings = (limits: Limits): LimitSettings => ({
  costUsd: limits.costUsdMax ?? Number.POSITIVE_INFINITY,
  sessionCostUsd: limits.sessionCostUsdMax,
  tokens: limits.tokensMax,
  sessions: limits.sessionsMax,
  iterations: limits.iterationsMax ?? Number.POSITIVE_INFINITY,
  commits: limits.commitsMax ?? Number.POSITIVE_INFINITY,
  minutes: (limits.activeMsMax ?? Number.POSITIVE_INFINITY) / minute,
  checkMinutes: limits.checkMsMax === null ? null : limits.checkMsMax / minute,
  rework: limits.reworkMax,
  rounds: limits.roundsMax,
  sessionMinutes: limits.sessionMsMax / minute,
  silenceMinutes: limits.silenceMsMax / minute,
});
