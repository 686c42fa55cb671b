// The process of a session with an ACP agent: our bridge, with an order file.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Launch, SessionRequest } from "../agent.ts";
import { cliEnv } from "../cli/cli-env.ts";
import { whyRefused } from "../cli/destructive.ts";
import type { Machine } from "../cli/machine.ts";
import type { AcpConfig } from "./config.ts";

const bridge = fileURLToPath(new URL("./bridge.mjs", import.meta.url));

/** The order for the bridge; `bridge.mjs` reads it. */
export type AcpOrder = {
  command: readonly string[];
  cwd: string;
  /** The agent's own name for the conversation to resume; null: a new one. */
  session: string | null;
  model: string | null;
  permissions: "by-role" | "all";
  mayWrite: boolean;
  /** Why a command is refused, in our words. */
  why: typeof whyRefused;
};

export function launchAcp(request: SessionRequest, config: AcpConfig, machine: Machine): Launch {
  const order: AcpOrder = {
    command: config.command,
    cwd: request.cwd,
    session: request.nativeId,
    model: config.model ?? null,
    permissions: config.permissions === "bypass" ? "all" : "by-role",
    mayWrite: request.mayWrite,
    why: whyRefused,
  };
  const path = join(request.folder, "acp-order.json");
  return {
    file: process.execPath,
    args: [bridge, path],
    cwd: request.cwd,
    env: cliEnv(config.env ?? [], machine.env),
    files: [{ path, content: JSON.stringify(order) }],
    programs: config.command,
    stdin: "prompt",
    endSignal: "SIGTERM",
  };
}
