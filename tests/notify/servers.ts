// A webhook and an ntfy server, both on loopback: what arrived, and buttons that can be pressed.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Readonly<Record<string, unknown>>;
type Stored = { readonly id: string; readonly event: "message"; readonly message: string };
export type Pushed = {
  readonly title: string;
  readonly message: string;
  readonly actions: readonly { readonly label: string; readonly url: string; readonly body: string }[];
};

export class FakeServers {
  readonly #server: Server;
  readonly hooked: Json[] = [];
  readonly pushed: Pushed[] = [];
  readonly #topics = new Map<string, Stored[]>();

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** As the phone does it. */
  async press(push: Pushed | undefined, label: string): Promise<void> {
    const button = push?.actions.find((action) => action.label === label);
    if (button === undefined) throw new Error(`there is no button ${label}`);
    await fetch(button.url, { method: "POST", body: button.body });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    let body = "";
    for await (const chunk of request) body += String(chunk);
    if (pathname === "/hook") this.hooked.push(JSON.parse(body) as Json);
    else if (request.method === "POST" && pathname === "/") this.pushed.push(JSON.parse(body) as Pushed);
    else if (request.method === "POST") this.#store(pathname.slice(1), body);
    else response.write(this.#since(pathname.split("/")[1] ?? "", searchParams.get("since") ?? "all"));
    response.end();
  }

  #store(topic: string, message: string): void {
    const stored = this.#topics.get(topic) ?? [];
    this.#topics.set(topic, [...stored, { id: `m${stored.length + 1}`, event: "message", message }]);
  }

  #since(topic: string, since: string): string {
    const stored = this.#topics.get(topic) ?? [];
    const from = stored.findIndex(({ id }) => id === since) + 1;
    return stored
      .slice(from)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join("");
  }
}
