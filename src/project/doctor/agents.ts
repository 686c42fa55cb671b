// The agents: which program, which version, whether it is logged in, and how that was found out. Programs that the
// repository itself names are not run.

import type { Agent, Probe } from "../../agents/agent.ts";
import { findProgram } from "../../agents/cli/probe-cli.ts";
import { testedVersions, versionIn } from "../../agents/cli/tested-versions.ts";
import type { LoopYaml } from "../../formats/config/loop-yaml.ts";
import { type AgentSettings, type Settings, settle } from "../../formats/config/settings.ts";
import { isProgramOf } from "../../host/own-programs.ts";
import { agentToProbe } from "../agents/agent-to-probe.ts";
import { howToGetOne } from "../agents/agents-here.ts";
import { twoVendors } from "../agents/two-vendors.ts";
import { onPath } from "../checks/detect.ts";
import type { Configured } from "./configuration.ts";
import { type Finding, found } from "./finding.ts";

const known = ["claude", "codex"] as const;
const sides = ["maker", "checker"] as const;

export async function agentFindings(root: string, { settings, workspace }: Configured): Promise<Finding[]> {
  const crew = await crewOf(root, settings);
  if (crew === null) return [noAgent];
  const looks = sides.map((side) =>
    found(side, async () => [await look(side, crew[side], { root, settings, workspace })]),
  );
  const others = known
    .filter((kind) => onPath(kind) !== null && crew.maker.kind !== kind && crew.checker.kind !== kind)
    .map(async (kind) => ({
      ...(await look("also here", named(kind), { root, settings, workspace: {} })),
      is: "note" as const,
    }));
  return [...(await Promise.all(looks)).flat(), ...(await Promise.all(others))];
}

/** The two that would work, as a run chooses them; null: none is configured or found. */
export async function crewOf(
  root: string,
  { agents, ...settings }: Settings,
): Promise<Record<(typeof sides)[number], AgentSettings> | null> {
  const both = agents.maker === null && agents.checker === null ? await twoVendors(root, settings) : null;
  if (both !== null) return both;
  const detected = known.find((kind) => onPath(kind) !== null) ?? null;
  const maker = agents.maker ?? (detected === null ? null : named(detected));
  return maker === null ? null : { maker, checker: agents.checker ?? maker };
}

const noAgent: Finding = {
  what: "agents",
  is: "bad",
  says: "No agent is configured, and neither claude nor codex is on PATH.",
  next: howToGetOne,
};

/** Without a configuration, the program of that name on PATH. */
function named(kind: (typeof known)[number]): AgentSettings {
  const agent = settle({ agents: { maker: kind } }).agents.maker;
  if (agent === null) throw new RangeError(`no settings for ${kind}`);
  return agent;
}

type Place = { readonly root: string; readonly settings: Settings; readonly workspace: LoopYaml };

async function look(what: string, agent: AgentSettings, { root, settings, workspace }: Place): Promise<Finding> {
  const unrun = whyUnrun(agent, root, workspace);
  if (unrun !== null)
    return { what, is: "note", says: `${agent.kind}: ${unrun}, so it was not run to see its version and login` };
  const made = await agentToProbe({ sandbox: settings.sandbox, ...agent }, root, settings.env);
  const probe = await made.probe();
  return probe.found
    ? {
        ...{ what, is: probe.login === "no" ? "bad" : "good", says: foundText(agent, probe, made, settings) },
        ...(probe.next === undefined ? {} : { next: probe.next }),
      }
    : { what, is: "bad", says: `${agent.kind}: ${probe.why}`, next: probe.next };
}

/**
 * The repository names the program of an agent whose probe would start it, or brings it and is on PATH; null: neither.
 * Command and ACP agents are only looked for, whoever names them.
 */
function whyUnrun({ kind, path }: AgentSettings, root: string, { agents = {} }: LoopYaml): string | null {
  if (kind !== "claude" && kind !== "codex") return null;
  const isNamed =
    path !== null && Object.values(agents).some((agent) => typeof agent === "object" && agent.path === path);
  if (isNamed) return `loop.yaml names its program, ${path}`;
  const program = findProgram(path ?? kind, process.env);
  return program !== null && isProgramOf(root, program) ? `the repository brings its program, ${program}` : null;
}

const loginWords = { yes: "logged in", no: "not logged in", unknown: "login unknown" };

function foundText({ kind }: AgentSettings, probe: Extract<Probe, { found: true }>, agent: Agent, settings: Settings) {
  const version = probe.version === "unknown" ? "" : ` ${probe.version}`;
  const how = probe.loginFrom === undefined ? "" : ` (${probe.loginFrom})`;
  const login = probe.login === "unknown" && how === "" ? "" : `, ${loginWords[probe.login]}${how}`;
  const lines = [
    `${kind}${version} (${probe.path})${login}`,
    ...(probe.isSubscription === true ? ["a subscription: sums of money are estimates, at the prices of the API"] : []),
    ...(probe.note === undefined ? [] : [probe.note]),
    ...testedText(kind, probe.version),
    ...contextText(agent.compacts, settings),
  ];
  return lines.join("\n");
}

function testedText(kind: AgentSettings["kind"], version: string): string[] {
  if (kind !== "claude" && kind !== "codex") return [];
  const { from, to } = testedVersions[kind];
  const range = from === to ? from : `${from} to ${to}`;
  return [versionIn(version, { from, to }) ? `tested with ${range}` : `tested with ${range}, not with this version`];
}

/** What happens to a session whose context fills up. Empty for agents that do not report how full it is. */
function contextText(compacts: boolean | undefined, { context }: Settings): string[] {
  if (compacts === undefined) return [];
  const { compactPercent, handoverPercent } = context;
  const over = `handed over to a fresh session at ${handoverPercent} %`;
  if (compacts && compactPercent < handoverPercent) return [`context: compacted at ${compactPercent} %, ${over}`];
  return [`context: ${over}${compacts ? "" : "; this agent cannot be told to compact"}`];
}
