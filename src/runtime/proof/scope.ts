// What a feature may touch: the contract's paths and its own, new tests, and nothing that steers later sessions.
import type { Contract, Feature } from "../../core/contract.ts";
import type { Cause } from "../../core/run.ts";
import type { Change } from "../../workspace/workspace.ts";
import { isManifest } from "./dependencies.ts";
import { matcher } from "./globs.ts";
import type { SealReport, SealRule } from "./seal.ts";

/** Files by which an agent could give orders to the sessions after it, to the loop, or to a person's tools. */
const steering = [
  ".{claude,codex,gemini,opencode,cursor,windsurf,aider,continue,roo,clinerules,loop}{,/**}",
  "**/{CLAUDE,CLAUDE.local,AGENTS,AGENT,GEMINI,CONVENTIONS}.md",
  "**/.{cursorrules,windsurfrules,clinerules,goosehints}",
  ".aider.conf.yml",
  "**/.mcp.json",
  ".github/{copilot-instructions.md,instructions/**,prompts/**,chatmodes/**}",
  ".vscode/{tasks,settings,launch,mcp}.json",
  ".{husky,githooks,git-hooks}/**",
  "{lefthook,.pre-commit-config}.{yml,yaml}",
  ".envrc",
  ".devcontainer/**",
  "loop.yaml",
];

export type Touched = {
  readonly contract: Contract;
  readonly feature: Feature;
  readonly changes: readonly Change[];
  readonly rule: SealRule;
  readonly seal: Pick<SealReport, "welcome">;
};

export function scopeCauses({ contract, feature, changes, rule, seal }: Touched): Cause[] {
  const { mayTouch, names } = allowed(contract, feature);
  const steers = matcher(steering);
  const welcome = new Set(seal.welcome);
  const planted = changes
    .filter(({ path }) => steers(path) && !names(path) && !rule.isReleased(path))
    .map(({ path }) => path);
  const outside = changes
    .filter(({ path, kind }) => {
      if (steers(path) || mayTouch(path) || rule.isReleased(path) || welcome.has(path)) return false;
      // A lockfile goes where its manifest goes, and a new test is welcome wherever tests are.
      if (rule.isLockfile(path)) return !changes.some((other) => isManifest(other.path) && mayTouch(other.path));
      return !(kind === "added" && rule.isTest(path));
    })
    .map(({ path }) => path);
  return [
    ...cause(
      planted,
      `Files that steer agents or tools were changed, and nobody asked for that: ${listed(planted)}\nTo allow it, name them under scope.may_touch in loop.yaml.`,
    ),
    ...cause(outside, `Changed outside the scope of ${feature.id}: ${listed(outside)}`),
  ];
}

/** `names` is stricter than `mayTouch`: a pattern for everything names nothing in particular. */
export function allowed(
  contract: Contract,
  feature: Feature,
): { mayTouch(path: string): boolean; names(path: string): boolean } {
  const globs = [...contract.scope.mayTouch, ...feature.mayTouch];
  const particular = globs.filter((glob) => !/^[*./]*$/.test(glob));
  return {
    mayTouch: globs.length === 0 ? () => true : matcher(globs),
    names: matcher(particular),
  };
}

const cause = (paths: readonly string[], text: string): Cause[] =>
  paths.length === 0 ? [] : [{ kind: "scope", key: `scope:${paths.slice().sort().join(",").slice(0, 200)}`, text }];

const listed = (paths: readonly string[]): string =>
  `${paths.slice(0, 20).join(", ")}${paths.length > 20 ? ", …" : ""}`;
