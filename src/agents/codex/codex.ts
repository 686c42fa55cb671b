// Codex as an agent: one `codex exec` process per part of a session.
import type { Agent } from "../agent.ts";
import { type Machine, thisMachine } from "../cli/machine.ts";
import type { CodexConfig } from "./config.ts";
import { launchCodex } from "./launch.ts";
import { probeCodex } from "./probe.ts";
import { codexReader } from "./reader.ts";

export type { CodexConfig } from "./config.ts";

export function codexAgent(config: CodexConfig = {}, machine: Machine = thisMachine()): Agent {
  return {
    name: "codex",
    compacts: true,
    probe: () => probeCodex(config, machine),
    launch: (request) => launchCodex(request, config, machine),
    reader: (request) => codexReader(request, config, machine),
  };
}
