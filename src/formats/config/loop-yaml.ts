// loop.yaml: parsed strictly, with all problems in one error, and merged in layers: user, workspace, flags.
import { UserError } from "../../core/errors.ts";
import { problemsOf } from "./loop-problems.ts";
import { type LoopYaml, loopSchema } from "./loop-schema.ts";
import { type Problem, parseYamlText } from "./yaml-text.ts";

export type { LoopYaml } from "./loop-schema.ts";

// A broken file can have thousands of problems; more than these are no help.
const problemsShown = 20;

/** Parses a loop.yaml; `source` is its name for the person. Throws `bad-config` with all problems. */
export function parseLoopYaml(text: string, source: string): LoopYaml {
  const yaml = parseYamlText(text);
  if (!yaml.ok) throw badConfig(source, yaml.problems, yaml.problems.length);
  // A file that is empty or has only comments has no keys.
  const value = yaml.value ?? {};
  const parsed = loopSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { explained, count } = problemsOf(parsed.error.issues, value, yaml.lineOf);
  throw badConfig(source, explained, count);
}

function badConfig(source: string, problems: readonly Problem[], total: number): UserError {
  const sorted = [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const told = sorted.slice(0, problemsShown).map(({ line, says }) => (line === null ? says : `line ${line}: ${says}`));
  if (total > told.length) told.push(`and ${total - told.length} more`);
  const count = total === 1 ? "a problem" : `${total} problems`;
  return new UserError("bad-config", {
    what: `${source} has ${count}.`,
    why: told.join("\n"),
    next: `Correct ${source}, then run the same command again.`,
  });
}

/**
 * Merges the three layers; the one closest to the person at the keyboard wins. Groups of keys are merged key by key;
 * lists and single agents are replaced as a whole, because half of two lists is never intended.
 */
export function mergeLoopYaml(user: LoopYaml, workspace: LoopYaml, flags: LoopYaml): LoopYaml {
  const files = lay(user, workspace);
  return lay(files, { ...flags, ...(flags.agents === undefined ? {} : { agents: asConfigured(flags.agents, files) }) });
}

type Agents = NonNullable<LoopYaml["agents"]>;

/** On the command line an agent is a word: it means the one that a file sets up, if there is one of that kind. */
function asConfigured(named: Agents, { agents = {} }: LoopYaml): Agents {
  const setUp = (role: keyof Agents) => [agents[role], ...Object.values(agents)].filter((agent) => agent !== undefined);
  const found = (role: keyof Agents, agent: Agents[keyof Agents]): Agents[keyof Agents] =>
    setUp(role).find((each) => typeof each === "object" && each.kind === agent) ?? agent;
  return Object.fromEntries((Object.keys(named) as (keyof Agents)[]).map((role) => [role, found(role, named[role])]));
}

function lay(below: LoopYaml, above: LoopYaml): LoopYaml {
  const merged: LoopYaml = over(below, above);
  if (below.agents || above.agents) merged.agents = over(below.agents, above.agents);
  if (below.limits || above.limits) merged.limits = over(below.limits, above.limits);
  if (below.context || above.context) merged.context = over(below.context, above.context);
  if (below.room || above.room) merged.room = over(below.room, above.room);
  if (below.notify || above.notify) merged.notify = over(below.notify, above.notify);
  if (below.proof || above.proof) merged.proof = over(below.proof, above.proof);
  if (below.scope || above.scope) {
    merged.scope = over(below.scope, above.scope);
    if (below.scope?.features || above.scope?.features) {
      merged.scope.features = over(below.scope?.features, above.scope?.features);
    }
  }
  return merged;
}

/** The keys of both objects; an undefined key has no effect. Only called with values that zod has built. */
function over<T extends object>(below: T | undefined, above: T | undefined): T {
  const said = Object.entries(above ?? {}).filter(([, value]) => value !== undefined);
  return { ...below, ...Object.fromEntries(said) } as T;
}
