// The server: every request passes the guard, and finds its page or its route. There is no shell and no file to ask for.
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { z } from "zod";
import { machineTrouble, UserError } from "../core/errors.ts";
import type { Audit } from "./audit.ts";
import { jsonIn, readBody } from "./body.ts";
import { failureOf, orThrow, Refusal } from "./failure-answer.ts";
import { Failures } from "./failures.ts";
import {
  type Own,
  plainPath,
  refuseForeign,
  refuseHost,
  refuseOrigin,
  refuseRepeated,
  refuseRole,
  refuseType,
  type Shown,
  safeHeaders,
  whoAsks,
} from "./guard.ts";
import { openApi } from "./openapi.ts";
import { failed, foreign, signedOut } from "./page/answers.ts";
import type { PageFile } from "./page/files.ts";
import type { Page } from "./page/pages.ts";
import { Printed } from "./printed.ts";
import { type Act, matches, type Route } from "./route.ts";
import { session } from "./schemas.ts";
import { streamHead } from "./sse.ts";
import { byToken, cookieFor, type Token } from "./tokens.ts";

export type ServerOptions = {
  readonly routes: readonly Route[];
  readonly pages: { find(segments: readonly string[]): Promise<Page | null> };
  /** What pages load, by name. */
  readonly files: ReadonlyMap<string, PageFile>;
  readonly tokens: () => readonly Token[];
  readonly audit: Audit;
  /** Known once the server listens. */
  readonly own: () => Own;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** How long a request may take to arrive. */
  readonly requestMs?: number;
};

const bodyMax = 256 << 10;
const streamsMax = 100;
/** How often an open stream's token is looked up again. */
const lookMs = 2_000;

export function makeServer(options: ServerOptions): Server {
  const { tls, requestMs = 10_000 } = options;
  const timing = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1000, requestMs),
    keepAliveTimeout: 5_000,
    maxHeaderSize: 16 << 10,
  };
  const door = new Door(options);
  const handle = (request: IncomingMessage, response: ServerResponse) => void door.answer(request, response);
  const server = tls === null ? createHttp(timing, handle) : createHttps({ ...timing, ...tls }, handle);
  server.maxConnections = 500;
  // Nothing here is upgraded, and a CONNECT has no use.
  for (const name of ["upgrade", "connect"]) server.on(name, (_request, socket) => socket.destroy());
  return server;
}

class Door {
  readonly #options: ServerOptions;
  readonly #failures = new Failures();
  #streams = 0;
  readonly #printed = new Printed();

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
    try {
      await this.#route(request, response);
    } catch (error) {
      if (!response.headersSent) refuse(request, response, error);
      else response.destroy();
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    orThrow(refuseRepeated(request));
    orThrow(refuseHost(request.headers, this.#options.own()));
    const path = plainPath(request.url ?? "");
    if (path === null) throw new Refusal({ status: 400, why: "This is not an address that a browser would make." });
    const page = request.method === "GET" && path.query === "" ? pageAt(path.segments) : null;
    const isForeign = refuseForeign(request.headers);
    // A link in a chat leads here from another site. Nothing is shown before the person clicks on our own page.
    if (isForeign !== null && page?.is === "page" && request.headers["sec-fetch-mode"] === "navigate")
      return sendHtml(response, isForeign.status, foreign(request.url ?? "/"));
    orThrow(isForeign);
    if (page?.is === "file") return this.#file(page.name, response);
    if (page?.is === "page") return this.#page(page.segments, request, response);
    if (request.url === "/session" && request.method === "POST") return this.#signIn(request, response);
    const shown = this.#shown(request);
    if (page?.is === "live") return this.#live(page.segments, shown, request, response);
    if (request.url === "/api/v1/openapi.json" && request.method === "GET")
      return sendJson(response, 200, openApi(this.#options.routes));
    const found = matches(this.#options.routes, path.segments);
    if (found.length === 0) throw new Refusal({ status: 404, why: "There is nothing at this address." });
    const match = found.find(({ route }) => route.method === request.method);
    if (match === undefined) {
      response.setHeader("Allow", found.map(({ route }) => route.method).join(", "));
      throw new Refusal({ status: 405, why: "This address cannot be used like that." });
    }
    const call = { at: match.at, person: shown.person, from: addressOf(request) };
    const { route } = match;
    if ("act" in route) return this.#act(route, call, shown, request, response);
    if ("watch" in route) {
      const from = positionIn(request, path.query);
      return this.#watch(request, response, () => route.watch(call, response, from));
    }
    if (path.query !== "") throw new Refusal({ status: 400, why: "This address takes no query." });
    sendJson(response, 200, await route.look(call));
  }

  #file(name: string, response: ServerResponse): void {
    const file = this.#options.files.get(name);
    if (file === undefined) throw new Refusal({ status: 404, why: "There is nothing at this address." });
    response.setHeader("Content-Type", file.type).end(file.text);
  }

  async #page(segments: readonly string[], request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { own, pages } = this.#options;
    const shown = whoAsks(request.headers, this.#tokens(), own(), Date.now());
    if (shown === null) return sendHtml(response, 200, signedOut);
    try {
      const page = await pages.find(segments);
      if (page === null) throw new Refusal({ status: 404, why: "There is nothing at this address." });
      sendHtml(response, 200, await page.html(shown.person));
    } catch (error) {
      const answer = failureOf(error);
      sendHtml(response, answer.status, failed(answer));
    }
  }

  async #live(
    segments: readonly string[],
    { person }: Shown,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const page = await this.#options.pages.find(segments);
    if (page === null) throw new Refusal({ status: 404, why: "There is nothing at this address." });
    await this.#watch(request, response, async () => {
      response.writeHead(200, streamHead);
      await page.watch(person, response);
    });
  }

  #shown(request: IncomingMessage): Shown {
    const { own } = this.#options;
    const shown = whoAsks(request.headers, this.#tokens(), own(), Date.now());
    if (shown !== null) return shown;
    return this.#fail(request);
  }

  /** Who asks is not known yet, and is not told where the tokens are. */
  #tokens(): readonly Token[] {
    try {
      const tokens = this.#options.tokens();
      this.#printed.clear();
      return tokens;
    } catch (error) {
      const trouble = machineTrouble(error);
      if (trouble === null) throw error;
      this.#printed.add(`${trouble.what} ${trouble.why}`);
      throw new Refusal({ status: 503, why: "The server cannot read its tokens, and has printed why." });
    }
  }

