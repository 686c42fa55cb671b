// How an agent and its model are named for people, and which agent a model belongs to.

import type { AgentSettings, Settings } from "../../formats/config/settings.ts";
import { nearest } from "../../formats/text/nearest.ts";

/** `claude (opus)`. */
export const agentName = (agent: AgentSettings | null): string =>
  agent === null ? "" : agent.model === null ? agent.kind : `${agent.kind} (${agent.model})`;

/** `claude (opus) makes, codex checks`. */
export const crewText = ({ maker, checker }: Pick<Settings["agents"], "maker" | "checker">): string =>
  `${agentName(maker)} makes, ${agentName(checker)} checks`;

/** How the names of models begin. New models come every month, so that only the first word is judged. */
const families: Readonly<Record<string, "claude" | "codex">> = {
  claude: "claude",
  opus: "claude",
  sonnet: "claude",
  haiku: "claude",
  fable: "claude",
  opusplan: "claude",
  gpt: "codex",
  codex: "codex",
};

const familyOf = (model: string): string => /^[a-z]*/i.exec(model)?.[0].toLowerCase() ?? "";

/** The agent whose vendor makes this model; null: any agent may know it. */
export const vendorOf = (model: string): "claude" | "codex" | null => families[familyOf(model)] ?? null;

/** The name that was meant, if this one is a slip of a known one: `opsu`, `gtp-5.4`. */
export function meantModel(model: string): string | null {
  const family = familyOf(model);
  if (family.length < 3 || Object.hasOwn(families, family)) return null;
  const meant = nearest(family, Object.keys(families));
  return meant === null ? null : `${meant}${model.slice(family.length)}`;
}
