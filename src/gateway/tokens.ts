// The tokens of one answer, from its body or from the events of its stream as they pass.
import type { Usage } from "../core/session.ts";
import type { Api } from "./api.ts";
import { type Asked, charsPerToken } from "./asked.ts";
import { count, type Json, object, string } from "./json.ts";

export type Tokens = Pick<Usage, "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens"> & {
  /** Those of the cache writes that are kept for an hour; left out: none. */
  readonly cacheWriteHourTokens?: number;
};
export const noTokens: Tokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Reasoning that a provider does not show, in an answer that was cut before its count: what a fast model makes. */
const tokensPerSecond = 200;

export class Counter {
  readonly #api: Api;
  readonly #asked: Asked;
  #told: Tokens = noTokens;
  #chars = 0;
  #isLast = false;
  /** The most that may have been made unseen. */
  #unseen = 0;
  /** The provider has taken the request. */
  #isTaken = false;

  constructor(api: Api, asked: Asked) {
    this.#api = api;
    this.#asked = asked;
  }

  /** The provider's count, or, where it has not arrived, an estimate from what has passed. */
  get tokens(): Tokens {
    const seen = Math.max(Math.ceil(this.#chars / charsPerToken), this.#unseen);
    const outputTokens = this.#isOutputTold ? this.#told.outputTokens : Math.max(this.#told.outputTokens, seen);
    const isTaken = this.#isTaken || outputTokens > 0;
    const inputTokens = this.#isInputTold || !isTaken ? this.#told.inputTokens : this.#asked.inputTokens.likely;
    return { ...this.#told, inputTokens, outputTokens };
  }

  /** Whether the provider itself has counted all of it. */
  get isTold(): boolean {
    return this.#isInputTold && this.#isOutputTold;
  }

  get #isInputTold(): boolean {
    return this.#told.inputTokens + this.#told.cacheReadTokens + this.#told.cacheWriteTokens > 0;
  }

  get #isOutputTold(): boolean {
    return this.#isLast && this.#told.outputTokens > 0;
  }

  /** An answer in one piece. Without a count, its length is all there is. */
  body(body: Json, chars: number): void {
    this.#told = this.#api === "messages" ? messages(body["usage"]) : openai(body["usage"]);
    this.#isLast = true;
    this.#isTaken = true;
    this.#chars = chars;
  }

  /** The agent has left before the end of an answer in one piece, which the provider may finish. */
  abandoned(): void {
    this.#isTaken = true;
    this.#unseen = this.#asked.outputTokensMax;
  }

  /** A stream has ended without the provider's count, after so much time. */
  cutAfter(seconds: number): void {
    this.#isTaken = true;
    const unseen = Math.min(this.#asked.outputTokensMax, Math.ceil(seconds * tokensPerSecond));
    this.#unseen = Math.max(this.#unseen, unseen);
  }

  event(data: Json): void {
    this.#isTaken = true;
    this.#chars += charsIn(this.#api, data);
    if (this.#api === "messages") {
      if (data["type"] === "message_start") this.#told = messages(object(data["message"])["usage"]);
      // It repeats the input only in some versions, and counts from the beginning.
      if (data["type"] === "message_delta") this.#told = most(this.#told, messages(data["usage"]));
      if (data["type"] === "message_stop") this.#isLast = true;
    } else {
      const usage = this.#api === "responses" ? object(data["response"])["usage"] : data["usage"];
      if (usage === undefined || usage === null) return;
      this.#told = openai(usage);
      this.#isLast = true;
    }
  }
}

function messages(usage: unknown): Tokens {
  const said = object(usage);
  const hour = count(object(said["cache_creation"])["ephemeral_1h_input_tokens"]);
  return {
    inputTokens: count(said["input_tokens"]),
    outputTokens: count(said["output_tokens"]),
    cacheReadTokens: count(said["cache_read_input_tokens"]),
    cacheWriteTokens: count(said["cache_creation_input_tokens"]),
    ...(hour === 0 ? {} : { cacheWriteHourTokens: hour }),
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

const most = (one: Tokens, other: Tokens): Tokens => ({
  ...one,
  inputTokens: Math.max(one.inputTokens, other.inputTokens),
  outputTokens: Math.max(one.outputTokens, other.outputTokens),
  cacheReadTokens: Math.max(one.cacheReadTokens, other.cacheReadTokens),
  cacheWriteTokens: Math.max(one.cacheWriteTokens, other.cacheWriteTokens),
});

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