  #fail(request: IncomingMessage): never {
    const [address, now] = [addressOf(request), Date.now()];
    const waitS = this.#failures.waitS(address, now);
    this.#failures.add(address, now);
    if (waitS > 0)
      throw new Refusal({ status: 429, why: `Too many failures. Try again in ${waitS} s.`, retryS: waitS });
    throw new Refusal({ status: 401, why: "A token is needed. Open the address that loop serve printed." });
  }

  /** From the token in the address's fragment, which no server sees, to a cookie that no script sees. */
  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { own, audit, tls } = this.#options;
    orThrow(refuseOrigin(request.headers, own(), false));
    const { token: given } = session.parse(await this.#json(request));
    const token = byToken(this.#tokens(), given);
    if (token === null) this.#fail(request);
    const { value, maxAgeS } = cookieFor(token, Date.now());
    const secure = tls === null ? "" : "; Secure";
    const cookie = `${own().cookie}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeS}${secure}`;
    audit.begin({ who: token.name, from: addressOf(request), action: "sign-in" })("done");
    response.setHeader("Set-Cookie", cookie);
    sendJson(response, 200, { name: token.name, may: token.may });
  }

  async #json(request: IncomingMessage): Promise<unknown> {
    orThrow(refuseType(request.headers));
    const body = await readBody(request, bodyMax);
    if (body === null) throw new Refusal({ status: 413, why: "The body is too large." });
    const value = jsonIn(body);
    if (value === undefined) throw new Refusal({ status: 400, why: "The body is not JSON in UTF-8." });
    return value;
  }

  async #act(
    route: Act,
    call: Parameters<Act["act"]>[0],
    shown: Shown,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const action = route.path.split("/").at(-1) === "runs" ? "begin" : (route.path.split("/").at(-1) ?? "");
    const asked = { who: call.person.name, from: call.from, action, ...call.at };
    const refused = refuseRole(shown.person, "write");
    if (refused !== null) this.#options.audit.refused(asked);
    orThrow(refused);
    orThrow(refuseOrigin(request.headers, this.#options.own(), shown.isBearer));
    if ((request.url ?? "").includes("?")) throw new Refusal({ status: 400, why: "This address takes no query." });
    const body = await this.#json(request);
    const ended = this.#options.audit.begin(asked);
    try {
      const answer = await route.act(call, body);
      ended("done");
      sendJson(response, 200, answer);
    } catch (error) {
      ended(error instanceof UserError ? error.code : error instanceof z.ZodError ? "invalid" : "failed");
      throw error;
    }
  }

  /** A token can be taken away while a page is open. */
  #mayStillRead({ headers }: IncomingMessage): boolean {
    const { tokens, own } = this.#options;
    try {
      return whoAsks(headers, tokens(), own(), Date.now()) !== null;
    } catch {
      return false;
    }
  }

  async #watch(request: IncomingMessage, response: ServerResponse, watch: () => Promise<void>): Promise<void> {
    if (this.#streams >= streamsMax) throw new Refusal({ status: 503, why: "Too many pages are open." });
    this.#streams += 1;
    const looking = setInterval(() => {
      if (!this.#mayStillRead(request)) response.destroy();
    }, lookMs);
    try {
      await watch();
    } finally {
      clearInterval(looking);
      this.#streams -= 1;
    }
  }
}

type PageAt =
  | { readonly is: "page" | "live"; readonly segments: readonly string[] }
  | { readonly is: "file"; readonly name: string };

/** Null: it is no address of a page. */
function pageAt(segments: readonly string[]): PageAt | null {
  const [first, second = "", third] = segments;
  if (first === "assets" && segments.length === 2) return { is: "file", name: second };
  const isLive = segments.at(-1) === "live";
  const rest = isLive ? segments.slice(0, -1) : segments;
  const isPage = rest.length === 0 || (rest.length === 4 && first === "workspaces" && third === "runs");
  return isPage ? { is: isLive ? "live" : "page", segments: rest } : null;
}

export const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? "unknown";

/** Where a reader was: what a browser says when it comes back, or the address at first. */
function positionIn({ headers }: IncomingMessage, query: string): number | undefined {
  const given = headers["last-event-id"] ?? /^from=(\d{1,9})$/.exec(query)?.[1];
  if (given === undefined && query === "") return undefined;
  if (typeof given !== "string" || !/^\d{1,9}$/.test(given))
    throw new Refusal({ status: 400, why: "The position must be the number of an event." });
  return Number(given);
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  // What is still on its way is not read: the connection ends.
  if (!request.complete) response.setHeader("Connection", "close");
  const { status, retryS, ...says } = failureOf(error);
  if (retryS !== undefined) response.setHeader("Retry-After", String(retryS));
  // A person has typed or followed an address.
  if (request.method === "GET" && request.headers["sec-fetch-mode"] === "navigate")
    sendHtml(response, status, status === 401 ? signedOut : failed(says));
  else sendJson(response, status, { error: says });
}

function sendHtml(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/html; charset=utf-8" }).end(text);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(value));
}
