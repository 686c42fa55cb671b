// What a request asks for, and the most that it may use: its own words say it, or it counts as the longest there is.
import type { Api } from "./api.ts";
import { count, isObject, type Json, list, object, string } from "./json.ts";

export type Asked = {
  readonly body: Json;
  readonly model: string;
  readonly bytes: number;
  readonly isStream: boolean;
  /** What is set aside for the answer. One that is not streamed a provider may finish although the agent has left. */
  readonly outputTokensMax: number;
  /** Whether the request says how long its answer may be. */
  readonly isLimited: boolean;
  /**
   * What the request's own bytes are taken for where nobody counts them, what has to be left for them, the most that
   * they can be, and the most with what the request brings by reference, which is not among its bytes.
   */
  readonly inputTokens: Readonly<Record<"likely" | "needed" | "own" | "most", number>>;
  /** Writes to a cache that is kept for an hour cost more. */
  readonly cachesForAnHour: boolean;
  /** The answer is to be made in one region only, which costs more. */
  readonly isRegional: boolean;
};

/** How long an answer may be when the request does not say. */
const outputTokensUnsaid = 32_000;
/** Providers count about four characters as a token. */
export const charsPerToken = 4;
/** Fewer bytes than this make no token. */
const bytesPerTokenMin = 2;
/** Code and JSON have shorter tokens than prose. */
const bytesPerTokenOfCode = 3;
/** More than a picture takes, however few bytes it has. */
const tokensOfPicture = 5000;
/** The longest context that is sold. */
const contextMax = 1_000_000;

export function readAsked(api: Api, body: Json, text: string): Asked {
  const bytes = Buffer.byteLength(text);
  const brought = broughtBy(api, body);
  const own = Math.ceil(bytes / bytesPerTokenMin) + brought.pictures * tokensOfPicture;
  return {
    ...{ body, model: string(body["model"]), bytes, isStream: body["stream"] === true },
    outputTokensMax: outputLimit(body) ?? outputTokensUnsaid,
    isLimited: outputLimit(body) !== null,
    inputTokens: {
      likely: Math.ceil(bytes / charsPerToken),
      needed: Math.ceil(bytes / bytesPerTokenOfCode) + brought.pictures * tokensOfPicture,
      own,
      most: brought.isByReference ? Math.max(own, contextMax) : own,
    },
    cachesForAnHour: text.includes('"1h"'),
    isRegional: (body["inference_geo"] ?? "global") !== "global",
  };
}

const outputLimits = ["max_tokens", "max_output_tokens", "max_completion_tokens"];

/** Null: it says none. */
const outputLimit = (body: Json): number | null => {
  const said = outputLimits.map((name) => count(body[name])).filter((most) => most > 0);
  return said.length === 0 ? null : Math.max(...said);
};

/** A limit that is none to us may be one to a provider, or the other way round. */
export const hasOddLimit = (body: Json): boolean =>
  outputLimits.map((name) => body[name] ?? null).some((said) => said !== null && (count(said) !== said || said === 0));

const limitNames: Readonly<Record<Api, string>> = {
  messages: "max_tokens",
  responses: "max_output_tokens",
  chat: "max_completion_tokens",
};

/**
 * The same request for an answer that is no longer than there is room for, and than its model's longest (null: not known),
 * whatever the agent asked for. Null: it is no use with so little.
 */
export function bounded(api: Api, asked: Asked, room: number, longest: number | null): Asked | null {
  const { outputTokensMax, isStream, isLimited } = asked;
  const most = Math.min(room, longest ?? Number.POSITIVE_INFINITY);
  if (isLimited) return most >= outputTokensMax ? asked : limited(api, asked, most);
  // A stream is cut when its budget is spent, so it may be longer than what is set aside for it.
  const usual = isStream ? Math.min(outputTokensMax, longest ?? outputTokensMax) : (longest ?? outputTokensMax);
  if (room >= (longest ?? outputTokensMax)) return { ...asked, outputTokensMax: usual };
  const shorter = limited(api, asked, most);
  return shorter === null ? null : { ...shorter, outputTokensMax: Math.min(usual, most) };
}

