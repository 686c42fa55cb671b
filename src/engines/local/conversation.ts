// The conversation of an earlier session, where a later one may go on with it: the agent then knows what it did and why.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { SessionResult } from "../../agents/session.ts";
import { readResult } from "../../agents/session-folder.ts";
import type { SessionId } from "../../core/ids.ts";
import type { RunFiles } from "../../runtime/ports.ts";

const folder = "sessions";

export const sessionFolder = (name: string): string => `${folder}/${name}`;

/**
 * The agent's own name for it; null where it has none, or where it is so full, or so unknown, that a fresh session is the
 * better start. A session that is over does not change any more, so that asking twice gives the same.
 */
export function conversationOf(session: SessionId, files: RunFiles, fullPercent: number): string | null {
  const result = resultOf(session, files.path(folder));
  if (result === null || result.nativeId === null) return null;
  const { contextUsed: used, contextSize: size } = result;
  return used !== null && size !== null && size > 0 && (100 * used) / size < fullPercent ? result.nativeId : null;
}

/** One that cannot be found or read is no reason to stop: it is only not gone on with. */
function resultOf(session: SessionId, sessions: string): SessionResult | null {
  try {
    const name = readdirSync(sessions).find((each) => each.endsWith(`-${session}`));
    return name === undefined ? null : readResult(join(sessions, name));
  } catch {
    return null;
  }
}
