// The client of the memory engine: the port, over a socket.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ErrorCode } from "../../../src/core/error-codes.ts";
import { UserError } from "../../../src/core/errors.ts";
import { Channel } from "../../../src/engines/channel.ts";
import type {
  Beginning,
  Begun,
  Engine,
  Item,
  Message,
  Reading,
  Receipt,
  Subscription,
  Terms,
} from "../../../src/engines/engine.ts";
import { nothingUndone, type Undone } from "../../../src/report/taken-back.ts";

type Words = { code: ErrorCode; what: string; why: string; next: string };
type Letter = { id: number; answer?: unknown; item?: Item; end?: true; error?: Words | { text: string } };
type Waiting = { resolve(answer: unknown): void; reject(error: unknown): void };

export class SocketEngine implements Engine {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #items = new Map<number, Channel<Item>>();
  #last = 0;

  constructor(path: string) {
    this.#socket = connect(path).on("error", () => this.hangUp());
    const lines = createInterface({ input: this.#socket }).on("error", () => this.hangUp());
    lines.on("line", (line) => this.#take(JSON.parse(line) as Letter));
  }

  begin(beginning: Beginning, terms: Terms): Promise<Begun> {
    return this.#ask("begin", beginning, terms);
  }

  send(run: string, message: Message): Promise<Receipt> {
    return this.#ask("send", run, message);
  }

  subscribe(run: string, from?: number): Subscription {
    const id = ++this.#last;
    const channel = new Channel<Item>(() => this.#write({ id, verb: "leave", args: [] }));
    this.#items.set(id, channel);
    this.#write({ id, verb: "subscribe", args: from === undefined ? [run] : [run, from] });
    return channel;
  }

  async read(run: string): Promise<Reading> {
    const read = await this.#ask<Pick<Reading, "story" | "seq" | "isDriven">>("read", run);
    return {
      ...read,
      file: (name) => this.#ask("file", run, name),
      sessions: () => this.#ask("sessions", run),
      output: (session, from) => this.#ask("output", run, session, from),
    };
  }

  runs(): Promise<readonly string[]> {
    return this.#ask("runs");
  }

  /** What it attends stays with the process that drives it. */
  /** It offers no undo. */
  async undone(): Promise<Undone> {
    return nothingUndone;
  }

  async leave(): Promise<void> {}
  async close(): Promise<void> {}

  hangUp(): void {
    this.#socket.destroy();
  }

  #ask<Answer>(verb: string, ...args: readonly unknown[]): Promise<Answer> {
    const id = ++this.#last;
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { resolve: (answer) => resolve(answer as Answer), reject });
      this.#write({ id, verb, args });
    });
  }

  #write(letter: { id: number; verb: string; args: readonly unknown[] }): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(letter)}\n`);
  }

  #take({ id, answer, item, end, error }: Letter): void {
    const [waiting, channel] = [this.#waiting.get(id), this.#items.get(id)];
    if (item !== undefined) channel?.push(item);
    else if (end === true) channel?.end();
    else if (error !== undefined) {
      channel?.fail(errorOf(error));
      waiting?.reject(errorOf(error));
    } else waiting?.resolve(answer);
    this.#waiting.delete(id);
  }
}

const errorOf = (error: Words | { text: string }): Error =>
  "code" in error ? new UserError(error.code, error) : new Error(error.text);

/** Starts the engine in a separate process, with its socket and files in this folder. */
export class MemoryServer {
  readonly #process: ChildProcess;
  readonly #socket: string;
  readonly #clients: SocketEngine[] = [];

  constructor(child: ChildProcess, socket: string) {
    this.#process = child;
    this.#socket = socket;
  }

  static async start(root: string, dir: string): Promise<MemoryServer> {
    const socket = join(dir, "engine");
    const server = fileURLToPath(new URL("./server.mjs", import.meta.url));
    const child = spawn(process.execPath, [server, socket, root, join(dir, "kept")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    if (child.stdout === null) throw new Error("it has no output");
    await Promise.race([
      once(child.stdout, "data"),
      once(child, "exit").then(() => Promise.reject(new Error("it did not start"))),
    ]);
    return new MemoryServer(child, socket);
  }

  connect(): SocketEngine {
    const client = new SocketEngine(this.#socket);
    this.#clients.push(client);
    return client;
  }

  /** Its agents end with it. */
  async stop(): Promise<void> {
    for (const client of this.#clients) client.hangUp();
    if (this.#process.exitCode !== null) return;
    const gone = once(this.#process, "exit");
    this.#process.stdin?.end();
    await gone;
  }
}
