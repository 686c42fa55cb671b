// Passes one request to its provider, and the answer back, counting as it goes.
import { randomUUID } from "node:crypto";
import { type IncomingMessage, request as plain, type ServerResponse } from "node:http";
import { request as secure } from "node:https";
import type { Route } from "./api.ts";
import type { Budget } from "./budget.ts";
import { headersFor } from "./headers.ts";
import { objectIn, string } from "./json.ts";
import type { Entry, Metered } from "./metered.ts";
import { askedOf, Metering, reservation } from "./metering.ts";
import type { GatewayOptions, Upstream } from "./options.ts";
import { passBack } from "./pass-back.ts";
import { multiplied, refuse, spent, unreachable, unreadable } from "./refusal.ts";
import { decoded, withUsage } from "./request-body.ts";
import { noTokens } from "./tokens.ts";

export type Forwarding = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  readonly upstream: Upstream;
  readonly body: Buffer;
  readonly budget: Budget;
  readonly metered: Metered;
  readonly options: GatewayOptions;
};

export async function forward(forwarding: Forwarding): Promise<"spent" | "done"> {
  const { request, response, route, budget, metered, options, body } = forwarding;
  if (route.api === null) return passed(forwarding, { bytes: body, isDecoded: false }, null);
  const text = decoded(body, request.headers["content-encoding"]);
  const asked = text === null ? null : objectIn(text);
  // An answer in the background comes by another route, where nothing is counted.
  if (asked === null || asked["background"] === true) {
    refuse(response, unreadable(route.provider));
    return "done";
  }
  // Several answers to one request would cost as much as several requests, of which only the first is set aside in time.
  if ((asked["n"] ?? 1) !== 1) {
    refuse(response, multiplied(route.provider));
    return "done";
  }
  const model = string(asked["model"]);
  const entry = { id: randomUUID(), model, tokens: noTokens, costUsd: 0 } as const;
  const bytes = Buffer.byteLength(text ?? "");
  const ticket = budget.reserve(reservation(asked, bytes, options));
  if (ticket === null) {
    metered.note({ ...entry, how: "refused" });
    refuse(response, spent(route.provider));
    return "spent";
  }
  try {
    // What is on no record must not be spent.
    if (!metered.note({ ...entry, how: "begun" })) {
      refuse(response, unreachable(route.provider, "The request could not be put on record."));
      return "done";
    }
    const more = withUsage(route.api, asked);
    const sent = more === null ? { bytes: body, isDecoded: false } : { bytes: more, isDecoded: true };
    const of = { api: route.api, asked: askedOf(asked, bytes), entry, ticket, metered, options, isOurs: more !== null };
    return await passed(forwarding, sent, new Metering(of));
  } finally {
    ticket.settle();
  }
}

function passed(
  { request, response, route, upstream }: Forwarding,
  { bytes: body, isDecoded }: { readonly bytes: Buffer; readonly isDecoded: boolean },
  metering: Metering | null,
): Promise<"spent" | "done"> {
  const url = new URL(upstream.baseUrl.replace(/\/$/, "") + route.path);
  const headers = headersFor(request, url, upstream, body);
  if (isDecoded) delete headers["content-encoding"];
  const send = url.protocol === "https:" ? secure : plain;
  return new Promise((resolve) => {
    let isOver = false;
    const end = (how: Entry["how"], result: "spent" | "done" = "done"): void => {
      if (isOver) return;
      isOver = true;
      metering?.note(how);
      resolve(result);
    };
    const outgoing = send(url, { method: request.method ?? "POST", headers });
    outgoing.on("error", (error) => {
      if (response.headersSent) response.destroy();
      else refuse(response, unreachable(route.provider, `The provider could not be reached: ${error.message}`));
      end("cut");
    });
    response.on("close", () => {
      if (!response.writableFinished) {
        // Of a stream the provider stops generating. Another answer it may finish, and charge.
        if (!isOver && outgoing.writableFinished) metering?.abandoned();
        outgoing.destroy();
      }
      end(response.writableFinished ? "answered" : "cut");
    });
    outgoing.on("response", (incoming) => passBack(incoming, response, metering, () => end("cut", "spent")));
    outgoing.end(body);
  });
}
