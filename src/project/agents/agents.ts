// The agents by name: the only file that knows them all.
import { acpAgent } from "../../agents/acp/acp.ts";
import type { Agent } from "../../agents/agent.ts";
import { claudeAgent } from "../../agents/claude/claude.ts";
import { type Machine, thisMachine } from "../../agents/cli/machine.ts";
import { codexAgent } from "../../agents/codex/codex.ts";
import { commandAgent } from "../../agents/command/command.ts";
import { rehearsalAgent } from "../../agents/rehearsal/rehearsal.ts";
import { Bug, UserError, unreachable } from "../../core/errors.ts";
import { type Role, type Side, sideOf } from "../../core/run.ts";
import type { AgentSettings, Settings } from "../../formats/config/settings.ts";

/** Agents that a program has brought, by name. */
export type RegisteredAgents = Readonly<Record<string, Agent>>;

/** For an agent inside walls: what it sees of the machine. */
export type Inside = {
  readonly machine: Machine;
  /** Where an agent that is told by its configuration finds the gateway to its model. */
  readonly gateway?: { readonly openai: string; readonly keyEnv: string };
};

export function makeAgent(
  settings: AgentSettings,
  root: string,
  env: readonly string[],
  registered: RegisteredAgents = {},
  inside: Inside | null = null,
): Agent {
  const machine = inside?.machine ?? thisMachine();
  const names = [...env, ...settings.env];
  switch (settings.kind) {
    case "command":
      if (settings.command === null) throw new Bug("a command agent has a command");
      return commandAgent({
        kind: "command",
        command: [...settings.command],
        env: names,
        ...(settings.costUsd === null ? {} : { costUsd: settings.costUsd }),
      });
    case "rehearsal":
      return rehearsalAgent(
        settings.script === null
          ? { kind: "rehearsal", act: "honest" }
          : { kind: "rehearsal", script: absolute(root, settings.script) },
      );
    case "claude":
      return claudeAgent(
        {
          ...common(settings),
          env: names,
          ...(settings.tools === undefined ? {} : { tools: settings.tools }),
          ...(settings.trust === null ? {} : { trust: settings.trust }),
        },
        machine,
      );
    case "codex":
      return codexAgent(
        { ...common(settings), ...providerFor(inside), env: names, confined: inside !== null },
        machine,
      );
    case "acp":
      if (settings.command === null) throw noCommand();
      return acpAgent({
        kind: "acp",
        command: [...settings.command, ...settings.args],
        env: names,
        permissions: settings.permissions,
        ...(settings.model === null ? {} : { model: settings.model }),
      });
    case "library": {
      const { name = "" } = settings;
      const agent = Object.hasOwn(registered, name) ? registered[name] : undefined;
      if (agent === undefined) throw notRegistered(name);
      return agent;
    }
    default:
      return unreachable(settings.kind);
  }
}

const providerFor = (inside: Inside | null) =>
  inside?.gateway === undefined
    ? {}
    : { provider: { name: "gateway", baseUrl: inside.gateway.openai, keyEnv: inside.gateway.keyEnv } };

const noCommand = (): UserError =>
  new UserError("acp-without-command", {
    what: "The run did not start.",
    why: "An ACP agent is any program that speaks the protocol, and none is named.",
    next: 'Name it in loop.yaml: agents: { maker: { kind: acp, command: ["…"], env: [NAME_OF_ITS_KEY] } }',
  });

const notRegistered = (name: string): UserError =>
  new UserError("agent-not-registered", {
    what: "The run did not start.",
    why: `The agent ${JSON.stringify(name)} is brought by a program, and this one does not have it.`,
    next: "Run the program that registers it: openProject(dir, { agents: { … } }). Or name another agent in loop.yaml.",
  });

const common = ({ path, model, effort, args, permissions, prices, prompt }: AgentSettings) => ({
  ...(path === null ? {} : { path }),
  ...(model === null ? {} : { model }),
  ...(effort === null ? {} : { effort }),
  // Runs begun by an earlier version have none.
  ...(prompt == null ? {} : { prompt }),
  args,
  permissions,
  prices,
});

const absolute = (root: string, path: string): string => (path.startsWith("/") ? path : `${root}/${path}`);

/** Which agent fills a role: makers make, checkers judge; and each can stand in for the other. */
export function agentFor(role: Role, by: Side, agents: Settings["agents"]): AgentSettings {
  const roleAgents: Record<Role, keyof Settings["agents"]> = {
    planner: "planner",
    designer: "planner",
    builder: "maker",
    tester: "tester",
    auditor: "auditor",
    evaluator: "checker",
    "plan-verifier": "checker",
    "test-verifier": "checker",
    "audit-verifier": "checker",
    skeptic: "checker",
    examiner: "checker",
  };
  const settings = agents[by === sideOf(role) ? roleAgents[role] : by];
  if (settings === null) throw new Bug(`nobody fills the role of ${role}`);
  return settings;
}
