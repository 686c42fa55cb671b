// Puts the server together: the registered workspaces, the tokens, the routes, and one process that serves them.
import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UserError } from "../core/errors.ts";
import { acquireLock, type Lock, Locked } from "../host/lock/lock.ts";
import { vaultsDir } from "../workspace/vault.ts";
import { Audit } from "./audit.ts";
import { driveApart, noting } from "./drivers.ts";
import type { Own } from "./guard.ts";
import { pageFiles } from "./page/files.ts";
import { Pages } from "./page/pages.ts";
import { triggerLook } from "./page/trigger-look.ts";
import { type Places, servePlaces } from "./places.ts";
import { Printed, troubleText } from "./printed.ts";
import type { Registered } from "./registry.ts";
import { routesOf } from "./routes.ts";
import { makeServer } from "./server.ts";
import { givenToken, ownToken, readTokens, type Token } from "./tokens.ts";
import { configuredIn } from "./triggers/configured.ts";
import { FiringLog } from "./triggers/firing-log.ts";
import { makeHooksServer } from "./triggers/hooks-server.ts";
import { Keeper } from "./triggers/keeper.ts";
import { triggerRoutes } from "./triggers/routes.ts";
import { Workspaces } from "./workspaces.ts";

export type ServeOptions = {
  readonly port: number;
  readonly host: string;
  /** Other names under which the server is reached. */
  readonly names: readonly string[];
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  readonly tokenFile: string | null;
  /** Where webhooks are taken; null: nowhere. */
  readonly hooksPort: number | null;
};

export type Serving = {
  /** Without the token. */
  readonly url: string;
  readonly token: Token;
  /** Null: no webhooks are taken. */
  readonly hooks: string | null;
  /** Read each time: one can be added while the server runs. */
  workspaces(): readonly Registered[];
  close(): Promise<void>;
};

