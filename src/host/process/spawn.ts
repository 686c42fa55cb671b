// Starts a process in its own session, with its output in files, so that either of us can die alone.
import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import { Writable } from "node:stream";
import { statIfExists } from "../disk.ts";
import { withoutInherited } from "./inherited.ts";
import { leashMarker, watchOutput } from "./leash.ts";
import { type ProcessId, readProcess } from "./processes.ts";

export type SpawnOrder = {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  /** By which the process and its descendants are found again. */
  markers: Readonly<Record<string, string>>;
  stdin: string | null;
  /** An existing file, see `createOutput`; output is appended. */
  stdout: string;
  /** The same path as `stdout` puts both into one file. */
  stderr: string;
  /** Bytes to read on file descriptors 3, 4, … */
  feeds?: readonly Buffer[];
};

export type Exit = { code: number | null; signal: string | null };
export type Spawned =
  | { ok: true; id: ProcessId; exited: Promise<Exit> }
  /** `code` is the system's: ENOENT, EACCES, E2BIG, …; `what` says what it refers to. */
  | { ok: false; code: string; what: "program" | "folder"; text: string };

export async function spawnToFiles(order: SpawnOrder): Promise<Spawned> {
  const fds: number[] = [];
  try {
    fds.push(fs.openSync(order.stdin ?? "/dev/null", "r"));
    fds.push(openOutput(order.stdout));
    fds.push(order.stderr === order.stdout ? (fds[1] as number) : openOutput(order.stderr));
    for (const output of new Set([order.stdout, order.stderr])) watchOutput(fs.realpathSync(output));
    return await start(order, fds);
  } finally {
    for (const fd of new Set(fds)) fs.closeSync(fd);
  }
}

/**
 * Creates an empty file for output. Removes an existing entry first: an earlier process may have left a pipe or a link
 * to another place there.
 */
export function createOutput(path: string): void {
  fs.rmSync(path, { recursive: true, force: true });
  fs.closeSync(fs.openSync(path, "wx", 0o600));
}

function openOutput(path: string): number {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW } = fs.constants;
  return fs.openSync(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
}

async function start(order: SpawnOrder, fds: readonly number[]): Promise<Spawned> {
  const env = { ...order.env, ...order.markers, ...leashMarker() };
  let child: ChildProcess;
  try {
    const stdio = withoutInherited([...fds, ...(order.feeds ?? []).map(() => "pipe" as const)]);
    child = spawn(order.file, [...order.args], { cwd: order.cwd, env, detached: true, shell: false, stdio });
  } catch (error) {
    return refused(order, error); // Some errors are thrown (E2BIG, a NUL in an argument), others arrive as an event.
  }
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const { pid } = child;
  if (pid === undefined) return refused(order, await new Promise((resolve) => child.once("error", resolve)));
  child.on("error", () => {}); // A failed signal does not matter: we send ours ourselves.
  feed(child, order.feeds ?? []);
  // The process has not been reaped yet, so it has an entry even if it has already exited.
  return { ok: true, id: { pid, startTicks: readProcess(pid)?.startTicks ?? 0 }, exited };
}

function feed(child: ChildProcess, feeds: readonly Buffer[]): void {
  for (const [at, bytes] of feeds.entries()) {
    const pipe = child.stdio[3 + at];
    if (!(pipe instanceof Writable)) continue;
    pipe.on("error", () => {}); // It exited before it had read everything, and says why itself.
    pipe.end(bytes);
  }
}

function refused(order: SpawnOrder, error: unknown): Spawned {
  const code = (error as NodeJS.ErrnoException).code ?? "UNKNOWN";
  const what = statIfExists(order.cwd)?.isDirectory() ? "program" : "folder";
  return { ok: false, code, what, text: error instanceof Error ? error.message : String(error) };
}
