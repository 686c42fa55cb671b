// What every agent gets in its environment.
import { baseEnv } from "../host/process/environment.ts";
import type { SessionRequest } from "./agent.ts";
import { promptFile, replyFile } from "./session-folder.ts";

/** By this committer the runtime tells an agent's own commits from a person's. */
const committer = { GIT_COMMITTER_NAME: "Loopwright agent", GIT_COMMITTER_EMAIL: "agent@loopwright.invalid" };

/** For any agent: the base, the names a person lets through, and the committer. */
export function agentEnv(names: readonly string[] = []): Record<string, string> {
  return { ...baseEnv(names), ...committer };
}

/** For agents that speak our own protocol: what the session is about, and where its files are. */
export function sessionEnv(request: SessionRequest): Record<string, string> {
  return {
    LOOP_RUN: request.run,
    LOOP_SESSION: request.session,
    LOOP_ROLE: request.role,
    LOOP_FEATURE: request.feature ?? "",
    LOOP_ATTEMPT: String(request.attempt),
    LOOP_PROMPT_FILE: promptFile(request.folder),
    LOOP_REPLY_FILE: replyFile(request.folder),
    ...(request.part > 1 ? { LOOP_RESUME: "1" } : {}),
  };
}
