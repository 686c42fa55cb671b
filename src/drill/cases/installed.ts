// Which test stacks can be played on this machine.
import { spawnSync } from "node:child_process";
import type { Stack } from "./case.ts";

/** The others need only Node and packages. */
const programs: Partial<Record<Stack, readonly string[]>> = {
  pytest: ["python3", "-m", "pytest", "--version"],
  unittest: ["python3", "--version"],
  rust: ["cargo", "--version"],
  go: ["go", "version"],
};

export function missingStacks(): ReadonlySet<Stack> {
  return new Set((Object.keys(programs) as Stack[]).filter(isMissing));
}

function isMissing(stack: Stack): boolean {
  const [file, ...args] = programs[stack] ?? [];
  return file !== undefined && spawnSync(file, args).status !== 0;
}
