// What changed since a run began, which changes apply now, which cannot, and why. Pure.
import { type LimitName, type Limits, limitNames, limitRow, written } from "../../core/limits.ts";
import type { AgentSettings } from "../../formats/config/settings.ts";
import { shortened } from "../../formats/text/shortened.ts";
import type { Configured } from "./configured.ts";

export type Change = {
  /** As people write it: `limits.cost_usd`, `agents.maker`, `checks`. */
  readonly what: string;
  readonly from: string;
  readonly to: string;
  readonly applies: "now" | "next run";
  readonly why: string;
};
export type Standing = { readonly configured: Configured; readonly version: string };

const lengthMax = 80;
const frozenWhy = "It was frozen when the contract was locked. To have it: loop cancel, then loop run";

export function drift(began: Standing, now: Standing): Change[] {
  return [
    ...limitChanges(began.configured.limits, now.configured.limits),
    ...agentChanges(began.configured, now.configured),
    ...frozenChanges(began.configured.frozen, now.configured.frozen),
    ...versionChange(began.version, now.version),
  ];
}

function limitChanges(before: Limits, after: Limits): Change[] {
  return limitNames
    .filter((name) => isLimitChanged(before, after, name))
    .map((name) => ({
      what: `limits.${limitRow(name).key}`,
      from: String(written(name, before[name] ?? null) ?? "none"),
      to: String(written(name, after[name]) ?? "none"),
      applies: "now",
      why: "A limit holds for what is still to be spent.",
    }));
}

/** Data of an earlier version lacks limits that it did not know. */
export const isLimitChanged = (before: Limits, after: Limits, name: LimitName): boolean =>
  (before[name] ?? null) !== (after[name] ?? null);

type Agents = Configured["agents"];
type Crew = Pick<Configured, "agents" | "env">;

export function agentChanges(before: Crew, after: Crew): Change[] {
  const why = "The next session is the new agent's; one that was cut short is finished by the agent that began it.";
  const roles = (Object.keys(after.agents) as (keyof Agents)[]).filter(
    (role) => !equal(before.agents[role], after.agents[role]) && !follows(role, before.agents, after.agents),
  );
  const changes = roles.map((role): Change => {
    const [from, to] = [agentText(before.agents[role]), agentText(after.agents[role])];
    return { what: `agents.${role}`, from, to: from === to ? `${to}, set up differently` : to, applies: "now", why };
  });
  if (equal(before.env, after.env)) return changes;
  return [...changes, { what: "env", from: listed(before.env), to: listed(after.env), applies: "now", why }];
}

/** A role that is not configured follows another one and changes with it: reported once. */
function follows(role: keyof Agents, before: Agents, after: Agents): boolean {
  const by = { maker: null, checker: "maker", planner: "maker", tester: "maker", auditor: "checker" } as const;
  const leader = by[role];
  return leader !== null && equal(before[role], before[leader]) && equal(after[role], after[leader]);
}

function agentText(agent: AgentSettings | null): string {
  if (agent === null) return "whichever is found";
  const more = [agent.model, agent.script, agent.command?.join(" ")].filter((text) => text != null);
  return cut(more.length === 0 ? agent.kind : `${agent.kind} (${more.join(", ")})`);
}

function frozenChanges(before: Configured["frozen"], after: Configured["frozen"]): Change[] {
  return Object.keys(after)
    .filter((key) => key in before && !equal(before[key], after[key]))
    .map((key) => {
      const [from, to] = [shown(before[key]), shown(after[key])];
      return {
        what: key,
        from,
        to: from === to ? `${to}, with other details` : to,
        applies: "next run",
        why: frozenWhy,
      };
    });
}

const versionChange = (from: string, to: string): Change[] =>
  from === to || from === ""
    ? []
    : [{ what: "version", from, to, applies: "now", why: "The journal is read by whichever version goes on." }];

/** Compared in serialized form: what the file cannot show is not a difference. */
const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function shown(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (!Array.isArray(value)) return cut(typeof value === "string" ? value : JSON.stringify(value));
  return listed(value.map((item) => (typeof item === "string" ? item : checkText(item))));
}

const checkText = (item: { name?: unknown; run?: unknown; must?: unknown }): string =>
  item.name === undefined ? JSON.stringify(item) : `${item.name}: ${item.run} (${item.must})`;
const listed = (items: readonly string[]): string => (items.length === 0 ? "none" : cut(items.join(", ")));

function cut(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return shortened(line, lengthMax);
}

/** `limits.cost_usd: 25 → 40, applies now` */
export const changeText = ({ what, from, to, applies, why }: Change): string =>
  applies === "now"
    ? `${what}: ${from} → ${to}; applies now.`
    : `${what}: ${from} → ${to}; does not apply to this run. ${why}`;
