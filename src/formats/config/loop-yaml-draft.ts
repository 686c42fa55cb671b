// A first loop.yaml: short, commented, and valid by our own schema.
import type { CheckSettings } from "./settings.ts";

export type LoopYamlDraft = {
  /** Null: the one found on PATH. */
  readonly agent: string | null;
  /** The agents on this machine, for the comment. */
  readonly agentsHere: readonly string[];
  readonly checks: readonly Pick<CheckSettings, "name" | "run">[];
  /** The schema's path relative to the workspace, if it exists. */
  readonly schema: string | null;
};

export function draftLoopYaml({ agent, agentsHere, checks, schema }: LoopYamlDraft): string {
  const [first = "claude", second = "codex"] = agentsHere;
  const agents = agent === null ? `# agents: { maker: ${first}, checker: ${second} }` : `agents: { maker: ${agent} }`;
  const lines = checks.map(({ name, run }) => `  - { name: ${name}, run: ${quoted(run)}, must: stay-green }`);
  return [
    ...(schema === null ? [] : [`# yaml-language-server: $schema=${schema}`]),
    "# How loop works in this project. Every key is optional; what holds is shown by: loop run --dry-run",
    "version: 1",
    "",
    "# Who makes, and who checks: claude, codex, acp, or { kind: command, command: [sh, my-agent.sh] }.",
    "# Left out: whichever is on PATH. The goal, the scope and the autonomy are in the contract, LOOP.md.",
    agents,
    "",
    "# What the loop itself runs to judge work; exit code 0 is green.",
    "# stay-green: green before and after. turn-green: red now, green in the end.",
    ...(lines.length === 0 ? ['# checks: [{ name: test, run: "npm test", must: stay-green }]'] : ["checks:", ...lines]),
    "",
    "# Reached, the run rests, and goes on with: loop continue --budget 40",
    "limits: { cost_usd: 25, iterations: 10, minutes: 60 }",
    "",
  ].join("\n");
}

/** JSON's quotes are YAML's; characters that YAML would still break or refuse are escaped. */
const quoted = (command: string): string =>
  JSON.stringify(command).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
