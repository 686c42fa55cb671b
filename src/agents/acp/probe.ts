// What this machine has of an ACP agent: its program, and the protocol library. Starts nothing.
import type { Probe } from "../agent.ts";
import type { Machine } from "../cli/machine.ts";
import { findProgram } from "../cli/probe-cli.ts";
import type { AcpConfig } from "./config.ts";

export async function probeAcp(config: AcpConfig, machine: Machine): Promise<Probe> {
  const [file = ""] = config.command;
  const path = findProgram(file, machine.env);
  if (path === null) {
    const why = `${JSON.stringify(file)} is not an executable.`;
    return { found: false, why, next: "Give the whole path in loop.yaml, or put the program on PATH." };
  }
  if (!hasLibrary()) {
    const why = "@agentclientprotocol/sdk is not installed beside Loopwright.";
    return { found: false, why, next: "npm install @agentclientprotocol/sdk@2" };
  }
  // Only the running agent knows its version and whether it is logged in.
  return { found: true, version: "unknown", path, login: "unknown" };
}

function hasLibrary(): boolean {
  try {
    return import.meta.resolve("@agentclientprotocol/sdk") !== "";
  } catch {
    return false;
  }
}
