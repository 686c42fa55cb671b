// Which tools a session gets: reading for everyone, writing for those who may, and nothing that outlives the session.
import type { SessionRequest } from "../agent.ts";
import type { ClaudeConfig } from "./config.ts";

const reading = ["Read", "Grep", "Glob"];
// Left out: schedules, background work, worktrees, messages to other agents: what they start has no end that we see. And
// subagents, skills and notebooks, each of which is described in every request: who needs them names them.
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
      // What is not on the list is refused without a question, since nobody is there to answer one.
      return ["--permission-mode", "dontAsk", "--allowedTools", tools.join(",")];
    case "bypass":
      return ["--dangerously-skip-permissions"];
  }
}
