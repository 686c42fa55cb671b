// The agents on this machine, queried without spending anything.
import type { Probe } from "../agents/agent.ts";
import { settle } from "../formats/settings.ts";
import { makeAgent } from "./agents.ts";
import { onPath } from "./detect.ts";

export type AgentHere = { readonly kind: "claude" | "codex" } & Omit<Extract<Probe, { found: true }>, "found">;

export async function agentsHere(
  root: string,
  env: readonly string[],
  but: readonly string[] = [],
): Promise<AgentHere[]> {
  const kinds = (["claude", "codex"] as const).filter((kind) => !but.includes(kind) && onPath(kind) !== null);
  const probes = await Promise.all(
    kinds.map(async (kind) => {
      const settings = settle({ agents: { maker: kind } }).agents.maker;
      return { kind, probe: settings === null ? null : await makeAgent(settings, root, env).probe() };
    }),
  );
  return probes.flatMap(({ kind, probe }) => (probe?.found === true ? [{ kind, ...probe }] : []));
}

const login = { yes: ", logged in", no: ", not logged in", unknown: "" };
export const agentHereText = ({ kind, version, login: is }: AgentHere): string => `${kind} ${version}${login[is]}`;
