// One turn of the conversation, from its messages: progress, edits, text and usage.

/** How much of the last message is searched for a reply. Six times that, as JSON, still fits in a line. */
const textCharsMax = 100_000;
/** Calls that never end must not fill our memory. */
const callsMax = 1000;
const working = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
  "plan_update",
]);

export class Turn {
  model = null;
  #say;
  #isOn = false;
  #text = "";
  #message = null;
  #usage = null;
  #cost = null;
  #limit = null;
  #refusal = null;
  /** Edits in progress: the call has their paths, their success comes later. */
  #edits = new Map();

  /** @param {(event: object) => void} say */
  constructor(say) {
    this.#say = say;
  }

  began({ agentInfo }) {
    this.#say({ acp: "began", name: agentInfo?.name ?? null, version: agentInfo?.version ?? null });
  }

  named(id) {
    this.#say({ acp: "native-id", id });
  }

  /** From here on it costs; earlier messages are the replay of an old conversation. */
  asked() {
    this.#isOn = true;
    this.#say({ acp: "asked", model: this.model });
  }

  /** Every message from the agent, unmodified. */
  see(message) {
    if (message.result?.stopReason !== undefined) this.#usage = sum(this.#usage, message.result.usage);
    if (message.method === "session/update" && this.#isOn) this.#update(message.params?.update ?? {});
  }

  #update(update) {
    const kind = update.sessionUpdate;
    if (working.has(kind)) this.#say({ acp: "progress", note: kind });
    if (kind === "agent_message_chunk") this.#said(update);
    if (kind === "tool_call" || kind === "tool_call_update") this.#tool(update);
    if (kind === "usage_update") this.#used(update);
    const limit = update._meta?.["_claude/rateLimit"];
    if (limit?.status === "rejected") this.#limit = limit.resetsAt ?? null;
  }

  /** Only the last message is the reply: text between tool calls is thinking aloud. */
  #said({ content, messageId }) {
    if (messageId != null && messageId !== this.#message) this.#text = "";
    this.#message = messageId ?? null;
    if (content?.type === "text") this.#text = (this.#text + content.text).slice(-textCharsMax);
  }

  #tool({ toolCallId, kind, status, locations, content, sessionUpdate, title }) {
    if (sessionUpdate === "tool_call") {
      this.#told();
      this.#text = "";
      this.#say({ acp: "tool", call: toolCallId, name: kind ?? "tool", argument: String(title ?? "").slice(0, 1000) });
    }
    const changed = (content ?? []).filter(({ type }) => type === "diff");
    const paths = [...changed, ...(locations ?? [])].map(({ path }) => path);
    const known = this.#edits.get(toolCallId);
    if (kind === "edit" || known !== undefined) {
      if (known !== undefined || this.#edits.size < callsMax) this.#edits.set(toolCallId, known ?? new Set());
      for (const path of paths) this.#edits.get(toolCallId)?.add(path);
    }
    if (status !== "completed" && status !== "failed") return;
    this.#say({ acp: "tool-ended", call: toolCallId, failed: status === "failed" });
    if (status === "completed") for (const path of this.#edits.get(toolCallId) ?? []) this.#say({ acp: "edit", path });
    this.#edits.delete(toolCallId);
  }

  /** Words come in pieces; they are told once they are complete. */
  #told() {
    if (this.#text.trim() !== "") this.#say({ acp: "said", text: this.#text.slice(0, 4000) });
  }

  #used({ used, size, cost }) {
    if (cost?.currency === "USD") this.#cost = cost.amount;
    this.#say({ acp: "context", used, size });
  }

  /** @returns the library's expected answer */
  answered({ outcome, refused, destructive }) {
    if (refused !== null) {
      this.#refusal = refused.slice(0, 1000);
      this.#say({ acp: "refused", what: this.#refusal, destructive });
    }
    return { outcome };
  }

  /** The refusal since the last call. Text after it belongs to a new message. */
  takeRefusal() {
    const refusal = this.#refusal;
    this.#refusal = null;
    this.#text = "";
    return refusal;
  }

  ended(stop) {
    this.#say({ acp: "ended", stop, text: this.#text, usage: this.#usage, cost: this.#cost, model: this.model });
  }

  failed(error) {
    const { code = null, data, message } = error;
    const kind = data?.errorKind ?? null;
    const detail =
      typeof data?.details === "string" ? data.details : typeof data?.message === "string" ? data.message : "";
    const text = `${message}${detail === "" || message.includes(detail) ? "" : `: ${detail}`}`.slice(0, 4000);
    const flags = { gone: error.gone === true, lost: error.lost === true, misconfigured: error.misconfigured === true };
    this.#say({ acp: "failed", code, kind, text, limit: this.#limit, usage: this.#usage, ...flags });
  }
}

/** The usage of all prompts; unknown until one is reported. */
function sum(before, usage) {
  if (usage == null || before === null) return usage ?? before;
  const numbers = Object.entries(usage).filter(([, value]) => typeof value === "number");
  return Object.fromEntries(numbers.map(([key, value]) => [key, value + (before[key] ?? 0)]));
}
