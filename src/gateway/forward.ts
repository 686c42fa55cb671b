// Passes one request to its provider, and the answer back, counting as it goes.
import { randomUUID } from "node:crypto";
import { type IncomingMessage, request as plain, type ServerResponse } from "node:http";
import { request as secure } from "node:https";
import type { Route } from "./api.ts";
import { asPriced, bounded, hasOddLimit, readAsked } from "./asked.ts";
import { headersFor } from "./headers.ts";
import { type Json, objectIn } from "./json.ts";
import type { Entry, Metered } from "./metered.ts";
import { type Budgets, Metering, roomFor, type Spent, setAside } from "./metering.ts";
import type { GatewayOptions, Upstream } from "./options.ts";
import { passBack } from "./pass-back.ts";
import { background, multiplied, oddLimit, refuse, spent, unreachable, unreadable } from "./refusal.ts";
import { decoded, withUsage } from "./request-body.ts";
import { noTokens } from "./tokens.ts";

export type Forwarding = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  readonly upstream: Upstream;
  readonly body: Buffer;
  readonly budgets: Budgets;
  readonly metered: Metered;
  readonly options: GatewayOptions;
};

/** Null: it passed. Otherwise it was refused or cut, because this is spent. */
export async function forward(forwarding: Forwarding): Promise<Spent | null> {
  const { request, response, route, body, budgets, metered, options } = forwarding;
  const { api, provider } = route;
  if (api === null) return passed(forwarding, { bytes: body, isDecoded: false }, null);
  const text = decoded(body, request.headers["content-encoding"]);
  const said = text === null ? null : objectIn(text);
  const problem = said === null ? unreadable : whyNotCounted(said);
  if (said === null || text === null || problem !== null) {
    refuse(response, (problem ?? unreadable)(provider));
    return null;
  }
  const wanted = readAsked(api, asPriced(said), text);
  const entry = { id: randomUUID(), model: wanted.model, tokens: noTokens, costUsd: 0 } as const;
  const room = roomFor(budgets, wanted, options);
  const asked = bounded(api, wanted, Math.min(room.cost, room.tokens), options.longestAnswer(wanted.model));
  const tickets = asked === null ? (room.cost < room.tokens ? "cost" : "tokens") : setAside(budgets, asked, options);
  if (asked === null || typeof tickets === "string") {
    metered.note({ ...entry, how: "refused" });
    refuse(response, spent(provider));
    return typeof tickets === "string" ? tickets : null;
  }
  try {
    // What is on no record must not be spent.
    if (!metered.note({ ...entry, how: "begun" })) {
      refuse(response, unreachable(provider, "The request could not be put on record."));
      return null;
    }
    const more = withUsage(api, asked.body);
    // What was counted is what is sent: a key that is there twice has one value here.
    const sent = Buffer.from(JSON.stringify(more ?? asked.body));
    const metering = new Metering({ api, asked, entry, tickets, metered, options, isOurs: more !== null });
    return await passed(forwarding, { bytes: sent, isDecoded: true }, metering);
  } finally {
    tickets.usd.settle();
    tickets.tokens.settle();
  }
}

function whyNotCounted(asked: Json): typeof unreadable | null {
  // An answer in the background comes by another route, where nothing is counted.
  if (asked["background"] === true) return background;
  // Several answers to one request would cost as much as several requests, of which only the first is set aside in time.
  if ((asked["n"] ?? 1) !== 1) return multiplied;
  return hasOddLimit(asked) ? oddLimit : null;
}

function passed(
  { request, response, route, upstream }: Forwarding,
  { bytes: body, isDecoded }: { readonly bytes: Buffer; readonly isDecoded: boolean },
  metering: Metering | null,
): Promise<Spent | null> {
  const url = new URL(upstream.baseUrl.replace(/\/$/, "") + route.path);
  const headers = headersFor(request, url, upstream, body);
  if (isDecoded) delete headers["content-encoding"];
  const send = url.protocol === "https:" ? secure : plain;
  return new Promise((resolve) => {
    let isOver = false;
    const end = (how: Entry["how"], result: Spent | null = null): void => {
      if (isOver) return;
      isOver = true;
      metering?.note(how);
      resolve(result);
    };
    const outgoing = send(url, { method: request.method ?? "POST", headers });
    let isAnswered = false;
    outgoing.on("error", (error) => {
      // It has the whole request. A connection that was kept open and has been closed meanwhile has taken nothing.
      if (!isAnswered && outgoing.writableFinished && !outgoing.reusedSocket) metering?.abandoned();
      if (response.headersSent) response.destroy();
      else refuse(response, unreachable(route.provider, `The provider could not be reached: ${error.message}`));
      end("cut");
    });
    response.on("close", () => {
      if (!response.writableFinished) {
        if (!isOver && outgoing.writableFinished) metering?.abandoned();
        outgoing.destroy();
      }
      end(response.writableFinished ? "answered" : "cut");
    });
    outgoing.on("response", (incoming) => {
      isAnswered = true;
      passBack(incoming, response, metering, (why) => end("cut", why));
    });
    outgoing.end(body);
  });
}
