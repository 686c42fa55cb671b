// Stops the agent before it pushes, publishes, rewrites history or deletes outside its workspace.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Launch } from "../agent.ts";
import { whyRefused } from "./destructive.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const programs = ["guard.mjs", "refusals.mjs", "commands.mjs", "shell-text.mjs"];

/** A separate program, since the agent starts it; in the session's folder, which walls show to the agent. */
export const guardFiles = (folder: string): NonNullable<Launch["files"]> =>
  programs.map((name) => ({ path: join(folder, name), content: readFileSync(join(here, name), "utf8") }));

/** The hook that makes an agent call the guard before each shell command; claude and codex use the same format. */
export function guardHook(folder: string, workspace: string) {
  const words = [process.execPath, join(folder, "guard.mjs"), workspace, JSON.stringify(whyRefused)];
  return { matcher: "Bash", hooks: [{ type: "command", command: words.map(quoted).join(" "), timeout: 10 }] } as const;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
