// What a writer makes of a step, and the helpers that writers share.
import { randomBytes } from "node:crypto";

export type WireEvent = { name: string; data: Record<string, unknown> };
export type Answer = { body: Record<string, unknown>; events: readonly WireEvent[] };

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;

/** Text in pieces, so that a stream has more than one delta. Cut by code points, never inside a character. */
export function chunks(text: string, size = 40): string[] {
  const points = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += size) pieces.push(points.slice(at, at + size).join(""));
  return pieces;
}

/** An error in the format of each API. */
export function errorBody(api: "messages" | "responses", status: number, message = errorType(status)): unknown {
  const type = errorType(status);
  if (api === "messages") return { type: "error", error: { type, message }, request_id: newId("req") };
  return { error: { message, type, param: null, code: status === 429 ? "rate_limit_exceeded" : null } };
}

function errorType(status: number): string {
  const known: Record<number, string> = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
  };
  return known[status] ?? "api_error";
}
