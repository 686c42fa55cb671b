// The environment of every agent.
import { agentGitEnvironment } from "../core/agent-identity.ts";
import { baseEnv } from "../host/process/environment.ts";
import type { SessionRequest } from "./agent.ts";
import { promptFile, replyFile } from "./session/session-folder.ts";

/** For any agent: the base, the names that a person allows, and the committer. */
export function agentEnv(names: readonly string[] = []): Record<string, string> {
  return { ...baseEnv(names), ...agentGitEnvironment };
}

/** For agents that speak our own protocol: the session's identity, and where its files are. */
export function sessionEnv(request: SessionRequest): Record<string, string> {
  return {
    LOOP_RUN: request.run,
    LOOP_SESSION: request.session,
    LOOP_CONVERSATION: request.nativeId ?? request.session,
    LOOP_ROLE: request.role,
    LOOP_FEATURE: request.feature ?? "",
    LOOP_ATTEMPT: String(request.attempt),
    LOOP_PROMPT_FILE: promptFile(request.folder),
    LOOP_REPLY_FILE: replyFile(request.folder),
    ...(request.tokensMax === undefined ? {} : { LOOP_TOKENS_MAX: String(request.tokensMax) }),
    ...(request.part > 1 || request.nativeId !== null ? { LOOP_RESUME: "1" } : {}),
  };
}
