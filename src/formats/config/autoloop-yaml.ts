// autoloop.yaml, the configuration of autoloop, in the terms of loop.yaml. Strict, as loop.yaml is.
import { z } from "zod";
import { UserError } from "../../core/errors.ts";
import { limitTable } from "../../core/limits.ts";
import { nearest } from "../text/nearest.ts";
import type { LoopYaml } from "./loop-schema.ts";
import { parseYamlText } from "./yaml-text.ts";

/** The names that autoloop reads, the older ones last. */
export const autoloopNames = ["autoloop.yaml", "autoloop.config", "superloop.yaml", "superloop.config"] as const;

const word = z.string().max(200).nullish();
const stages = ["plan", "implement", "test", "audit"] as const;

const schema = z
  .strictObject({
    provider: z
      .strictObject({
        name: z.enum(["codex", "claude"]).default("codex"),
        /** Flat keys of older files, for codex. */
        model: word,
        model_effort: word,
        codex: z.strictObject({ model: word, model_effort: word }).nullish(),
        claude: z
          .strictObject({ model: word, effort: word, permission_strategy: z.enum(["inherit"]).nullish() })
          .nullish(),
      })
      .prefault({}),
    runtime: z
      .strictObject({
        pairs: z
          .string()
          .transform((list) => list.split(",").map((each) => each.trim()))
          .pipe(z.array(z.enum(stages)).min(1))
          .nullish(),
        max_iterations: z.int().min(1).max(1000).nullish(),
        phase_mode: z.string().nullish(),
        intent_mode: z.enum(["preserve", "append", "replace"]).nullish(),
        full_auto_answers: z.boolean().nullish(),
        no_git: z.boolean().nullish(),
        auto_followup: z.boolean().nullish(),
        auto_followup_max_depth: z.int().min(0).nullish(),
      })
      .prefault({}),
  })
  .prefault({});

type Written = z.infer<typeof schema>;

export type Autoloop = {
  readonly yaml: LoopYaml;
  /** What holds in another way than the file says. */
  readonly notes: readonly string[];
};

/** Throws `bad-config` with all problems. */
export function readAutoloop(text: string, source: string): Autoloop {
  const yaml = parseYamlText(text);
  if (!yaml.ok)
    throw bad(
      source,
      yaml.problems.map(({ line, says }) => (line === null ? says : `line ${line}: ${says}`)),
    );
  const parsed = schema.safeParse(yaml.value ?? {});
  if (!parsed.success) throw bad(source, parsed.error.issues.flatMap(problem));
  const { runtime } = parsed.data;
  if (runtime.no_git === true) throw bad(source, ["runtime.no_git is a flag here: loop run --no-git"]);
  if (runtime.pairs != null && !runtime.pairs.includes("implement"))
    throw bad(source, ["runtime.pairs leaves out implement, and a run without it would change nothing"]);
  return { yaml: toLoopYaml(parsed.data), notes: notesOn(parsed.data) };
}

function toLoopYaml({ provider, runtime }: Written): LoopYaml {
  const { name, claude } = provider;
  const own =
    name === "claude"
      ? { model: claude?.model, effort: claude?.effort, permissions: claude?.permission_strategy }
      : {
          model: provider.codex?.model ?? provider.model,
          effort: provider.codex?.model_effort ?? provider.model_effort,
        };
  const depth = runtime.auto_followup === false ? 0 : runtime.auto_followup_max_depth;
  return {
    agents: { maker: { kind: name, ...given(own) } },
    // Its default is all of them.
    stages: stages.filter((stage) => runtime.pairs?.includes(stage) ?? true),
    // Of every pair: those of plan and audit have rounds; implement and test have one attempt and reworks.
    ...(runtime.max_iterations == null
      ? {}
      : { limits: { rounds: runtime.max_iterations, rework: Math.min(runtime.max_iterations - 1, reworkMost) } }),
    ...given({
      full_auto_answers: runtime.full_auto_answers,
      follow_up_depth: depth == null ? null : Math.min(3, depth),
    }),
  };
}

/** Its own default of 15 iterations asks for more. A person who means that can say it in loop.yaml. */
const reworkMost = limitTable.reworkMax.ceiling;

const notesOn = ({ runtime: { max_iterations: most } }: Written): string[] =>
  most == null || most - 1 <= reworkMost
    ? []
    : [
        `runtime.max_iterations is ${most}: it holds for the rounds of plan and audit, and a feature has at most ${reworkMost + 1} attempts`,
      ];

/** Null means: as the agent is set up. */
const given = <T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as never;

const known = [
  ...["provider", "runtime", "name", "codex", "claude", "model", "model_effort", "effort", "permission_strategy"],
  ...["pairs", "max_iterations", "phase_mode", "intent_mode", "full_auto_answers", "no_git"],
  ...["auto_followup", "auto_followup_max_depth"],
];

function problem(issue: z.core.$ZodIssue): string[] {
  const at = issue.path.join(".");
  if (issue.code !== "unrecognized_keys") return [`${at || "the file"}: ${issue.message}`];
  return issue.keys.map((key) => {
    const meant = nearest(key, known);
    return `${at === "" ? "" : `${at}.`}${key} is not a key${meant === null ? "" : `; did you mean ${meant}`}.`;
  });
}

const bad = (source: string, problems: readonly string[]): UserError =>
  new UserError("bad-config", {
    what: `${source} has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}.`,
    why: problems.slice(0, 20).join("\n"),
    next: `Correct ${source}, or write a loop.yaml, which is then read instead: loop init`,
  });
