// What the runtime itself runs to judge work.
import type { BrowserSteps } from "../core/contract.ts";
import type { Door } from "../host/confine/confine.ts";

/**
 * Runs one check in a folder. Contract: never throws for anything a check does; once it returns (also by timeout or
 * abort), no process that the check started is alive. Output is kept in `outputFile`, capped, with head and tail.
 */
export interface CheckRunner {
  run(order: CheckOrder, signal: AbortSignal): Promise<CheckResult>;
}

export type CheckOrder = {
  name: string;
  /** A shell command line: the only shell text anywhere, and it comes from the contract. */
  command: string;
  cwd: string;
  timeoutMs: number;
  outputFile: string;
  /** The whole environment: nothing is inherited, and only the markers for finding strays are added. */
  env: Readonly<Record<string, string>>;
  /** The walls that its shell starts in. */
  door: Door;
  /** Steps to play in a browser instead of the command. */
  browser?: BrowserSteps;
  /** The name of a registered check to run instead of the command. */
  library?: string;
};

/**
 * A check that a program registers with `openProject(dir, { checks })`. It is run in that program, on a clean checkout.
 *
 * Contract: the answer depends only on the files in `dir`; answers are remembered while a run lasts. An exception is a
 * failed check. Once `signal` aborts, the answer no longer counts, and nothing that the check has started may go on.
 */
export interface Check {
  /** Judges the files in `request.dir`. */
  run(request: CheckRequest, signal: AbortSignal): Promise<CheckAnswer> | CheckAnswer;
}

/** `dir` holds the files to judge. `env` is the environment that a command would get. */
export type CheckRequest = {
  readonly name: string;
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
};

/** `output` is shown to people and to the agent that has to fix it. */
export type CheckAnswer = { readonly passed: boolean; readonly output: string };

export type CheckResult = {
  name: string;
  how: "passed" | "failed" | "timed-out" | "not-found" | "interrupted";
  exitCode: number | null;
  ms: number;
  /** The last part of the output, without control characters, for people and prompts. */
  tail: string;
  /** Stays the same when the same failure repeats: the tail without times, paths and varying numbers. */
  signature: string;
  /** Processes it left behind and that were ended. */
  leftBehind: number;
};
