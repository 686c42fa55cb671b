// Reads the body of a request, and adds to it what counting needs.
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Api } from "./api.ts";
import { type Json, object } from "./json.ts";

const bytesMax = 64 << 20;

/** The text; null if it is packed in a way that cannot be read here. */
export function decoded(body: Buffer, encoding: string | undefined): string | null {
  const limit = { maxOutputLength: bytesMax };
  try {
    switch (encoding ?? "identity") {
      case "identity":
        return body.toString("utf8");
      case "gzip":
        return gunzipSync(body, limit).toString("utf8");
      case "deflate":
        return inflateSync(body, limit).toString("utf8");
      case "br":
        return brotliDecompressSync(body, limit).toString("utf8");
      default:
        return null;
    }
  } catch {
    return null;
  }
}

/** A Chat Completions stream tells its tokens only when asked to. Null: nothing has to be added. */
export function withUsage(api: Api, asked: Json): Json | null {
  const options = object(asked["stream_options"]);
  if (api !== "chat" || asked["stream"] !== true || options["include_usage"] === true) return null;
  return { ...asked, stream_options: { ...options, include_usage: true } };
}
