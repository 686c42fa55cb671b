// An agent for a look at its program: version and login. Where agents have walls, the program starts inside of them.
import { homedir } from "node:os";
import { join } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { type Machine, thisMachine } from "../../agents/cli/machine.ts";
import type { AgentSettings } from "../../formats/config/settings.ts";
import type { Confine } from "../../host/confine/confine.ts";
import { vaultsDir } from "../../workspace/vault.ts";
import { confineHere, isWalled } from "../walls/walls.ts";
import { makeAgent, type RegisteredAgents } from "./agents.ts";

export async function agentToProbe(
  settings: AgentSettings,
  root: string,
  env: readonly string[],
  registered: RegisteredAgents = {},
): Promise<Agent> {
  const confine = isWalled(settings) ? await confineHere() : null;
  if (confine === null) return makeAgent(settings, root, env, registered);
  const home = (settings.home ?? []).map((path) => join(homedir(), path));
  const machine = { ...thisMachine(), look: lookInside(confine, home) };
  return makeAgent(settings, root, env, registered, { machine });
}

/**
 * It may change nothing and has no network: a login that it refreshed here would be lost, and the person's own would no
 * longer be valid.
 */
export const lookInside =
  (confine: Confine, home: readonly string[] = []): NonNullable<Machine["look"]> =>
  (login) =>
  (start) =>
    confine.confine(
      { ...start, cwd: "/" },
      { writes: [], reads: [...login, ...home], hides: [vaultsDir()], network: "none" },
    );
