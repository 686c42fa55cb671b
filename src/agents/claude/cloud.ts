// Claude on a cloud's own models: it has no login, and variables say which account pays.
import type { HostEnv } from "../cli/cli-env.ts";

const clouds: Readonly<Record<string, RegExp>> = {
  CLAUDE_CODE_USE_BEDROCK: /^(?:AWS_|ANTHROPIC_BEDROCK_)/,
  CLAUDE_CODE_USE_VERTEX: /^(?:ANTHROPIC_VERTEX_|CLOUD_ML_|GOOGLE_)/,
  CLAUDE_CODE_USE_FOUNDRY: /^(?:ANTHROPIC_FOUNDRY_|AZURE_)/,
};

/** The variable that switches to a cloud; null: none is set. */
export const cloudIn = (env: HostEnv): string | null =>
  Object.keys(clouds).find((name) => !["", "0", "false"].includes(env[name] ?? "")) ?? null;

/** The person's shell has a cloud that the agent is not given; null: nothing is missing. */
export function cloudNotPassed(shell: HostEnv, given: HostEnv): { note: string; next: string } | null {
  const cloud = cloudIn(shell);
  if (cloud === null || cloudIn(given) !== null) return null;
  const names = [cloud, ...Object.keys(shell).filter((name) => clouds[cloud]?.test(name) === true)];
  return {
    note: `Your shell has ${cloud}, and agents get only the variables that are named.`,
    next: `Name them in loop.yaml: env: [${names.join(", ")}]`,
  };
}
