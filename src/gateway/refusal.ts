// Errors as each provider words them, so that an agent ends as it would with that provider.
import type { ServerResponse } from "node:http";
import type { Api, Provider } from "./api.ts";

type Refusal = { readonly status: number; readonly body: string };

export function refuse(response: ServerResponse, { status, body }: Refusal): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(body);
}

export const spent = (provider: Provider): Refusal =>
  provider === "anthropic" ? anthropic(402, "billing_error", spentText) : openai(429, "insufficient_quota", spentText);
const spentText = "The budget of this session is spent. Stop here: further requests will be refused too.";

export const notAllowed = (provider: Provider): Refusal => {
  const text = "Only requests to the model pass from here.";
  return provider === "anthropic" ? anthropic(404, "not_found_error", text) : openai(404, "not_found", text);
};

export const unreachable = (provider: Provider, why: string): Refusal =>
  provider === "anthropic" ? anthropic(502, "api_error", why) : openai(502, "server_error", why);

const invalid =
  (text: string) =>
  (provider: Provider): Refusal =>
    provider === "anthropic" ? anthropic(400, "invalid_request_error", text) : openai(400, "invalid_request", text);

export const unreadable = invalid("The request cannot be read, so its cost cannot be counted.");
export const background = invalid("An answer in the background is not counted: ask for it in the foreground.");
export const oddLimit = invalid("The limit of the answer has to be a whole number above 0.");
export const multiplied = invalid("Ask for one answer at a time: a request with n other than 1 does not pass.");

export const tooLarge = (provider: Provider): Refusal => {
  const text = "The request is too large.";
  return provider === "anthropic" ? anthropic(413, "request_too_large", text) : openai(413, "request_too_large", text);
};

/** The last event of a stream that was cut because the budget is spent. */
export function cutEvent(api: Api): string {
  const type = api === "messages" ? "billing_error" : "insufficient_quota";
  const error = { type, code: type, message: spentText };
  const data =
    api === "responses" ? { type: "response.failed", response: { status: "failed", error } } : { type: "error", error };
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

const anthropic = (status: number, type: string, message: string): Refusal => ({
  status,
  body: JSON.stringify({ type: "error", error: { type, message } }),
});
const openai = (status: number, code: string, message: string): Refusal => ({
  status,
  body: JSON.stringify({ error: { message, type: code, param: null, code } }),
});
