// Runs a CLI command that costs nothing, with a timeout.
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Door } from "../../host/confine/confine.ts";
import { feed, pipesFor } from "../../host/confine/feeds.ts";
import { openDoor } from "../../host/confine/none.ts";
import { withoutInherited } from "../../host/process/inherited.ts";
import type { HostEnv } from "./cli-env.ts";

/** `code` is also null if the output was sufficient before it exited. */
export type Asked = { code: number | null; output: string } | { code: null; output: null; why: string };

export type Asking = {
  env: Record<string, string>;
  cwd: string;
  timeoutMs: number;
  /** Omitted: it starts with the person's rights. */
  door?: Door | undefined;
  /** Stop waiting once this is true: some keep a connection open after they have answered. */
  enough?: (output: string) => boolean;
};

const outputCharsMax = 64 << 10;

export function ask(file: string, args: readonly string[], asking: Asking): Promise<Asked> {
  const { env, cwd, timeoutMs, door = openDoor, enough = () => false } = asking;
  const { feeds, ...start } = door({ file, args, cwd, env });
  return new Promise((resolve) => {
    // In a separate group: the program may be a wrapper, and ending the wrapper alone leaves the rest running.
    const child = spawn(start.file, start.args, {
      ...{ env: start.env, cwd: start.cwd, detached: true },
      stdio: withoutInherited(["ignore", "pipe", "pipe", ...pipesFor(feeds)]),
    });
    feed(child, feeds);
    let output = "";
    const done = (asked: Asked) => {
      clearTimeout(timer);
      endGroup(child.pid);
      resolve(asked);
    };
    const late = { code: null, output: null, why: `${file} did not answer within ${timeoutMs / 1000} s` };
    const timer = setTimeout(() => done(late), timeoutMs);
    const take = (data: Buffer) => {
      if (output.length < outputCharsMax) output += data.toString("utf8");
      if (enough(output)) done({ code: null, output });
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    child.on("error", (error) => done({ code: null, output: null, why: error.message }));
    child.on("close", (code) => done({ code, output }));
  });
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

/** The absolute path of a program, looked up like a shell does; null if not found. */
export function findProgram(file: string, env: HostEnv): string | null {
  if (file.includes("/") || isAbsolute(file)) return canRun(file) ? resolve(file) : null;
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, file)).find(canRun) ?? null;
}

export function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
