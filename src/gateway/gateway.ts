// The only way out of the walls: a socket that passes requests to a model, and nothing else. It holds the key, counts every
// token as it passes, and refuses the next request when the session's budget is spent.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { noUsage, type Usage } from "../core/session.ts";
import { lstatIfExists } from "../host/disk.ts";
import { readProcess } from "../host/process/processes.ts";
import { routeOf } from "./api.ts";
import { Bodies } from "./bodies.ts";
import { Budget } from "./budget.ts";
import { type Forwarding, forward } from "./forward.ts";
import { Metered } from "./metered.ts";
import type { Budgets, Spent } from "./metering.ts";
import type { GatewayOptions } from "./options.ts";
import { notAllowed, refuse, tooLarge } from "./refusal.ts";
import { total } from "./tokens.ts";
import { Tunnels } from "./tunnel.ts";

export type Gateway = {
  readonly socket: string;
  /** What passed since the session began; null: nothing did. */
  usage(): Usage | null;
  /** Models without a known price that answered. */
  unpriced(): readonly string[];
  /** Why the last request that was refused or cut for its budget was; null: none was. */
  spent(): Spent | null;
  /** Other hosts that were asked for and refused, each once. */
  refusedHosts(): readonly string[];
  close(): Promise<void>;
};

/** An agent asks for a few answers at once. Each connection is one of the loop's own open files. */
const connectionsMax = 256;

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const metered = new Metered(options.record, options.costAtMost);
  const { costUsd, ...earlier } = metered.usage() ?? noUsage;
  const budgets: Budgets = {
    usd: new Budget(options.costUsdMax, costUsd ?? 0),
    tokens: new Budget(options.tokensMax, total(earlier)),
  };
  const bodies = new Bodies();
  let spent: Spent | null = null;
  const server = createServer((request, response) => {
    serve(request, response, { options, budgets, metered, bodies }).then(
      (how) => {
        spent = how ?? spent;
      },
      () => response.destroy(),
    );
  });
  // A proxy's request for any other host.
  const tunnels = new Tunnels({ hosts: options.hosts ?? [], record: options.hostsRecord });
  server.on("connect", (request, socket, head) => tunnels.connect(request, socket, head));
  server.requestTimeout = 0;
  server.maxConnections = connectionsMax;
  const dir = placeForSocket();
  const socket = join(dir, "model.sock");
  await listening(server, socket);
  return {
    socket,
    usage: () => metered.usage(),
    unpriced: () => metered.unpriced,
    spent: () => spent,
    refusedHosts: () => tunnels.refused(),
    async close() {
      server.closeAllConnections();
      tunnels.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

// Not in TMPDIR: the path of a socket must be short.
const sockets = "/tmp";
const prefix = "loop-gateway-";

/** Removes those of processes that were killed. Nothing listens on them any more. */
function placeForSocket(): string {
  for (const name of readdirSync(sockets).filter((each) => each.startsWith(prefix))) {
    const dir = join(sockets, name);
    const isOurs = lstatIfExists(dir)?.uid === process.getuid?.();
    if (isOurs && readProcess(Number.parseInt(name.slice(prefix.length), 10)) === null)
      rmSync(dir, { recursive: true, force: true });
  }
  return mkdtempSync(join(sockets, `${prefix}${process.pid}-`));
}

const listening = (server: Server, socket: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, () => {
      server.off("error", reject);
      resolve();
    });
  });

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  {
    options,
    budgets,
    metered,
    bodies,
  }: Pick<Forwarding, "options" | "budgets" | "metered"> & { readonly bodies: Bodies },
): Promise<Spent | null> {
  const isAnthropic = request.headers["anthropic-version"] !== undefined;
  const route = routeOf(request.method ?? "", request.url ?? "", isAnthropic);
  const provider = route?.provider ?? (isAnthropic ? "anthropic" : "openai");
  const upstream = options.upstreams[provider];
  if (route === null || upstream === undefined) {
    refuse(response, notAllowed(provider));
    return null;
  }
  return bodies.read(request, (body) => {
    if (body !== null) return forward({ request, response, route, upstream, body, budgets, metered, options });
    refuse(response, tooLarge(provider));
    return null;
  });
}
