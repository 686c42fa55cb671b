// The requests to a scripted model, and its answers: the types that every wire format is converted to and from.

/** One request of an agent, in any wire format. */
export type ModelRequest = {
  api: "messages" | "responses";
  /** The number of this request on the server, from 1. */
  number: number;
  model: string;
  stream: boolean;
  /** A request without tools: a title, a summary, a quota probe. It is not part of the conversation. */
  side: boolean;
  system: string;
  tools: readonly string[];
  /** The user's prompts, oldest first, without the reminders that an agent adds. */
  prompts: readonly string[];
  /** Tool rounds since the last prompt. Read from the request itself, so it is correct after a kill and a resume. */
  rounds: number;
  toolResults: readonly { id: string; text: string; isError: boolean }[];
  /** All text of the last message, including reminders and tool results. */
  tail: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  raw: Readonly<Record<string, unknown>>;
};

/** The part of a request that differs between wire formats. */
export type Conversation = Pick<ModelRequest, "system" | "tools" | "prompts" | "rounds" | "toolResults" | "tail">;

/** A tool that the scripted model asks the agent to run. */
export type ToolCall = {
  name: string;
  /** A string makes a freeform call, which codex uses for `apply_patch`. */
  input: Readonly<Record<string, unknown>> | string;
};

/** One answer of the model. A plain string is an answer with that text. */
export type Step = {
  text?: string;
  thinking?: string;
  tools?: readonly ToolCall[];
  /** Why the model stopped; by default `tool_use` after tools and `end_turn` otherwise, in the words of the Messages API. */
  stop?: "end_turn" | "tool_use" | "max_tokens" | "refusal" | "stop_sequence";
  usage?: Partial<StepUsage>;
  /** Before the first byte. */
  delayMs?: number;
  /** Between two pieces of text. */
  chunkMs?: number;
  headers?: Readonly<Record<string, string>>;
  fault?: Fault;
};

/** The tokens that a scripted answer reports. */
export type StepUsage = { input: number; output: number; cacheRead: number; cacheWrite: number };

/** What fails instead. `times`: only for the first requests that hit this step. */
export type Fault = { times?: number } & (
  | { status: number; headers?: Readonly<Record<string, string>>; message?: string; body?: unknown }
  | { hang: true } // the request is accepted and never answered
  | { stall: number } // this many events, then silence
  | { drop: number } // this many events, then the connection is dropped
  | { sse: Readonly<Record<string, unknown>> } // an error inside the stream, after its first event
);

/** About four characters per token: realistic enough for prices, and exact because the log uses the same numbers. */
export function estimateTokens(value: unknown): number {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return Math.ceil(text.length / 4);
}
