// What the runtime itself runs to judge work.
import type { BrowserSteps } from "../core/contract.ts";

/**
 * Runs one check in a folder.
 * Contract: never throws for what a check can do; once it returns (also by timeout or abort), no process that the check
 * started is alive. Output is kept in `outputFile`, capped, with head and tail.
 */
export interface CheckRunner {
  run(order: CheckOrder, signal: AbortSignal): Promise<CheckResult>;
}

export type CheckOrder = {
  name: string;
  /** A shell command line: the only shell text there is, and it comes from the contract. */
  command: string;
  cwd: string;
  timeoutMs: number;
  outputFile: string;
  /** The whole environment: nothing is inherited, and only the marks that strays are found by are added. */
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
  /** What stays the same when the same thing fails again: the tail without times, paths, numbers that vary. */
  signature: string;
  /** Processes it left behind, which were ended. */
  leftBehind: number;
};
