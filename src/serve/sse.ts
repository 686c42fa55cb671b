// Server-sent events: what every stream of the server begins with, sends, and does about readers that leave or are slow.
import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** Proxies cut connections that say nothing. */
const beatMs = 15_000;
/** A reader that does not read for so long is cut off; it can come back. */
const patienceMs = 30_000;

/** Some proxies keep what they get until it is large. */
export const streamHead = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "X-Accel-Buffering": "no",
} as const;

/** JSON has no line breaks, so that no text of an agent can begin another message. */
export const message = (name: string, data: object, id?: number): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** How soon a browser comes back. */
export const retry = "retry: 1000\n\n";

/** To be cleared when the stream ends. */
export const beating = (response: ServerResponse): NodeJS.Timeout =>
  setInterval(() => void response.write(":\n\n"), beatMs);

/** Resolves when a slow reader has read, or has left. */
export async function drained(response: ServerResponse): Promise<void> {
  const timer = setTimeout(() => response.destroy(), patienceMs);
  const over = new AbortController();
  // Of the two that are waited for, the one that did not come must not go on listening.
  await Promise.race(["drain", "close"].map((name) => once(response, name, over))).catch(() => undefined);
  over.abort();
  clearTimeout(timer);
}

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
