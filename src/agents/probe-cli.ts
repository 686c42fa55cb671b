// Asks a CLI something that costs nothing, and does not wait for ever for the answer.
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { HostEnv } from "./cli-env.ts";

export type Asked = { code: number | null; output: string } | { code: null; output: null; why: string };

const outputCharsMax = 64 << 10;

export function ask(
  file: string,
  args: readonly string[],
  options: { env: Record<string, string>; cwd: string; timeoutMs: number },
): Promise<Asked> {
  return new Promise((done) => {
    const child = spawn(file, args, { env: options.env, cwd: options.cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const take = (data: Buffer) => {
      if (output.length < outputCharsMax) output += data.toString("utf8");
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      done({ code: null, output: null, why: `${file} did not answer within ${options.timeoutMs / 1000} s` });
    }, options.timeoutMs);
    child.on("error", (error) => {
      clearTimeout(timer);
      done({ code: null, output: null, why: error.message });
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      done({ code, output });
    });
  });
}

/** The whole path of a program, looked up as a shell would; null when there is none. */
export function findProgram(file: string, env: HostEnv): string | null {
  if (file.includes("/") || isAbsolute(file)) return canRun(file) ? resolve(file) : null;
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, file)).find(canRun) ?? null;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
