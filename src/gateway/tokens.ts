// The tokens of one answer, from its body or from the events of its stream as they pass.
import type { Usage } from "../core/session.ts";
import type { Api } from "./api.ts";
import { count, type Json, object, string } from "./json.ts";

export type Tokens = Pick<Usage, "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens">;
export const noTokens: Tokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Providers count about four characters as a token. Used only where the provider's own count does not arrive. */
const charsPerToken = 4;

/** What a request may use, by its own words. */
export type Asked = {
  readonly bytes: number;
  /** Of an answer that is not streamed: a provider may finish it although the agent has left. */
  readonly outputTokensMax: number;
};

export class Counter {
  readonly #api: Api;
  readonly #asked: Asked;
  #told: Tokens = noTokens;
  #chars = 0;
  #isWhole = false;
  #isAbandoned = false;

  constructor(api: Api, asked: Asked) {
    this.#api = api;
    this.#asked = asked;
  }

  /** The provider's count, or, where it has not arrived, an estimate from what has passed. */
  get tokens(): Tokens {
    if (this.#isWhole) return this.#told;
    const left = this.#isAbandoned ? this.#asked.outputTokensMax : 0;
    const outputTokens = Math.max(this.#told.outputTokens, Math.ceil(this.#chars / charsPerToken), left);
    const isTaken = outputTokens > 0 || this.#isAbandoned;
    const isInputTold = this.#told.inputTokens + this.#told.cacheReadTokens + this.#told.cacheWriteTokens > 0;
    const inputTokens = isInputTold || !isTaken ? this.#told.inputTokens : Math.ceil(this.#asked.bytes / charsPerToken);
    return { ...this.#told, inputTokens, outputTokens };
  }

  /** Whether the provider itself has counted all of it. */
  get isTold(): boolean {
    return this.#isWhole;
  }

  /** An answer in one piece. Without a count, its length is all there is. */
  body(body: Json, chars: number): void {
    this.#tell(this.#api === "messages" ? messages(body["usage"]) : openai(body["usage"]));
    this.#isWhole = total(this.#told) > 0;
    this.#chars = chars;
  }

  /** The agent has left before the end of the answer to a request that the provider has. */
  abandoned(): void {
    this.#isAbandoned = true;
  }

  event(data: Json): void {
    this.#chars += charsIn(this.#api, data);
    if (this.#api === "messages") {
      if (data["type"] === "message_start") this.#tell(messages(object(data["message"])["usage"]));
      // It repeats the input only in some versions.
      if (data["type"] === "message_delta") this.#tell({ ...this.#told, ...present(messages(data["usage"])) });
      if (data["type"] === "message_stop") this.#isWhole = total(this.#told) > 0;
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

export const total = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Tokens): number =>
  inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;

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
