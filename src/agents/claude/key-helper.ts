// A program of the person's that prints claude's key: apiKeyHelper in their settings. Inside walls it runs there, too.
import { join } from "node:path";
import { readIfExists } from "../../host/disk.ts";
import type { HostEnv } from "../cli/cli-env.ts";
import { objectIn, string } from "../cli/json.ts";
import { type Asking, ask } from "../cli/probe-cli.ts";
import { claudeState } from "./state.ts";

type NotSeen = { readonly note: string; readonly next: string };

/** Why claude could not start its helper inside walls, and what to do; null: it can, or has none. */
export async function helperNotSeen(env: HostEnv, asking: Asking): Promise<NotSeen | null> {
  if (asking.door === undefined) return null;
  const settings = readIfExists(join(claudeState.persons(env), "settings.json")) ?? "";
  const [program = ""] = string(objectIn(settings)?.["apiKeyHelper"]).trim().split(/\s+/);
  // Anything else is a command line that only a shell understands.
  if (!/^[\w./~-]+$/.test(program)) return null;
  const { code } = await ask("/bin/sh", ["-c", `command -v ${program}`], asking);
  if (code !== 1 && code !== 127) return null;
  return {
    note: `Its apiKeyHelper, ${program}, is not visible inside walls.`,
    next: "Let the agent read it (in loop.yaml, for the agent: home: [its path below your home]), or set ANTHROPIC_API_KEY.",
  };
}
