// The bytes that a wrapping program reads from its extra file descriptors.
import type { ChildProcess } from "node:child_process";

export const pipesFor = (feeds: readonly Buffer[]): "pipe"[] => feeds.map(() => "pipe");

/** A program that exits before it has read everything is no error of ours. */
export function feed(child: ChildProcess, feeds: readonly Buffer[]): void {
  for (const [at, bytes] of feeds.entries()) {
    const pipe = child.stdio[3 + at];
    pipe?.on("error", () => {});
    if (pipe !== null && pipe !== undefined && "end" in pipe) pipe.end(bytes);
  }
}
