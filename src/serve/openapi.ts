// The OpenAPI document, made from the routes and their schemas.
import { z } from "zod";
import { version } from "../version.ts";
import type { Route } from "./route.ts";
import { failure } from "./schemas.ts";

const schemaOf = (type: z.ZodType, io: "input" | "output"): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(type, { io, unrepresentable: "any" });
  return rest;
};
const json = (schema: object): object => ({ "application/json": { schema } });

export function openApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const methods = paths[route.path] ?? {};
    methods[route.method.toLowerCase()] = operation(route);
    paths[route.path] = methods;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Loopwright",
      version,
      description: "Watch the runs of the registered workspaces, and answer them.",
    },
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "loop_PORT" },
      },
    },
  };
}

function operation(route: Route): object {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const failures = {
    default: { description: "What failed, why, and what to do", content: json(schemaOf(failure, "output")) },
  };
  const about = { summary: route.says, ...(parameters.length === 0 ? {} : { parameters }) };
  if ("watch" in route) {
    const content = { "text/event-stream": { schema: { type: "string" } } };
    return { ...about, responses: { 200: { description: "Server-sent events", content }, ...failures } };
  }
  const good = { 200: { description: "Done", content: json(schemaOf(route.gives, "output")) } };
  if (!("act" in route)) return { ...about, responses: { ...good, ...failures } };
  const requestBody = { required: true, content: json(schemaOf(route.takes, "input")) };
  return { ...about, requestBody, responses: { ...good, ...failures } };
}
