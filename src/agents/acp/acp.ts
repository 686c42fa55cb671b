// Any agent that speaks the Agent Client Protocol: one bridge process per part of a session, with the agent as its child.
import type { Agent } from "../agent.ts";
import { type Machine, thisMachine } from "../cli/machine.ts";
import type { AcpConfig } from "./config.ts";
import { launchAcp } from "./launch.ts";
import { probeAcp } from "./probe.ts";
import { acpReader } from "./reader.ts";

export type { AcpConfig } from "./config.ts";

export function acpAgent(config: AcpConfig, machine: Machine = thisMachine()): Agent {
  return {
    name: "acp",
    // The protocol has no request for it. Some agents compact by themselves.
    compacts: false,
    probe: () => probeAcp(config, machine),
    launch: (request) => launchAcp(request, config, machine),
    reader: (request) => acpReader(request, config, machine),
  };
}
