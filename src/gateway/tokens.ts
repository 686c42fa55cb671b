// The tokens of one answer, from its body or from the events of its stream as they pass.
import type { Usage } from "../core/session.ts";
import type { Api } from "./api.ts";
import { type Asked, charsPerToken } from "./asked.ts";
import { count, isObject, type Json, list, object, string } from "./json.ts";

export type Tokens = Pick<Usage, "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens"> & {
  /** Those of the cache writes that are kept for an hour; left out: none. */
  readonly cacheWriteHourTokens?: number;
  /** Searches by the provider's own tool; left out: none. */
  readonly webSearches?: number;
  /** The answer is made in one region only, which costs more. */
  readonly isRegional?: true;
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
  /** It has told something that is no count. */
  #isOdd = false;
  #searches = 0;

  constructor(api: Api, asked: Asked) {
    this.#api = api;
    this.#asked = asked;
  }

  /** The provider's count, or, where it has not arrived, an estimate from what has passed. */
  get tokens(): Tokens {
    const seen = Math.max(Math.ceil(this.#chars / charsPerToken), this.#unseen);
    const outputTokens = this.#isOutputTold ? this.#told.outputTokens : Math.max(this.#told.outputTokens, seen);
    const isTaken = this.#isTaken || outputTokens > 0;
    const { inputTokens: told } = this.#told;
    const inputTokens = this.#isInputTold || !isTaken ? told : Math.max(told, this.#asked.inputTokens.likely);
    const webSearches = Math.max(this.#searches, this.#told.webSearches ?? 0);
    return {
      ...{ ...this.#told, inputTokens, outputTokens },
      ...(webSearches === 0 ? {} : { webSearches }),
      ...(this.#asked.isRegional ? { isRegional: true } : {}),
    };
  }

  /** Whether the provider itself has counted all of it. */
  get isTold(): boolean {
    return this.#isInputTold && this.#isOutputTold;
  }

  /** What it has told is no count: the rest has to be estimated. */
  get isOdd(): boolean {
    return this.#isOdd;
  }

  get #isInputTold(): boolean {
    return !this.#isOdd && this.#told.inputTokens + this.#told.cacheReadTokens + this.#told.cacheWriteTokens > 0;
  }

  get #isOutputTold(): boolean {
    return !this.#isOdd && this.#isLast && this.#told.outputTokens > 0;
  }

  /** An answer in one piece. Without a count, its length is all there is. */
  body(body: Json, chars: number): void {
    this.#told = this.#read(body["usage"]);
    this.#searches = (list(body["output"]) ?? []).filter(isSearch).length;
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
      if (data["type"] === "message_start") this.#told = this.#read(object(data["message"])["usage"]);
      // It repeats the input only in some versions, and counts from the beginning.
      if (data["type"] === "message_delta") this.#told = most(this.#told, this.#read(data["usage"]));
      if (data["type"] === "message_stop") this.#isLast = true;
    } else {
      if (data["type"] === "response.output_item.done" && isSearch(data["item"])) this.#searches += 1;
      const usage = this.#api === "responses" ? object(data["response"])["usage"] : data["usage"];
      if (usage === undefined || usage === null) return;
      this.#told = this.#read(usage);
      this.#isLast = true;
    }
  }

  #read(usage: unknown): Tokens {
    this.#isOdd ||= isOdd(usage);
    return this.#api === "messages" ? messages(usage) : openai(usage);
  }
}

/** A number below zero, or none that can be. */
const isOdd = (usage: unknown): boolean =>
  Object.values(object(usage)).some((value) => (typeof value === "number" ? count(value) !== value : isOddIn(value)));
const isOddIn = (value: unknown): boolean => (list(value) ?? [value]).some((each) => isObject(each) && isOdd(each));

const isSearch = (item: unknown): boolean => object(item)["type"] === "web_search_call";

/** Where an answer takes several passes, such as a summary of the conversation first, what is above them leaves some out. */
function messages(usage: unknown): Tokens {
  const said = object(usage);
  const passes = (list(said["iterations"]) ?? []).map((pass) => onePass(object(pass)));
  const webSearches = count(object(said["server_tool_use"])["web_search_requests"]);
  return {
    ...most(onePass(said), passes.reduce(sum, noTokens)),
    ...(webSearches === 0 ? {} : { webSearches }),
    ...(said["inference_geo"] === "us" ? { isRegional: true } : {}),
  };
}

function onePass(said: Json): Tokens {
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
  const details = object(said["input_tokens_details"] ?? said["prompt_tokens_details"]);
  const [cached, written] = [count(details["cached_tokens"]), count(details["cache_write_tokens"])];
  const input = count(said["input_tokens"] ?? said["prompt_tokens"]);
  return {
    inputTokens: Math.max(0, input - cached - written),
    outputTokens: count(said["output_tokens"] ?? said["completion_tokens"]),
    cacheReadTokens: cached,
    cacheWriteTokens: written,
  };
}

export const total = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Tokens): number =>
  inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;

const joined =
  (join: (one: number, other: number) => number) =>
  (one: Tokens, other: Tokens): Tokens => {
    const hour = join(one.cacheWriteHourTokens ?? 0, other.cacheWriteHourTokens ?? 0);
    const webSearches = join(one.webSearches ?? 0, other.webSearches ?? 0);
    return {
      inputTokens: join(one.inputTokens, other.inputTokens),
      outputTokens: join(one.outputTokens, other.outputTokens),
      cacheReadTokens: join(one.cacheReadTokens, other.cacheReadTokens),
      cacheWriteTokens: join(one.cacheWriteTokens, other.cacheWriteTokens),
      ...(hour === 0 ? {} : { cacheWriteHourTokens: hour }),
      ...(webSearches === 0 ? {} : { webSearches }),
      ...(one.isRegional || other.isRegional ? { isRegional: true } : {}),
    };
  };
const most = joined(Math.max);
const sum = joined((one, other) => one + other);

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