function limited(api: Api, asked: Asked, most: number): Asked | null {
  const { body } = asked;
  if (most < answerMin) return null;
  const said = outputLimits.filter((name) => body[name] != null);
  const names = said.length === 0 ? [limitNames[api]] : said;
  const limits = names.map((name) => [name, Math.min(count(body[name]) || most, most)]);
  const shorter = { ...body, ...Object.fromEntries(limits) };
  const thinking = object(body["thinking"]);
  if (count(thinking["budget_tokens"]) < most) return { ...asked, body: shorter, outputTokensMax: most };
  // Reasoning is part of the answer, and has to leave something of it.
  const budget = Math.floor(most / 2);
  if (budget < reasoningMin) return null;
  return { ...asked, body: { ...shorter, thinking: { ...thinking, budget_tokens: budget } }, outputTokensMax: most };
}

/** The least that OpenAI takes for a limit. */
const answerMin = 16;
/** The least that Anthropic takes for a budget of reasoning. */
const reasoningMin = 1024;

/** Of providers' own tools, those that cost their tokens alone, or that are counted. */
const countedTools =
  /^(?:web_(?:search|fetch)(?:_\d.*)?|mcp|mcp_toolset|tool_search.*|apply_patch|computer_use_preview)$/;
/** Not a dearer service than the one that the prices are of. */
const plainTiers = new Set(["auto", "default", "standard", "standard_only", "flex"]);

/**
 * The request without what a provider charges apart and no answer counts: faster service, searches by the chat models, tools
 * that run in a container of the provider's or make pictures.
 */
export function asPriced(body: Json): Json {
  const { speed: _speed, web_search_options: _searches, service_tier: tier, ...rest } = body;
  const tools = list(body["tools"]);
  return {
    ...rest,
    ...(typeof tier === "string" && plainTiers.has(tier) ? { service_tier: tier } : {}),
    ...(tools === null ? {} : { tools: tools.filter((tool) => isCounted(object(tool))) }),
  };
}

function isCounted({ type, environment }: Json): boolean {
  if (type === "shell") return object(environment)["type"] === "local";
  return typeof type !== "string" || ownTools.test(type) || countedTools.test(type);
}

type Brought = { readonly isByReference: boolean; readonly pictures: number };

/** Input that a provider looks up by a name, an address or a tool of its own. */
const lookedUp = ["previous_response_id", "conversation", "prompt", "container", "mcp_servers"];

/** Content that is whole in the request. Anything else may stand for more than its bytes. */
const inline = new Set([
  ...["message", "text", "thinking", "redacted_thinking", "tool_use", "tool_result", "refusal"],
  ...["input_text", "output_text", "summary_text", "reasoning_text", "reasoning", "compaction", "input_audio"],
  ...["function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call"].flatMap((call) => [
    call,
    `${call}_output`,
  ]),
  "function",
]);
const pictures = new Set(["image", "input_image", "image_url"]);
/** Tools that an agent runs itself; providers name their own by other types. */
const ownTools = /^(?:function|custom|local_shell|namespace|tool_search|(?:bash|text_editor|computer|memory)_\d+)$/;

function broughtBy(api: Api, body: Json): Brought {
  const isLookedUp = lookedUp.some((name) => body[name] != null && !(list(body[name])?.length === 0));
  const hasTools = (list(body["tools"]) ?? []).some((tool) => {
    const { type } = object(tool);
    return typeof type === "string" && !ownTools.test(type);
  });
  const content = [body["system"], body["instructions"], body[api === "responses" ? "input" : "messages"]];
  // A summary by the provider reads the conversation once more, as often as it likes.
  const isCompacted = JSON.stringify(body["context_management"] ?? null).includes("compact");
  const isByReference = isLookedUp || hasTools || isCompacted;
  return content.map(broughtIn).reduce(together, { isByReference, pictures: 0 });
}

const together = (one: Brought, other: Brought): Brought => ({
  isByReference: one.isByReference || other.isByReference,
  pictures: one.pictures + other.pictures,
});
const nothing: Brought = { isByReference: false, pictures: 0 };

function broughtIn(content: unknown): Brought {
  const parts = list(content);
  if (parts !== null) return parts.map(broughtIn).reduce(together, nothing);
  if (!isObject(content)) return nothing;
  const { type } = content;
  if (typeof type === "string" && pictures.has(type))
    return isPictureInline(content) ? { isByReference: false, pictures: 1 } : { isByReference: true, pictures: 0 };
  if (typeof type === "string" && !inline.has(type)) return { isByReference: true, pictures: 0 };
  return [content["content"], content["output"]].map(broughtIn).reduce(together, nothing);
}

function isPictureInline(picture: Json): boolean {
  const { source, image_url: url } = picture;
  if (isObject(source)) return source["type"] === "base64";
  return string(isObject(url) ? url["url"] : url).startsWith("data:");
}
