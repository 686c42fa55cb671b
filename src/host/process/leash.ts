// Keeps one leash process beside the runtime: when the runtime dies, in any way, its agents and checks die too.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { baseEnv } from "./environment.ts";

export type Leash = { readonly pid: number | null; close(): void };

const program = fileURLToPath(new URL("./leash-main.mjs", import.meta.url));
// Of this runtime, not of the run: whoever continues the run while an old leash still works must not be ended by it.
const token = randomBytes(12).toString("hex");

/** The marker that everything this runtime starts carries. */
export const leashMarker = (): { LOOP_LEASH: string } => ({ LOOP_LEASH: token });

const restartsMax = 100;

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
    // It must not keep the runtime alive.
    begun.unref();
    (begun.stdin as unknown as { unref(): void } | null)?.unref();
  }

  start();
  return {
    get pid() {
      return child?.pid ?? null;
    },
    close() {
      closed = true;
      child?.stdin?.end("bye\n");
    },
  };
}

let shared: Leash | null = null;

/** The one leash of this runtime, started with the first process it is for. It ends when we do. */
export function ensureLeash(run?: string): Leash {
  shared ??= startLeash(run === undefined ? {} : { run });
  return shared;
}
