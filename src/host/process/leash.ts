// Keeps one leash process beside the runtime: when the runtime dies, in any way, its agents and checks die too.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { baseEnv } from "./environment.ts";

export type Leash = { readonly pid: number | null; watch(output: string): void; close(): void };

const program = fileURLToPath(new URL("./leash-main.mjs", import.meta.url));
// Of this runtime, not of the run: whoever continues the run while an old leash still works must not be ended by it.
const token = randomBytes(12).toString("hex");

/** The marker that everything this runtime starts carries. */
export const leashMarker = (): { LOOP_LEASH: string } => ({ LOOP_LEASH: token });

const restartsMax = 100;
const watchedMax = 1000;
/** Files that only what we start writes to. One that has thrown its environment away, and its parents, is known by them. */
const watched = new Set<string>();
const lineFor = (output: string): string => `watch ${JSON.stringify(output)}\n`;

/** Returns at once; the leash is up some tens of milliseconds later. One that dies is replaced. */
export function startLeash(options: { run?: string; marker?: string } = {}): Leash {
  const marker = options.marker ?? `LOOP_LEASH=${token}`;
  let child: ChildProcess | null = null;
  let closed = false;
  let starts = 0;

  function start(): void {
    starts += 1;
    const begun = spawn(process.execPath, [program, marker, options.run ?? ""], {
      cwd: "/", // Not in anyone's way when a folder is to be removed.
      env: baseEnv(),
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    child = begun;
    begun.on("error", () => {});
    begun.stdin?.on("error", () => {});
    begun.once("exit", () => {
      if (closed || starts > restartsMax) return;
      setTimeout(() => closed || start(), Math.min(starts * 20, 1000)).unref();
    });
    for (const output of watched) begun.stdin?.write(lineFor(output));
    // It must not keep the runtime alive.
    begun.unref();
    (begun.stdin as unknown as { unref(): void } | null)?.unref();
  }

  start();
  return {
    get pid() {
      return child?.pid ?? null;
    },
    watch(output) {
      child?.stdin?.write(lineFor(output));
    },
    close() {
      closed = true;
      child?.stdin?.end("bye\n");
    },
  };
}

let shared: Leash | null = null;

/** Has whoever still writes there ended with the rest. The oldest are forgotten: their sessions were ended long ago. */
export function watchOutput(output: string): void {
  if (watched.has(output)) return;
  watched.add(output);
  for (const oldest of watched) if (watched.size > watchedMax) watched.delete(oldest);
  shared?.watch(output);
}

/** The one leash of this runtime, started with the first process it is for. It ends when we do. */
export function ensureLeash(run?: string): Leash {
  shared ??= startLeash(run === undefined ? {} : { run });
  return shared;
}
