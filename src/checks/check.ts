// What the runtime itself runs to judge work.
import type { BrowserSteps } from "../core/contract.ts";

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
  /** Program and arguments that start the shell: `unshare --mount …`. */
  prefix?: readonly string[];
  /** Steps to play in a browser instead of the command. */
  browser?: BrowserSteps;
};

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
