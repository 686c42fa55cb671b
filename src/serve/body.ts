// Reads the body of a request, up to a size. Node ends requests that are too slow.
import type { IncomingMessage } from "node:http";
import { isErrno } from "../host/disk.ts";

/** Null: it is too large, or its sender has gone. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > bytesMax) return null;
    }
  } catch (error) {
    // Anybody can do that, as often as they like, so nothing is printed.
    if (isErrno(error, "ECONNRESET")) return null;
    throw error;
  }
  return Buffer.concat(chunks);
}

/** Undefined: it is no JSON in UTF-8. */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
