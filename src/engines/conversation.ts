// The conversation of an earlier session, if a later one may resume it: the agent then knows what it did and why.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { SessionResult } from "../agents/session/session.ts";
import { readResult } from "../agents/session/session-folder.ts";
import type { FeatureId, SessionId } from "../core/ids.ts";
import type { Role } from "../core/run.ts";
import type { RunFiles } from "../runtime/ports.ts";
import { roles } from "../runtime/roles/index.ts";

const folder = "sessions";

export const sessionFolder = (name: string): string => `${folder}/${name}`;

/** The folder of a session among the run's files. */
export const folderOf = ({ feature, attempt, role, session }: Named): string =>
  sessionFolder(`${feature ?? "run"}-a${attempt}-${role}-${session}`);
type Named = {
  readonly feature: FeatureId | null;
  readonly attempt: number;
  readonly role: Role;
  readonly session: SessionId;
};

/** Whose session it is, by the name of its folder. A feature's id may look like the rest: the last role counts. */
export const roleIn = (name: string): string | null => ending.exec(name)?.[1] ?? null;
const ending = new RegExp(`^.+-a\\d+-(${Object.keys(roles).join("|")})-`);

/**
 * The agent's own id for it; null if it has none, or if its context is too full or of unknown size, so that a fresh
 * session is the better start. A finished session no longer changes, so asking twice gives the same answer.
 */
export function conversationOf(session: SessionId, files: RunFiles, fullPercent: number): string | null {
  const result = resultOf(session, files.path(folder));
  if (result === null || result.nativeId === null) return null;
  const { contextUsed: used, contextSize: size } = result;
  // A usage limit cut it off in the middle: it goes on, and a context that turns out to be full is handed over.
  if (used === null && result.how === "failed" && result.failure.class === "limited") return result.nativeId;
  return used !== null && size !== null && size > 0 && (100 * used) / size < fullPercent ? result.nativeId : null;
}

/** A result that is missing or unreadable is not an error: the conversation is just not resumed. */
function resultOf(session: SessionId, sessions: string): SessionResult | null {
  try {
    const name = readdirSync(sessions).find((each) => each.endsWith(`-${session}`));
    return name === undefined ? null : readResult(join(sessions, name));
  } catch {
    return null;
  }
}
