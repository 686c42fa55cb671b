// One turn of the conversation, from the messages that pass by: what is progress, what was edited, said and used.

/** As much of the last message as is looked at for a reply. Six times that, as JSON, still fits a line. */
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
  /** Edits that are under way: their paths come with the call, their success later. */
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

  /** From here on it costs; what comes before is an earlier conversation, told again. */
  asked() {
    this.#isOn = true;
    this.#say({ acp: "asked", model: this.model });
  }

  /** Every message that the agent sends, as it is. */
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

  /** Only the last message is the reply: what it says between its tools is thinking aloud. */
  #said({ content, messageId }) {
    if (messageId != null && messageId !== this.#message) this.#text = "";
    this.#message = messageId ?? null;
    if (content?.type === "text") this.#text = (this.#text + content.text).slice(-textCharsMax);
  }

  #tool({ toolCallId, kind, status, locations, content, sessionUpdate }) {
    if (sessionUpdate === "tool_call") this.#text = "";
    const changed = (content ?? []).filter(({ type }) => type === "diff");
    const paths = [...changed, ...(locations ?? [])].map(({ path }) => path);
    const known = this.#edits.get(toolCallId);
    if (kind === "edit" || known !== undefined) {
      if (known !== undefined || this.#edits.size < callsMax) this.#edits.set(toolCallId, known ?? new Set());
      for (const path of paths) this.#edits.get(toolCallId)?.add(path);
    }
    if (status !== "completed" && status !== "failed") return;
    if (status === "completed") for (const path of this.#edits.get(toolCallId) ?? []) this.#say({ acp: "edit", path });
    this.#edits.delete(toolCallId);
  }

  #used({ used, size, cost }) {
    if (cost?.currency === "USD") this.#cost = cost.amount;
    this.#say({ acp: "context", used, size });
  }

  /** @returns what the library wants */
  answered({ outcome, refused, destructive }) {
    if (refused !== null) {
      this.#refusal = refused.slice(0, 1000);
      this.#say({ acp: "refused", what: this.#refusal, destructive });
    }
    return { outcome };
  }

  /** What was refused since the last time that this was asked. What is said from then on is another message. */
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

/** What each prompt used; unknown as long as nobody has said anything. */
function sum(before, usage) {
  if (usage == null || before === null) return usage ?? before;
  const numbers = Object.entries(usage).filter(([, value]) => typeof value === "number");
  return Object.fromEntries(numbers.map(([key, value]) => [key, value + (before[key] ?? 0)]));
}
