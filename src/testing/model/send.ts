// Sends an answer, or its fault.
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, errorBody, newId } from "./answer.ts";
import type { Fault, ModelRequest, Step } from "./step.ts";

/** How a request went: `answered` means that the whole answer was sent. */
export type Sent = "answered" | "refused" | "hung" | "stalled" | "dropped" | "failed in the stream" | "client left";

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": newId("req"), ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

export async function send(response: ServerResponse, request: ModelRequest, step: Step, answer: Answer): Promise<Sent> {
  const { fault } = step;
  if (step.delayMs !== undefined) await sleep(step.delayMs);
  if (fault !== undefined && "hang" in fault) return "hung"; // The socket stays open until the client gives up.
  if (fault !== undefined && "status" in fault) {
    sendJson(response, fault.status, fault.body ?? errorBody(request.api, fault.status, fault.message), fault.headers);
    return "refused";
  }
  return request.stream ? sendEvents(response, step, answer) : sendWhole(response, step, answer);
}

function sendWhole(response: ServerResponse, step: Step, answer: Answer): Sent {
  const { fault } = step;
  if (fault !== undefined && "stall" in fault) return "stalled";
  if (fault !== undefined) {
    response.destroy();
    return "dropped";
  }
  sendJson(response, 200, answer.body, step.headers);
  return "answered";
}

async function sendEvents(response: ServerResponse, step: Step, answer: Answer): Promise<Sent> {
  const head = { "content-type": "text/event-stream", "cache-control": "no-cache", "request-id": newId("req") };
  response.writeHead(200, { ...head, ...step.headers });
  response.flushHeaders();
  let count = 0;
  for (const { name, data } of answer.events) {
    const end = interrupted(response, step.fault, count);
    if (end !== null) return end;
    response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    count += 1;
    if (step.chunkMs !== undefined && name.includes("delta")) await sleep(step.chunkMs);
    if (response.destroyed) return "client left";
  }
  response.end();
  return "answered";
}

function interrupted(response: ServerResponse, fault: Fault | undefined, count: number): Sent | null {
  if (fault === undefined) return null;
  if ("drop" in fault && count >= fault.drop) {
    response.destroy();
    return "dropped";
  }
  if ("stall" in fault && count >= fault.stall) return "stalled";
  if ("sse" in fault && count >= 1) {
    const name = typeof fault.sse["type"] === "string" ? fault.sse["type"] : "error";
    response.end(`event: ${name}\ndata: ${JSON.stringify(fault.sse)}\n\n`);
    return "failed in the stream";
  }
  return null;
}
