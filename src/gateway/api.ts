// The model APIs that pass through the gateway, by path. Everything else is refused.

export type Api = "messages" | "responses" | "chat";
export type Provider = "anthropic" | "openai";

export type Route = {
  readonly provider: Provider;
  /** Below the provider's base URL. */
  readonly path: string;
  /** Null: it costs nothing, such as a list of models. */
  readonly api: Api | null;
};

/** An OpenAI base URL ends in /v1, an Anthropic one does not. */
const routes: readonly { readonly method: string; readonly at: RegExp; readonly to: Route }[] = [
  { method: "POST", at: /^\/v1\/messages$/, to: { provider: "anthropic", path: "/v1/messages", api: "messages" } },
  {
    method: "POST",
    at: /^\/v1\/messages\/count_tokens$/,
    to: { provider: "anthropic", path: "/v1/messages/count_tokens", api: null },
  },
  { method: "POST", at: /^\/v1\/responses$/, to: { provider: "openai", path: "/responses", api: "responses" } },
  {
    method: "POST",
    at: /^\/v1\/chat\/completions$/,
    to: { provider: "openai", path: "/chat/completions", api: "chat" },
  },
  { method: "GET", at: /^\/v1\/models(?:\/[\w.:-]+)?$/, to: { provider: "openai", path: "", api: null } },
];

/** `isAnthropic`: the request carries Anthropic's version header, by which lists of models are told apart. */
export function routeOf(method: string, url: string, isAnthropic: boolean): Route | null {
  const path = url.split("?")[0] ?? "";
  const query = url.slice(path.length);
  const found = routes.find((each) => each.method === method && each.at.test(path));
  if (found === undefined) return null;
  if (found.to.path !== "") return { ...found.to, path: found.to.path + query };
  const rest = path.slice("/v1".length) + query;
  return isAnthropic
    ? { provider: "anthropic", path: `/v1${rest}`, api: null }
    : { provider: "openai", path: rest, api: null };
}
