// What a route is: an address, who may use it, what it takes and gives. The server and the OpenAPI document read the
// same table.
import type { ServerResponse } from "node:http";
import type { z } from "zod";
import type { Person } from "./tokens.ts";

export type Call = {
  /** By the names in the path. */
  readonly at: Readonly<Record<string, string>>;
  readonly person: Person;
  /** The address that it comes from. */
  readonly from: string;
};
export type Given<Body> = Call & { readonly body: Body };

export type Look = {
  readonly method: "GET";
  readonly path: string;
  readonly says: string;
  readonly gives: z.ZodType;
  look(call: Call): Promise<unknown>;
};
export type Watch = {
  readonly method: "GET";
  readonly path: string;
  readonly says: string;
  watch(call: Call, response: ServerResponse, from: number | undefined): Promise<void>;
};
export type Act = {
  readonly method: "POST";
  readonly path: string;
  readonly says: string;
  readonly takes: z.ZodType;
  readonly gives: z.ZodType;
  act(call: Call, body: unknown): Promise<unknown>;
};
export type Route = Look | Watch | Act;

/** `act` gets what the schema has made of the body. */
export function acting<Body>(
  route: Omit<Act, "method" | "takes" | "act"> & {
    readonly takes: z.ZodType<Body>;
    act(given: Given<Body>): Promise<unknown>;
  },
): Act {
  const { takes, act } = route;
  return { ...route, method: "POST", act: (call, body) => act({ ...call, body: takes.parse(body) }) };
}

export type Match = { readonly route: Route; readonly at: Readonly<Record<string, string>> };

/** Every route at this address, by method. */
export function matches(routes: readonly Route[], segments: readonly string[]): readonly Match[] {
  return routes.flatMap((route) => {
    const wanted = route.path.slice(1).split("/");
    if (wanted.length !== segments.length) return [];
    const isHere = wanted.every((part, at) => part.startsWith("{") || part === segments[at]);
    if (!isHere) return [];
    const named = wanted.flatMap((part, at) => (part.startsWith("{") ? [[part.slice(1, -1), segments[at] ?? ""]] : []));
    return [{ route, at: Object.fromEntries(named) as Record<string, string> }];
  });
}
