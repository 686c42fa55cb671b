// What the session in hand has used so far: it is settled when the session ends, and people look before that.
import type { InSession, Run } from "../core/run.ts";
import type { Usage } from "../core/session.ts";
import { liveLine } from "../formats/kept/run-files.ts";
import { meteredUsage } from "../gateway/metered.ts";
import type { SessionSign } from "../runtime/ports.ts";
import { folderOf } from "./conversation.ts";
import type { Reading } from "./engine.ts";

/** Null: no session is open, or nothing is known of it. The gateway's count is complete, so it comes before the agent's. */
export async function openUse(file: Reading["file"], { now }: Pick<Run, "now">): Promise<Usage | null> {
  const phase = now.is === "resting" || now.is === "waiting" ? now.resume : now;
  if (phase.is !== "in-session" || phase.ticket === null) return null;
  const { used, session } = phase.ticket;
  if (used !== undefined) return used;
  const metered = meteredUsage((await file(`${placeOf(phase, session)}/metered.jsonl`)) ?? "");
  return metered ?? lastSeen((await file("live.jsonl")) ?? "", session);
}

const placeOf = ({ role, work, pair }: InSession, session: SessionSign["session"]): string =>
  folderOf({ feature: work?.feature ?? null, attempt: work?.attempt ?? pair?.round ?? 1, role, session });

function lastSeen(live: string, session: SessionSign["session"]): Usage | null {
  const signs = live.split("\n").flatMap((line) => liveLine.parseIfPossible<SessionSign>(line) ?? []);
  const seen = signs.findLast((each) => each.session === session && each.sign.sign === "usage");
  return seen?.sign.sign === "usage" ? seen.sign.usage : null;
}
