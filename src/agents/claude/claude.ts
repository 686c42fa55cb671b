// Claude Code as an agent: one `claude -p` process per part of a session.
import type { Agent } from "../agent.ts";
import { type Machine, thisMachine } from "../cli/machine.ts";
import type { ClaudeConfig } from "./config.ts";
import { launchClaude } from "./launch.ts";
import { probeClaude } from "./probe.ts";
import { claudeReader } from "./reader.ts";

export type { ClaudeConfig } from "./config.ts";
export { claudeState } from "./state.ts";
export { repositorySettings } from "./trust.ts";

export function claudeAgent(config: ClaudeConfig = {}, machine: Machine = thisMachine()): Agent {
  return {
    name: "claude",
    compacts: true,
    probe: () => probeClaude(config, machine),
    launch: (request) => launchClaude(request, config, machine),
    reader: (request) => claudeReader(request, config, machine),
  };
}
