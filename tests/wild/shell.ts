// Runs command lines as a developer's shell would, without the variables of the test runner that started us.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import type { Files } from "./wild.ts";

const ofOurRunner =
  /^(?:VITEST|NODE_ENV$|NODE_OPTIONS$|NODE_TEST_CONTEXT$|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$|npm_|GIT_)/;

export function plainEnv(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || ofOurRunner.test(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

export type Ran = { readonly status: number; readonly output: string };

export function shell(line: string, cwd: string, env: Record<string, string> = plainEnv()): Ran {
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 600_000,
    maxBuffer: 64 * 2 ** 20,
  });
  return { status: status ?? 1, output: `${stdout}${stderr}` };
}

export function mustRun(line: string, cwd: string): void {
  const { status, output } = shell(line, cwd);
  if (status !== 0) throw new Error(`"${line}" failed with exit code ${status} in ${cwd}:\n${output.slice(-4000)}`);
}

/** Returns what git printed. */
export function git(cwd: string, args: readonly string[], options: { input?: string; index?: string } = {}): string {
  const env = { ...plainEnv(), ...(options.index === undefined ? {} : { GIT_INDEX_FILE: options.index }) };
  const person = ["-c", "user.name=Pat", "-c", "user.email=pat@example.invalid", "-c", "commit.gpgsign=false"];
  const ran = spawnSync("git", [...person, ...args], { cwd, env, encoding: "utf8", input: options.input ?? "" });
  if (ran.status !== 0) throw new Error(`git ${args.join(" ")} failed: ${ran.stderr}`);
  return ran.stdout;
}

export function writeFiles(dir: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
    fs.writeFileSync(join(dir, path), text);
  }
}
