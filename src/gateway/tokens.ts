// The tokens of one answer, from its body or from the events of its stream as they pass.
import type { Usage } from "../core/session.ts";
import type { Api } from "./api.ts";
import { count, type Json, object, string } from "./json.ts";

export type Tokens = Omit<Usage, "costUsd">;
export const noTokens: Tokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Providers count about four characters as a token. Used only until the provider's own count arrives. */
const charsPerToken = 4;

export class Counter {
  readonly #api: Api;
  #told: Tokens = noTokens;
  #chars = 0;
  #isWhole = false;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The provider's count, or, of an answer that was cut, what of it has passed. */
  get tokens(): Tokens {
    const passed = Math.ceil(this.#chars / charsPerToken);
    return this.#isWhole ? this.#told : { ...this.#told, outputTokens: Math.max(this.#told.outputTokens, passed) };
  }

  /** An answer in one piece. */
  body(body: Json): void {
    this.#tell(this.#api === "messages" ? messages(body["usage"]) : openai(body["usage"]));
    this.#isWhole = true;
  }

  event(data: Json): void {
    this.#chars += charsIn(this.#api, data);
    if (this.#api === "messages") {
      if (data["type"] === "message_start") this.#tell(messages(object(data["message"])["usage"]));
      // It repeats the input only in some versions.
      if (data["type"] === "message_delta") this.#tell({ ...this.#told, ...present(messages(data["usage"])) });
      if (data["type"] === "message_stop") this.#isWhole = true;
    } else {
      const usage = this.#api === "responses" ? object(data["response"])["usage"] : data["usage"];
      if (usage === undefined || usage === null) return;
      this.#tell(openai(usage));
      this.#isWhole ||= this.#told.outputTokens > 0;
    }
  }

  #tell(tokens: Tokens): void {
    this.#told = tokens;
  }
}

function messages(usage: unknown): Tokens {
  const said = object(usage);
  return {
    inputTokens: count(said["input_tokens"]),
    outputTokens: count(said["output_tokens"]),
    cacheReadTokens: count(said["cache_read_input_tokens"]),
    cacheWriteTokens: count(said["cache_creation_input_tokens"]),
  };
}

/** OpenAI counts what it read from its cache as input too. Responses and Chat Completions have other names for it. */
function openai(usage: unknown): Tokens {
  const said = object(usage);
  const cached = count(object(said["input_tokens_details"] ?? said["prompt_tokens_details"])["cached_tokens"]);
  const input = count(said["input_tokens"] ?? said["prompt_tokens"]);
  return {
    inputTokens: Math.max(0, input - cached),
    outputTokens: count(said["output_tokens"] ?? said["completion_tokens"]),
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
  };
}

const present = (tokens: Tokens): Partial<Tokens> =>
  Object.fromEntries(Object.entries(tokens).filter(([, value]) => value > 0));

function charsIn(api: Api, data: Json): number {
  if (api === "messages") {
    const delta = object(data["delta"]);
    return [delta["text"], delta["thinking"], delta["partial_json"]].reduce<number>(
      (sum, text) => sum + string(text).length,
      0,
    );
  }
  if (api === "responses") return string(data["type"]).endsWith(".delta") ? string(data["delta"]).length : 0;
  const [choice] = Array.isArray(data["choices"]) ? data["choices"] : [];
  const delta = object(object(choice)["delta"]);
  return string(delta["content"]).length + JSON.stringify(delta["tool_calls"] ?? "").length - 2;
}
