// Keeps one leash process next to the runtime: when the runtime dies for any reason, its agents and checks die too.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { baseEnv } from "./environment.ts";

export type Leash = { readonly pid: number | null; watch(output: string): void; close(): void };

const program = fileURLToPath(new URL("./leash-main.mjs", import.meta.url));
// Per runtime, not per run: an old leash must not end the process that resumes the run.
const token = randomBytes(12).toString("hex");

/** The marker of everything that this runtime starts. */
export const leashMarker = (): { LOOP_LEASH: string } => ({ LOOP_LEASH: token });

const restartsMax = 100;
const watchedMax = 1000;
/** Files that only our processes write to. They identify one that lost its environment and its parents. */
const watched = new Set<string>();
const lineFor = (output: string): string => `watch ${JSON.stringify(output)}\n`;

/** Returns immediately; the leash is up some tens of milliseconds later. A leash that dies is replaced. */
export function startLeash(options: { run?: string; marker?: string } = {}): Leash {
  const marker = options.marker ?? `LOOP_LEASH=${token}`;
  let child: ChildProcess | null = null;
  let closed = false;
  let starts = 0;

  function start(): void {
    starts += 1;
    const begun = spawn(process.execPath, [program, marker, options.run ?? ""], {
      cwd: "/", // Does not block the removal of any folder.
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

/** Processes that still write there are ended too. The oldest entries are dropped: their sessions are over. */
export function watchOutput(output: string): void {
  if (watched.has(output)) return;
  watched.add(output);
  for (const oldest of watched) if (watched.size > watchedMax) watched.delete(oldest);
  shared?.watch(output);
}

/** The one leash of this runtime, started before its first process. It ends with the runtime. */
export function ensureLeash(run?: string): Leash {
  shared ??= startLeash(run === undefined ? {} : { run });
  return shared;
}
