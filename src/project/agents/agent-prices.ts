// What a session of a command agent costs: loop.yaml says it, or the person did when they were asked. Their answer is
// kept in the vault, by command, so that it is asked for once.
import { join } from "node:path";
import type { AgentSettings, Settings } from "../../formats/config/settings.ts";
import { agentPricesFile } from "../../formats/kept/vault-files.ts";
import { ensureDir, readIfExists, writeAtomic } from "../../host/disk.ts";
import { money } from "../../report/words/words.ts";
import { vaultDirFor } from "../../workspace/vault.ts";

type Agents = Settings["agents"];
/** `key`: the setting, as people write it. */
export type Unpriced = { readonly key: string; readonly command: readonly string[]; readonly countedUsd: number };
/** Null: the person does not know it. */
type Price = { readonly command: readonly string[]; readonly costUsd: number | null };

const keptMax = 100;
const placeOf = (root: string): string => join(vaultDirFor(root), "agent-prices.json");

/** The agents with the prices that the person has said, and a sentence for each of these. */
export function withPrices(agents: Agents, root: string): { agents: Agents; notices: string[] } {
  const missing = unpriced(agents, 0);
  const kept = missing.length === 0 ? [] : pricesIn(root);
  const said = missing.flatMap(({ key, command }) =>
    kept.flatMap(({ command: known, costUsd }) =>
      costUsd !== null && isSame(known, command) ? [{ key, command, costUsd }] : [],
    ),
  );
  if (said.length === 0) return { agents, notices: [] };
  const priced = (agent: AgentSettings | null): AgentSettings | null => {
    const price = isOpen(agent) ? said.find(({ command }) => isSame(command, agent.command)) : undefined;
    return agent === null || price === undefined ? agent : { ...agent, costUsd: price.costUsd };
  };
  const { maker, checker, planner, tester, auditor } = agents;
  return {
    agents: {
      maker: priced(maker),
      checker: priced(checker),
      planner: priced(planner),
      tester: priced(tester),
      auditor: priced(auditor),
    },
    notices: said.map(
      ({ key, command, costUsd }) =>
        `a session of ${command.join(" ")} counts as ${money(costUsd)}, as you said. To change it, set ${key}`,
    ),
  };
}

/** Command agents without a price, each once. `countedUsd`: the most that a session of theirs counts as. */
export function unpriced({ maker, checker }: Agents, countedUsd: number): Unpriced[] {
  const sides = Object.entries({ maker, checker }).flatMap(([side, agent]) =>
    isOpen(agent) ? [{ key: `agents.${side}.cost_usd`, command: agent.command, countedUsd }] : [],
  );
  return sides.filter(({ command }, at) => sides.findIndex((each) => isSame(each.command, command)) === at);
}

/** Those that the person was not asked about yet. */
export const unasked = (prices: readonly Unpriced[], root: string): readonly Unpriced[] =>
  prices.filter(({ command }) => !pricesIn(root).some((price) => isSame(price.command, command)));

export function keepPrice(root: string, command: readonly string[], costUsd: number | null): void {
  const others = pricesIn(root).filter((price) => !isSame(price.command, command));
  ensureDir(vaultDirFor(root));
  const prices = [...others, { command, costUsd }].slice(-keptMax);
  writeAtomic(placeOf(root), `${JSON.stringify({ version: 1, prices }, null, 2)}\n`);
}

/** A record that cannot be read has no answer: the person is asked again. */
function pricesIn(root: string): readonly Price[] {
  const text = readIfExists(placeOf(root));
  return text === null ? [] : (agentPricesFile.parseIfPossible(text)?.prices ?? []);
}

type Open = AgentSettings & { readonly command: readonly string[] };
const isOpen = (agent: AgentSettings | null): agent is Open =>
  agent?.kind === "command" && agent.costUsd === null && agent.command !== null;

const isSame = (one: readonly string[], other: readonly string[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
