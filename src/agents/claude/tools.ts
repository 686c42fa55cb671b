// Which tools a session gets: reading for all, writing for makers, and nothing that outlives the session.
import type { SessionRequest } from "../agent.ts";
import type { ClaudeConfig } from "./config.ts";

const reading = ["Read", "Grep", "Glob"];
// Omitted: schedules, background work, worktrees, messages to other agents: we cannot see the end of what they start.
// Also subagents, skills and notebooks, because each adds to every request: name them to get them.
const writing = ["Edit", "Write"];

export function toolsFor(request: SessionRequest, config: ClaudeConfig): readonly string[] {
  if (request.mayWrite) return [...new Set([...reading, "Bash", ...writing, ...(config.tools ?? [])])];
  return config.verifiersRun === false ? reading : [...reading, "Bash"];
}

export function permissionArgs(tools: readonly string[], config: ClaudeConfig): readonly string[] {
  switch (config.permissions ?? "core") {
    case "inherit":
      return [];
    case "core":
      // Tools not on the list are refused without a question, since no one is there to answer.
      return ["--permission-mode", "dontAsk", "--allowedTools", tools.join(",")];
    case "bypass":
      return ["--dangerously-skip-permissions"];
  }
}
