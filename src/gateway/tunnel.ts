// Tunnels to registries: the host's name is looked up out here, and every host that was asked for is on record.
import { appendFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { isRegistry, targetOf } from "./registries.ts";

type TunnelOptions = {
  /** Host or host:port. */
  readonly hosts: readonly string[];
  /** A line for each host, when it is asked for first. */
  readonly record: string;
};

const hostsMax = 200;
const hostCharsMax = 300;
const connectMs = 30_000;

export class Tunnels {
  readonly #options: TunnelOptions;
  readonly #asked = new Map<string, "passed" | "refused">();
  readonly #open = new Set<Duplex>();

  constructor(options: TunnelOptions) {
    this.#options = options;
  }

  /** Hosts that were refused, each once. */
  refused(): string[] {
    return [...this.#asked].filter(([, how]) => how === "refused").map(([host]) => host);
  }

  connect({ url = "" }: IncomingMessage, inside: Duplex, head: Buffer): void {
    this.#hold(inside);
    const target = targetOf(url);
    const isPassed = target !== null && isRegistry(target, this.#options.hosts);
    this.#note(url.replaceAll(/[^\x21-\x7e]/g, "?").slice(0, hostCharsMax), isPassed ? "passed" : "refused");
    if (!isPassed) {
      end(inside, "403 Forbidden");
      return;
    }
    const outside = connect({ ...target, timeout: connectMs });
    this.#hold(outside);
    const isUnanswered = (): boolean => outside.connecting;
    outside.once("timeout", () => isUnanswered() && outside.destroy(new Error("no answer")));
    outside.once("connect", () => {
      outside.setTimeout(0);
      inside.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) outside.write(head);
      outside.pipe(inside);
      inside.pipe(outside);
      outside.off("error", unreachable);
    });
    const unreachable = (): void => end(inside, "502 Bad Gateway");
    outside.once("error", unreachable);
    outside.on("close", () => inside.end());
    inside.on("close", () => outside.destroy());
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #hold(socket: Duplex): void {
    this.#open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#open.delete(socket));
  }

  #note(host: string, how: "passed" | "refused"): void {
    if (this.#asked.has(host) || this.#asked.size >= hostsMax) return;
    this.#asked.set(host, how);
    try {
      appendFileSync(this.#options.record, `${JSON.stringify({ host, how })}\n`);
    } catch {
      // A full disk must not end the session's way to its model.
    }
  }
}

const end = (socket: Duplex, status: string): void => {
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
};