export async function serve(options: ServeOptions, places: Places = servePlaces()): Promise<Serving> {
  refuseExposed(options);
  const lock = await onlyOne(places);
  try {
    return await start(options, places, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function start(options: ServeOptions, places: Places, lock: Lock): Promise<Serving> {
  const { tls, host, port, names } = options;
  const file = options.tokenFile ?? places.tokens;
  const token = options.tokenFile === null ? ownToken(file) : givenToken(file);
  const starting = new Set<string>();
  const workspaces = new Workspaces(places.registry, (run) => starting.has(run));
  const closing = new AbortController();
  // Each viewer listens to it.
  setMaxListeners(0, closing.signal);
  const pems = tls === null ? null : { cert: pem(tls.certFile), key: pem(tls.keyFile) };
  const drive = noting(
    starting,
    driveApart(places.driversLog, () => secretsOf(workspaces)),
  );
  const printed = new Printed();
  const log = new FiringLog(places.firings, Date.now());
  const keeper = new Keeper({ log, workspaces, drive, now: Date.now });
  let hooksUrl: string | null = null;
  const ears = { env: process.env, hasPort: options.hooksPort !== null, hooksAt: () => hooksUrl };
  const routes = [
    ...routesOf({ workspaces, drive, closing: closing.signal }),
    ...triggerRoutes(workspaces, keeper, ears),
  ];
  let own: Own = { scheme: "http", hosts: new Set(), cookie: "loop" };
  const server = makeServer({
    routes,
    pages: new Pages({ workspaces, triggers: triggerLook(workspaces, keeper, ears), printed, closing: closing.signal }),
    files: pageFiles(),
    tokens: () => readTokens(file),
    audit: new Audit(places.audit),
    own: () => own,
    tls: pems,
  });
  const hooks =
    options.hooksPort === null ? null : makeHooksServer({ workspaces, keeper, env: process.env, tls: pems });
  const closeAll = () => {
    closing.abort();
    return Promise.all([closed(server), ...(hooks === null ? [] : [closed(hooks)])]);
  };
  try {
    // Until the server knows its addresses it refuses every request, so nothing is accepted before both ports listen.
    const { port: at } = await listen(server, { host, port, flag: "--port" });
    const hooksAt =
      hooks === null ? null : await listen(hooks, { host, port: options.hooksPort ?? 0, flag: "--hooks-port" });
    own = ownAt(at, host, names, tls === null ? "http" : "https");
    if (hooksAt !== null) hooksUrl = `${own.scheme}://${bracketed(host)}:${hooksAt.port}/hooks`;
  } catch (error) {
    await closeAll();
    throw error;
  }
  const ticking = ticks(keeper, printed, closing.signal);
  return {
    url: `${own.scheme}://${[...own.hosts][0]}`,
    token,
    hooks: hooksUrl,
    workspaces: () => workspaces.all(),
    async close() {
      await closeAll();
      await ticking;
      await lock.release();
    },
  };
}

const tickMs = 1_000;

/** A trouble of one moment, such as a full disk, must not end the server. */
async function ticks(keeper: Keeper, printed: Printed, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await keeper.tick().then(
      () => printed.clear("triggers"),
      (error: unknown) => printed.add(troubleText(error), "triggers"),
    );
    await pause(tickMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Drivers get no secret of a webhook, so that no agent does, also while its trigger does not fire. */
export const secretsOf = (workspaces: Pick<Workspaces, "all">): readonly string[] =>
  workspaces.all().flatMap((served) => configuredIn(served).named.flatMap(({ webhook }) => webhook?.secretEnv ?? []));

function pem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const why = `${path} cannot be read.`;
    const says = { what: "Nothing is served.", why, next: "Name the certificate and its key, in PEM." };
    throw new UserError("bad-flag", says, { cause });
  }
}

/** Cookies are the same for every port of a host, so their name has the port. */
function ownAt(port: number, host: string, names: readonly string[], scheme: Own["scheme"]): Own {
  const at = bracketed(host);
  // Another program may listen on another address of the loopback interface: the one that is printed is ours.
  const same = usualHosts.includes(at) ? usualHosts : [];
  const known = isLoopback(host) ? [...new Set([at, ...same, ...names])] : [...names, at];
  const withPort = known.map((name) => `${name.toLowerCase()}:${port}`);
  // Browsers leave out the port that belongs to the scheme.
  const bare = port === 443 && scheme === "https" ? known.map((name) => name.toLowerCase()) : [];
  return { scheme, hosts: new Set([...withPort, ...bare]), cookie: `loop_${port}` };
}

const usualHosts = ["127.0.0.1", "localhost", "[::1]"];
const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
export const isLoopback = (host: string): boolean => /^127\.\d+\.\d+\.\d+$|^::1$|^localhost$/.test(host);

function refuseExposed({ host, tls, tokenFile }: ServeOptions): void {
  if (isLoopback(host) || (tls !== null && tokenFile !== null)) return;
  throw new UserError("not-only-here", {
    what: "Nothing is served.",
    why: `Others can reach ${host}, so it needs TLS and tokens that you chose.`,
    next: "loop serve --host ADDRESS --tls-cert FILE --tls-key FILE --token-file FILE, or leave out --host",
  });
}

export const lookName = "loop schedule run";
/** A look of the system's timer is over in seconds. */
const lookMsMax = 30_000;

/** Two servers would fire every trigger twice. */
export async function onlyOne(
  { dir }: Pick<Places, "dir">,
  about = "loop serve",
  until = Date.now() + lookMsMax,
): Promise<Lock> {
  try {
    return await acquireLock({ dir: join(vaultsDir(), "locks"), key: dir, about });
  } catch (error) {
    if (!(error instanceof Locked)) throw error;
    if (about !== lookName && error.owner?.about === lookName && Date.now() < until) {
      await pause(100);
      return onlyOne({ dir }, about, until);
    }
    throw new UserError("serving-already", {
      what: "Nothing is served.",
      why: error.why,
      next: "Use the server that runs, or end it first.",
    });
  }
}

type Ear = { readonly host: string; readonly port: number; readonly flag: "--port" | "--hooks-port" };

function listen(server: Server, { host, port, flag }: Ear): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? `Port ${port} is in use.` : cause.message;
      const next = `Name another port: loop serve ${flag} N`;
      reject(new UserError("cannot-listen", { what: "Nothing is served.", why, next }, { cause }));
    });
    server.listen({ host, port }, () => resolve(server.address() as AddressInfo));
  });
}

/** Resolves when the port is free and every connection is closed, also if it never listened. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
