// Passes an answer back: in one piece or as a stream, and cut when the budget is spent.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Api } from "./api.ts";
import { Events } from "./events.ts";
import { headersBack } from "./headers.ts";
import { type Json, object, objectIn, string } from "./json.ts";
import type { Metering } from "./metering.ts";
import { cutEvent } from "./refusal.ts";

export function passBack(
  incoming: IncomingMessage,
  response: ServerResponse,
  metering: Metering | null,
  cut: () => void,
): void {
  const isCounted = metering !== null && (incoming.statusCode ?? 500) < 400;
  const readable = isCounted ? unpacked(incoming) : incoming;
  const isRewritten = readable !== incoming || metering?.isOurs === true;
  response.writeHead(incoming.statusCode ?? 502, headersBack(incoming.headers, isRewritten));
  response.flushHeaders();
  for (const source of new Set([incoming, readable])) source.on("error", () => response.destroy());
  incoming.on("aborted", () => response.destroy());
  if (!isCounted) {
    incoming.pipe(response);
    return;
  }
  const isStream = string(incoming.headers["content-type"]).includes("text/event-stream");
  if (!isStream || !isReadable(incoming, readable)) whole(readable, response, metering);
  else if (metering.isOurs) rewritten(readable, response, metering, cut);
  else streamed(readable, response, metering, cut);
}

const unpackers = { gzip: createGunzip, "x-gzip": createGunzip, br: createBrotliDecompress, deflate: createInflate };
const codingOf = ({ headers }: IncomingMessage): string => (headers["content-encoding"] ?? "").trim().toLowerCase();

/** Providers are asked not to compress. What one compresses all the same is counted, and passed on, as it reads. */
function unpacked(incoming: IncomingMessage): Readable {
  const unpack = Object.entries(unpackers).find(([name]) => name === codingOf(incoming))?.[1];
  if (unpack === undefined) return incoming;
  const readable = incoming.pipe(unpack());
  // A stream that is cut here has to end at the provider.
  readable.once("close", () => {
    silence(incoming);
    incoming.destroy();
  });
  return readable;
}

/** Not compressed, or unpacked. Of anything else only the length can be counted. */
const isReadable = (incoming: IncomingMessage, readable: Readable): boolean =>
  readable !== incoming || ["", "identity"].includes(codingOf(incoming));

function whole(incoming: Readable, response: ServerResponse, metering: Metering): void {
  const pieces: Buffer[] = [];
  incoming.on("data", (piece: Buffer) => pieces.push(piece));
  incoming.on("end", () => {
    const body = Buffer.concat(pieces);
    metering.body(body.toString("utf8"));
    response.end(body);
  });
}

function streamed(incoming: Readable, response: ServerResponse, metering: Metering, cut: () => void): void {
  let goesOn = true;
  const events = new Events((data) => {
    goesOn = metering.event(data) && goesOn;
  });
  incoming.on("data", (chunk: Buffer) => {
    events.push(chunk);
    if (!response.write(chunk)) {
      incoming.pause();
      response.once("drain", () => incoming.resume());
    }
    if (!goesOn) stop(incoming, response, metering.api, cut);
  });
  incoming.on("end", () => response.end());
}

/** Chat Completions: the count that we asked for is taken out again. */
function rewritten(incoming: Readable, response: ServerResponse, metering: Metering, cut: () => void): void {
  let rest = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (chunk: string) => {
    const events = (rest + chunk).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = objectIn(event.replace(/^data:\s*/, ""));
      const goesOn = data === null || metering.event(data);
      if (data === null || !isOnlyUsage(data)) response.write(`${event}\n\n`);
      if (!goesOn) return stop(incoming, response, metering.api, cut);
    }
  });
  incoming.on("end", () => response.end(rest));
}

const isOnlyUsage = (data: Json): boolean =>
  Array.isArray(data["choices"]) && data["choices"].length === 0 && Object.keys(object(data["usage"])).length > 0;

function stop(incoming: Readable, response: ServerResponse, api: Api, cut: () => void): void {
  cut();
  silence(incoming);
  incoming.destroy();
  response.end(cutEvent(api));
}

/** Nothing that still comes, or goes wrong, reaches the agent: its answer has an end already. */
function silence(stream: Readable): void {
  for (const event of ["data", "end", "error", "aborted"]) stream.removeAllListeners(event);
  stream.on("error", () => {});
}
