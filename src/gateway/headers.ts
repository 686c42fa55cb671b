// Headers on the way to the provider and back.
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Upstream } from "./options.ts";

const hopByHop = new Set(["connection", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer"])
  .add("transfer-encoding")
  .add("upgrade");
/** What the agent has for a key is a dummy. Compressed answers could not be counted. */
const replaced = new Set(["host", "content-length", "authorization", "x-api-key", "accept-encoding"]);

export function headersFor(request: IncomingMessage, url: URL, upstream: Upstream, body: Buffer): OutgoingHttpHeaders {
  const kept = Object.entries(request.headers).filter(([name]) => !hopByHop.has(name) && !replaced.has(name));
  return {
    ...Object.fromEntries(kept),
    ...upstream.headers,
    host: url.host,
    "accept-encoding": "identity",
    ...(body.length === 0 ? {} : { "content-length": String(body.length) }),
  };
}

/** Limits and retries are for the agent to read: everything else passes as it is. */
export function headersBack(headers: IncomingMessage["headers"], isRewritten: boolean): OutgoingHttpHeaders {
  const dropped = isRewritten ? new Set([...hopByHop, "content-length", "content-encoding"]) : hopByHop;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}
