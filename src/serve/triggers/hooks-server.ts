// Where other programs call: a server apart from the API, which can be reached from outside through a tunnel without
// showing anything else. It takes signed deliveries, and says nothing about what it knows.
import { existsSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { machineTrouble } from "../../core/errors.ts";
import type { TriggerSettings } from "../../formats/config/settings.ts";
import { jsonIn, readBody } from "../body.ts";
import { Failures } from "../failures.ts";
import { plainPath, refuseRepeated, safeHeaders } from "../guard.ts";
import { Printed } from "../printed.ts";
import type { Served, Workspaces } from "../workspaces.ts";
import { configuredIn, type Silence, silenceOf } from "./configured.ts";
import { type Heard, heardFrom, heardJson } from "./github.ts";
import type { Keeper } from "./keeper.ts";
import { isSigned, secretMin, signatureOf } from "./signature.ts";

export type HooksOptions = {
  readonly workspaces: Workspaces;
  readonly keeper: Keeper;
  readonly env: NodeJS.ProcessEnv;
  readonly tls: { readonly cert: string; readonly key: string } | null;
};

/** GitHub sends at most 25 MB, and far less for the events that are read here. */
const bodyMax = 5 << 20;
const timing = {
  requestTimeout: 10_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 << 10,
};

export function makeHooksServer(options: HooksOptions): Server {
  const [failures, printed] = [new Failures(), new Printed()];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
    answerTo(options, failures, request)
      .catch((error: unknown): Said => {
        printed.add(error instanceof Error ? (error.stack ?? error.message) : String(error));
        return machineTrouble(error) === null
          ? [500, "Something went wrong."]
          : [503, "It cannot be taken right now: send it again later. The server has printed why."];
      })
      .then(([status, says]) => {
        // Only a signed delivery gets that far: what a stranger is told is no sign that deliveries can be taken.
        if (status < 300) printed.clear();
        if (!request.complete) response.setHeader("Connection", "close");
        response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" });
        response.end(JSON.stringify({ says }));
      });
  };
  const { tls } = options;
  const server = tls === null ? createHttp(timing, handle) : createHttps({ ...timing, ...tls }, handle);
  server.maxConnections = 200;
  return server;
}

type Said = readonly [status: number, says: string];
const unknown: Said = [404, "There is nothing at this address."];
/** The same whatever is wrong, so that names cannot be guessed. */
const untaken: Said = [
  401,
  "No trigger takes this delivery: its address or signature is wrong, or its trigger cannot be read. The page of loop serve says which triggers fire.",
];

async function answerTo(options: HooksOptions, failures: Failures, request: IncomingMessage): Promise<Said> {
  const repeated = refuseRepeated(request);
  if (repeated !== null) return [repeated.status, repeated.why];
  const [first, workspace, name, ...more] = plainPath(request.url ?? "")?.segments ?? [];
  if (first !== "hooks" || workspace === undefined || name === undefined || more.length > 0) return unknown;
  if (request.method !== "POST") return [405, "Deliveries are sent by POST."];
  const [address, now] = [request.socket.remoteAddress ?? "unknown", Date.now()];
  const body = await readBody(request, bodyMax);
  if (body === null) return [413, "The body is too large."];
  const served = options.workspaces.all().find(({ id }) => id === workspace);
  const found = served === undefined ? null : triggerIn(served, name);
  const secret = found === null ? "" : (options.env[found.hook.secretEnv] ?? "");
  if (found === null || secret.length < secretMin || !isSigned(body, text(request, "x-hub-signature-256"), secret)) {
    // Through a tunnel all senders have the same address, so what is signed is never refused for others' failures.
    const isSlowed = failures.waitS(address, now) > 0;
    failures.add(address, now);
    if (isSlowed) return [429, "Too many failures."];
    // Its secret is named in the folder, so no signature can be checked.
    return served === undefined || existsSync(served.root) ? untaken : [503, "Its folder is missing right now."];
  }
  return found.silence === null
    ? take(options.keeper, found, secret, request, body)
    : [503, `The trigger does not fire now: ${found.silence.inShort}`];
}

type Found = {
  readonly served: Served;
  readonly trigger: TriggerSettings;
  readonly hook: NonNullable<TriggerSettings["webhook"]>;
  /** Why it does not fire, for a sender that has its secret; null: it does. */
  readonly silence: Silence | null;
};

function triggerIn(served: Served, name: string): Found | null {
  const configured = configuredIn(served);
  const trigger = configured.named.find((each) => each.name === name);
  if (trigger === undefined || trigger.webhook === null) return null;
  const silence = silenceOf(configured, trigger);
  return { served, trigger, hook: trigger.webhook, silence };
}

function take(
  keeper: Keeper,
  { served, trigger, hook }: Found,
  secret: string,
  request: IncomingMessage,
  body: Buffer,
): Said {
  const payload = jsonIn(body);
  if (payload === undefined) return [400, "The body is not JSON in UTF-8."];
  const event = text(request, "x-github-event") ?? "";
  if (hook.from === "github" && event === "ping") return [200, "pong"];
  const delivery = text(request, hook.from === "github" ? "x-github-delivery" : "x-delivery-id");
  if (hook.from === "github" && delivery === undefined) return [400, "It has no delivery id."];
  const heard: Heard = hook.from === "github" ? heardFrom(hook, event, payload) : heardJson(payload);
  if (heard.is === "ignored") return [202, `Ignored. ${heard.why}`];
  // The signature does not cover the delivery id: a copy of the body with another id is still the same delivery. The
  // secret stands for the sender, and stays when a trigger is renamed or its folder is moved.
  const keys = [
    `body ${signatureOf(body, secret)}`,
    ...(delivery === undefined ? [] : [`id ${signatureOf(delivery, secret)}`]),
  ];
  const { values, source } = heard;
  const cause = hook.from === "json" && delivery !== undefined ? `${heard.cause}, ${delivery}` : heard.cause;
  const accepted = keeper.accept(served.root, trigger, { mark: null, keys, cause, values, source, isDelivered: true });
  if (accepted.is === "known") return [200, "This delivery was taken before."];
  if (accepted.is === "incomplete") return [422, accepted.why];
  return accepted.is === "queued" ? [202, `Queued as ${accepted.id}`] : [429, accepted.why];
}

const text = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
};
