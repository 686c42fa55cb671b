// The agents and the model that a person names for one run: `--maker codex`, `--checker codex`, `--model opus`.
import { Bug, UserError } from "../../core/errors.ts";
import type { LoopYaml } from "../../formats/config/loop-yaml.ts";
import { type AgentSettings, type Settings, settle } from "../../formats/config/settings.ts";
import { detectAgent, onPath } from "../checks/detect.ts";
import { readOnce } from "../config/read-once.ts";
import { loadSettings } from "../config/settings.ts";
import type { AgentPair, PlanOrder } from "../plan/plan-run.ts";
import { agentName, vendorOf } from "./agent-words.ts";
import { twoVendors } from "./two-vendors.ts";

type Agents = Settings["agents"];

/**
 * Where no file names an agent: those of this machine. The command line may have named one of the two; what a program sets
 * up in more than a word counts like a file.
 */
export async function agentsToUse(order: PlanOrder): Promise<Pick<PlanOrder, "flags" | "here">> {
  const { root, flags, model = null, disk = readOnce(root) } = order;
  const files = loadSettings(root, { ...flags, agents: {} }, true, disk);
  const { maker, checker } = flags.agents ?? {};
  const isSetUp = [maker, checker].some((agent) => typeof agent === "object");
  const isOpen = files.agents.maker === null && files.agents.checker === null && !isSetUp;
  if (!isOpen || (maker !== undefined && checker !== undefined)) return { flags };
  const pair = await twoVendors(root, files);
  if (maker === undefined && checker === undefined) return { flags, ...hereFor(pair, model) };
  if (pair === null) return { flags };
  const other = (kind: unknown): "claude" | "codex" => (kind === "claude" ? "codex" : "claude");
  return {
    flags: { ...flags, agents: { maker: maker ?? other(checker), checker: checker ?? other(maker) } },
  };
}

/** A model chooses its agent where nothing else does. */
function hereFor(pair: AgentPair | null, model: string | null): Pick<PlanOrder, "here"> {
  const vendor = model === null ? null : vendorOf(model);
  if (vendor === null) return pair === null ? {} : { here: pair };
  if (pair !== null) return { here: pair.maker.kind === vendor ? pair : { maker: pair.checker, checker: pair.maker } };
  if (onPath(vendor) === null) {
    const found = detectAgent();
    throw new UserError("no-agent", {
      what: "The run did not start.",
      why: `${model} is a model of ${vendor}, which is not on PATH.`,
      next: `Install ${vendor}${found === null ? "." : `, or name the agent that knows this model: --maker ${found.kind} --model ${model}`}`,
    });
  }
  const agent = plain(vendor);
  return { here: { maker: agent, checker: agent } };
}

/** The agents of a run, with those that a person names instead. A role that followed a replaced agent follows the new one. */
export function withAgents(crew: Agents, named: NonNullable<LoopYaml["agents"]>): Agents {
  const maker = pick(crew, "maker", named);
  const isFollowing = named.checker === undefined && isSame(crew.checker, crew.maker);
  const checker = isFollowing ? maker : pick(crew, "checker", named);
  return {
    maker,
    checker,
    planner: isSame(crew.planner, crew.maker) ? maker : crew.planner,
    tester: isSame(crew.tester, crew.maker) ? maker : crew.tester,
    auditor: isSame(crew.auditor, crew.checker) ? checker : crew.auditor,
  };
}

/** Which agent a role has if none is named for it. */
const leaders = { checker: "maker", planner: "maker", tester: "maker", auditor: "checker" } as const;

/**
 * The agents of a run after an edit of its files. `began` and `now`: what these said and say. `named`: what they come to now. A
 * role that they do not name follows another one only if it does in the run.
 */
export function withEdits(
  crew: Agents,
  { began, now, named }: { readonly began: Agents; readonly now: Agents; readonly named: Agents },
): Agents {
  const maker = isSame(began.maker, now.maker) ? crew.maker : named.maker;
  const after = (role: keyof typeof leaders, leader: AgentSettings | null): AgentSettings | null => {
    const by = leaders[role];
    if (isSame(began[role], now[role])) return crew[role];
    const isNamed = !isSame(began[role], began[by]) || !isSame(now[role], now[by]);
    if (isNamed) return named[role];
    return isSame(crew[role], crew[by]) ? leader : crew[role];
  };
  const checker = after("checker", maker);
  return {
    maker,
    checker,
    planner: after("planner", maker),
    tester: after("tester", maker),
    auditor: after("auditor", checker),
  };
}

function pick(crew: Agents, role: "maker" | "checker", named: NonNullable<LoopYaml["agents"]>): AgentSettings | null {
  const agent = named[role];
  if (agent === undefined) return crew[role];
  const kind = typeof agent === "string" ? agent : agent.kind;
  return (
    [crew[role], ...Object.values(crew)].find((each) => each?.kind === kind) ?? { ...walls(crew), ...plain(agent) }
  );
}

/** A new agent has the walls of the run. */
const walls = ({ maker }: Agents): Partial<AgentSettings> =>
  maker === null
    ? {}
    : {
        ...(maker.sandbox === undefined ? {} : { sandbox: maker.sandbox }),
        ...(maker.network === undefined ? {} : { network: maker.network }),
        ...(maker.diskGb === undefined ? {} : { diskGb: maker.diskGb }),
      };

/** The maker's model, and that of every other role of the same agent that has no model of its own. */
export function withModel(crew: Agents, model: string | null): Agents {
  if (model === null || crew.maker === null) return crew;
  const { maker } = crew;
  if (maker.kind !== "claude" && maker.kind !== "codex" && maker.kind !== "acp") throw modelUnused(maker, model);
  if (maker.kind === "codex" && vendorOf(model) === "claude") throw modelUnused(maker, model);
  const choose = (agent: AgentSettings | null): AgentSettings | null =>
    agent !== null && agent.kind === maker.kind && (agent.model === null || agent.model === maker.model)
      ? { ...agent, model }
      : agent;
  return {
    maker: { ...maker, model },
    checker: choose(crew.checker),
    planner: choose(crew.planner),
    tester: choose(crew.tester),
    auditor: choose(crew.auditor),
  };
}

function modelUnused(maker: AgentSettings, model: string): UserError {
  const vendor = vendorOf(model);
  const isOther = vendor !== null && maker.kind === "codex";
  return new UserError("bad-flag", {
    what: "Nothing was started.",
    why: isOther
      ? `${model} is a model of ${vendor}, and ${agentName(maker)} makes.`
      : `--model names the model of the maker, which is a ${maker.kind} agent and takes none.`,
    next: vendor === null ? "Leave out --model." : `To make it with ${vendor}: --maker ${vendor} --model ${model}`,
  });
}

const isSame = (one: AgentSettings | null, other: AgentSettings | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function plain(agent: NonNullable<LoopYaml["agents"]>["maker"]): AgentSettings {
  const { maker } = settle({ agents: agent === undefined ? {} : { maker: agent } }).agents;
  if (maker === null) throw new Bug("an agent that is named is settled");
  return maker;
}
