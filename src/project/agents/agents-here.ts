// The agents on this machine, queried without spending anything, inside walls where agents have them.
import { resolve } from "node:path";
import type { Probe } from "../../agents/agent.ts";
import { type Settings, settle } from "../../formats/config/settings.ts";
import { isProgramOf } from "../../host/own-programs.ts";
import { onPath } from "../checks/detect.ts";
import { agentToProbe } from "./agent-to-probe.ts";

export type AgentHere = { readonly kind: "claude" | "codex" } & Omit<Extract<Probe, { found: true }>, "found">;

export async function agentsHere(
  root: string,
  { env, sandbox }: Pick<Settings, "env" | "sandbox">,
): Promise<AgentHere[]> {
  const kinds = (["claude", "codex"] as const).filter((kind) => {
    const program = onPath(kind);
    // A repository's own program is not started for a look.
    return program !== null && !isProgramOf(root, resolve(program));
  });
  const probes = await Promise.all(
    kinds.map(async (kind) => {
      const settings = settle({ agents: { maker: kind } }).agents.maker;
      if (settings === null) return { kind, probe: null };
      const agent = await agentToProbe({ sandbox, ...settings }, root, env);
      return { kind, probe: await agent.probe() };
    }),
  );
  return probes.flatMap(({ kind, probe }) => (probe?.found === true ? [{ kind, ...probe }] : []));
}

const login = { yes: ", logged in", no: ", not logged in", unknown: "" };
/** A login that only walls keep from it is not a missing one: then the probe has a note and another thing to do. */
export const agentHereText = ({ kind, version, login: is, note, next }: AgentHere): string =>
  `${kind} ${version}${login[is]}${next === undefined || note === undefined ? "" : `: ${note.replace(/\.$/, "")} (loop doctor)`}`;

/** Where there is none. */
export const howToGetOne =
  "Install claude or codex, or name a program of yours in loop.yaml: agents: { maker: { kind: command, command: [python3, agent.py] } }; docs/COMMAND-AGENTS.md of this package says what it has to do. To see how it works without one: loop demo";
