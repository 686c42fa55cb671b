// What a request must be before anything is done for it: from our own address and page, with a token.
import type { IncomingHttpHeaders } from "node:http";
import { byCookie, byToken, type May, type Person, type Token } from "./tokens.ts";

/** The addresses under which this server is known. */
export type Own = {
  readonly scheme: "http" | "https";
  /** With the port, as in the Host header. */
  readonly hosts: ReadonlySet<string>;
  readonly cookie: string;
};

export type Refused = { readonly status: number; readonly why: string; readonly retryS?: number };

/** A page that was rebound to our address still sends its own name. */
export function refuseHost({ host }: IncomingHttpHeaders, { hosts }: Own): Refused | null {
  if (host !== undefined && hosts.has(host.toLowerCase())) return null;
  return { status: 421, why: "This server is not known by that name." };
}

/** Node takes the first of these, and what stands before a server may have looked at another one. */
const once = ["host", "authorization", "content-type", "origin", "sec-fetch-site"];

export function refuseRepeated({ rawHeaders }: { readonly rawHeaders: readonly string[] }): Refused | null {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const repeated = once.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  return repeated === undefined ? null : { status: 400, why: `The header ${repeated} was sent twice.` };
}

const plainSegment = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.))*$/;

/** The segments of a path, and its query. Null: it is not a plain path, and nothing here has such an address. */
export function plainPath(url: string): { readonly segments: readonly string[]; readonly query: string } | null {
  const [, path, query = ""] = /^(\/[^?#]*)(?:\?([\w=-]{1,100}))?$/.exec(url) ?? [];
  if (path === undefined || path.length > 500) return null;
  if (path === "/") return { segments: [], query };
  const segments = path.slice(1).split("/");
  return segments.every((segment) => plainSegment.test(segment)) ? { segments, query } : null;
}

/** Browsers say whether a request comes from another site. It never may, not even to look. */
export function refuseForeign(headers: IncomingHttpHeaders): Refused | null {
  const from = headers["sec-fetch-site"];
  if (from === undefined || from === "same-origin" || from === "none") return null;
  return { status: 403, why: "The request comes from another page." };
}

/** Only our own page may change anything. A program has no origin, and has to show the token itself. */
export function refuseOrigin(headers: IncomingHttpHeaders, own: Own, isBearer: boolean): Refused | null {
  const { origin, host = "" } = headers;
  if (origin === undefined && isBearer) return null;
  if (origin !== undefined && origin.toLowerCase() === `${own.scheme}://${host.toLowerCase()}`) return null;
  return { status: 403, why: "The request does not come from this server's own page." };
}

export function refuseType(headers: IncomingHttpHeaders): Refused | null {
  const type = headers["content-type"] ?? "";
  const isPlain = headers["content-encoding"] === undefined;
  if (isPlain && /^application\/json(?:; ?charset=utf-8)?$/i.test(type)) return null;
  return { status: 415, why: "The body must be application/json." };
}

export type Shown = { readonly person: Person; readonly isBearer: boolean };

/** Null: it shows no valid token. */
export function whoAsks(headers: IncomingHttpHeaders, tokens: readonly Token[], own: Own, now: number): Shown | null {
  const bearer = /^Bearer ([\w-]{32,128})$/i.exec(headers.authorization ?? "")?.[1];
  if (headers.authorization !== undefined) {
    const person = bearer === undefined ? null : byToken(tokens, bearer);
    return person === null ? null : { person, isBearer: true };
  }
  const cookies = (headers.cookie ?? "").split(/; */).map((each) => each.split("="));
  const value = cookies.find(([name]) => name === own.cookie)?.[1];
  const person = value === undefined ? null : byCookie(tokens, value, now);
  return person === null ? null : { person, isBearer: false };
}

export const refuseRole = ({ may, name }: Person, needed: May): Refused | null =>
  needed === "read" || may === "write" ? null : { status: 403, why: `The token ${name} may only read.` };

/** On every answer. The page has no inline script or style, and nothing may embed it. */
export const safeHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};
