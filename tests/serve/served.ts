// A server of the built command line over a project, and requests to it as anyone could send them.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { ended, type Project } from "../support/project.ts";

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };
export type Asking = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer;
};

export class Served {
  readonly process: ChildProcess;
  readonly port: number;
  readonly token: string;
  readonly hooksPort: number | null;

  private constructor(child: ChildProcess, said: { url: string; open: string; hooks?: string }) {
    this.process = child;
    this.port = Number(new URL(said.url).port);
    this.token = said.open.split("#token=")[1] ?? "";
    this.hooksPort = said.hooks === undefined ? null : Number(new URL(said.hooks).port);
  }

  static async start(
    project: Project,
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ): Promise<Served> {
    const child = project.start(["serve", "--port", "0", "--json", ...args], env);
    const end = ended(child);
    const said = await Promise.race([
      once(child.stdout ?? child, "data"),
      end.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ]);
    return new Served(child, JSON.parse(String(said[0])));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** As written: nothing is added but the Host header. */
  raw(path: string, { method = "GET", headers = {}, body }: Asking = {}, port = this.port): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const given = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).filter(
        ([, value]) => value !== undefined,
      );
      const asking = request({
        host: "127.0.0.1",
        port,
        path,
        method,
        headers: Object.fromEntries(given),
        setHost: false,
        // A connection that is kept may be closed by the server at the moment of the next request.
        agent: false,
      });
      asking.once("error", reject);
      asking.once("response", (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        response.once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        // A server that is killed in the middle of its answer: there is no end, and no error either.
        response.once("close", () => reject(new Error("the answer was aborted")));
      });
      asking.end(body);
    });
  }

  /** As a program with the owner's token does. */
  async get<Value>(path: string): Promise<Value> {
    const { status, text } = await this.raw(`/api/v1${path}`, { headers: this.bearer() });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as Value;
  }

  post(path: string, body: unknown, token = this.token): Promise<Answer> {
    const headers = { ...this.bearer(token), "Content-Type": "application/json" };
    return this.raw(`/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  }

  bearer(token = this.token): Record<string, string> {
    return { Authorization: `Bearer ${token}` };
  }

  /** As a browser does. */
  async cookie(): Promise<string> {
    const headers = { "Content-Type": "application/json", Origin: this.origin, "Sec-Fetch-Site": "same-origin" };
    const answer = await this.raw("/session", { method: "POST", headers, body: JSON.stringify({ token: this.token }) });
    return (answer.headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, "exit");
    this.process.kill(signal);
    await gone;
  }
}

/** Messages of an event stream, as they come. */
export async function* messages(
  served: Served,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): AsyncGenerator<{ id: number | null; name: string; data: unknown }> {
  const asking = request({
    host: "127.0.0.1",
    port: served.port,
    path: `/api/v1${path}`,
    headers: { ...served.bearer(), ...headers },
  });
  asking.end();
  const [response] = await once(asking, "response");
  let text = "";
  try {
    for await (const chunk of response.setEncoding("utf8")) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const [name, data, id] = [field("event"), field("data"), field("id")];
        if (name !== undefined && data !== undefined)
          yield { id: id === undefined ? null : Number(id), name, data: JSON.parse(data) };
      }
    }
  } catch (error) {
    // A server that was killed cuts the stream.
    if (!(error instanceof Error) || !/aborted|ECONNRESET|socket hang up/.test(error.message)) throw error;
  } finally {
    asking.destroy();
  }
}
