// When a reader of a stream is gone.
import type { ServerResponse } from "node:http";

/** Resolves when the reader leaves or `signal` aborts, and leaves no listener behind. */
export function untilLeft(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const left = (): void => {
      signal.removeEventListener("abort", left);
      response.off("close", left);
      resolve();
    };
    signal.addEventListener("abort", left);
    response.on("close", left);
  });
}
