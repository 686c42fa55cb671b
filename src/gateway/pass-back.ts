// Passes an answer back: in one piece or as a stream, and cut when the budget is spent.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Api } from "./api.ts";
import { Events } from "./events.ts";
import { headersBack } from "./headers.ts";
import { type Json, object, string } from "./json.ts";
import type { Metering, Spent } from "./metering.ts";
import { cutEvent } from "./refusal.ts";

/** Ends the answer, because this is spent. */
type Cut = (why: Spent) => void;

export function passBack(
  incoming: IncomingMessage,
  response: ServerResponse,
  metering: Metering | null,
  cut: Cut,
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

function streamed(incoming: Readable, response: ServerResponse, metering: Metering, cut: Cut): void {
  let spent: Spent | null = null;
  const plain = new Plain();
  const events = new Events((data) => {
    plain.isStream ||= data !== null;
    if (data !== null) spent ??= metering.event(data);
  });
  incoming.on("data", (chunk: Buffer) => {
    plain.push(chunk);
    events.push(chunk);
    if (!response.write(chunk)) {
      incoming.pause();
      response.once("drain", () => incoming.resume());
    }
    if (spent !== null) stop(incoming, response, metering.api, () => cut(spent as Spent));
  });
  incoming.on("end", () => {
    events.end();
    if (!plain.isStream) metering.body(plain.text);
    response.end();
  });
}

/** Chat Completions: the count that we asked for is taken out again. */
function rewritten(incoming: Readable, response: ServerResponse, metering: Metering, cut: Cut): void {
  let spent: Spent | null = null;
  const plain = new Plain();
  const events = new Events((data, text) => {
    plain.isStream ||= data !== null;
    if (spent !== null) return;
    if (data !== null) spent = metering.event(data);
    if (data === null || !isOnlyUsage(data)) response.write(`${text}\n\n`);
  });
  incoming.on("data", (chunk: Buffer) => {
    plain.push(chunk);
    events.push(chunk);
    if (spent !== null) stop(incoming, response, metering.api, () => cut(spent as Spent));
  });
  incoming.on("end", () => {
    events.end();
    if (!plain.isStream) metering.body(plain.text);
    response.end();
  });
}

const plainBytesMax = 16 << 20;

/** An answer that is called a stream, and is one piece: kept as long as no event was read in it. */
class Plain {
  isStream = false;
  #pieces: Buffer[] = [];
  #bytes = 0;

  push(chunk: Buffer): void {
    if (this.isStream || this.#bytes > plainBytesMax) this.#pieces = [];
    else this.#pieces.push(Buffer.from(chunk));
    this.#bytes += chunk.length;
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }
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
