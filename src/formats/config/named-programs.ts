// What a loop.yaml makes this machine do: programs, arguments, permissions, variables, files outside. A repository brings
// its own loop.yaml, so that a person has to agree to these before they count.
import type { AgentYaml, CheckYaml, LoopYaml } from "./loop-schema.ts";

/** `key` as people write it in loop.yaml. */
export type Named = { readonly key: string; readonly value: string };

export function namedPrograms({
  agents,
  checks,
  setup,
  build,
  room,
  env,
  sandbox,
  network,
  notify,
}: LoopYaml): Named[] {
  return [
    ...Object.entries(agents ?? {}).flatMap(([role, agent]) => ofAgent(`agents.${role}`, agent)),
    ...(checks ?? []).flatMap(ofCheck),
    ...(typeof setup === "object" ? named("setup", setup, ["run", "env", "home"]) : one("setup", setup)),
    ...one("build", build === "" ? undefined : build),
    ...named("room", room ?? {}, ["env", "home", "outside"]),
    ...one("env", env),
    ...weaker("", { sandbox, network }),
    ...one("notify", notify),
  ];
}

function ofAgent(key: string, agent: AgentYaml | undefined): Named[] {
  if (agent === undefined || typeof agent === "string") return [];
  // Everything but what only says which agent it is: a key that is added later counts until it is named here.
  const { permissions, sandbox, network, kind, name, model, effort, prompt, cost_usd, ...rest } = agent;
  return [
    ...named(key, rest, Object.keys(rest) as (keyof typeof rest)[]),
    ...one(`${key}.permissions`, permissions === "core" ? undefined : permissions),
    ...weaker(`${key}.`, { sandbox, network }),
  ];
}

/** Walls that are left out or opened. Stronger ones need no agreement. */
const weaker = (key: string, { sandbox, network }: Pick<LoopYaml, "sandbox" | "network">): Named[] => [
  ...one(`${key}sandbox`, sandbox === "off" ? sandbox : undefined),
  ...one(`${key}network`, network === "model" ? undefined : network),
];

function ofCheck(check: CheckYaml): Named[] {
  if (typeof check === "string") return one(`checks.${check}`, `the git hook ${check}`);
  const key = `checks.${check.name}`;
  return [
    ...named(key, check, ["run", "before", "after"]),
    ...one(`${key}.browser.server`, check.browser?.server?.run),
    ...one(`${key}.browser.url`, check.browser?.url),
    ...one(`${key}.network`, check.network === "open" ? check.network : undefined),
  ];
}

function named<T extends object>(key: string, from: T, names: readonly (keyof T & string)[]): Named[] {
  return names.flatMap((name) => one(`${key}.${name}`, from[name]));
}

/** A list is shown as JSON, so that two arguments never look like one. */
function one(key: string, value: unknown): Named[] {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
  return [{ key, value: typeof value === "string" ? value : JSON.stringify(value) }];
}
