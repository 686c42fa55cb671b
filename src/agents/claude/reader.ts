// Reads claude's stream-json output: the meaning of each line, and the result of the session.
import type { Usage } from "../../core/session.ts";
import type { Ending, Exit, Reader, SessionRequest, Sign } from "../agent.ts";
import { isRefusal } from "../cli/destructive.ts";
import { count, type Json, object, objectIn, objects, string } from "../cli/json.ts";
import type { Machine } from "../cli/machine.ts";
import { argumentOf } from "../cli/tool-call.ts";
import { replyInText } from "../reply/reply-text.ts";
import { partTimes } from "../session/part-times.ts";
import { addUsage } from "../session/session-result.ts";
import type { ClaudeConfig } from "./config.ts";
import { failureOf, isGone, readRejection, readWindow } from "./failure.ts";
import { hasSchema } from "./launch.ts";
import { readTranscript, TranscriptTail } from "./transcript.ts";
import {
  contextSize,
  contextUsed,
  type MessageUsage,
  merge,
  usageOfMessage,
  usageOfMessages,
  usageOfResult,
} from "./usage.ts";

const editors = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);
const progress: Sign = { sign: "progress" };

export function claudeReader(request: SessionRequest, config: ClaudeConfig, machine: Machine): Reader {
  return new ClaudeReader(request, config, machine);
}

class ClaudeReader implements Reader {
  readonly #request: SessionRequest;
  readonly #config: ClaudeConfig;
  readonly #machine: Machine;
  readonly #messages = new Map<string, MessageUsage>();
  /** Calls of editing tools without a result so far: a failed edit does not count. */
  readonly #edits = new Map<string, string>();
  /** Shell commands without a result so far: the result only says that the guard refused, not what. */
  readonly #commands = new Map<string, string>();
  #nativeId: string | null;
  #result: Json | null = null;
  #used: Usage | null = null;
  #spoke = false;
  #apiError = "";
  /** The error it is retrying after, until something else happens. */
  #retrying: Json | null = null;
  #rejection: { until: number | null } | null = null;
  #refused = false;
  #saidAt: number | null = null;
  #windows = new Map<string, number>();
  #tail: TranscriptTail | null = null;

  constructor(request: SessionRequest, config: ClaudeConfig, machine: Machine) {
    this.#request = request;
    this.#config = config;
    this.#machine = machine;
    this.#nativeId = request.nativeId;
  }

  line(text: string, cut: boolean): readonly Sign[] {
    const event = cut ? null : objectIn(text);
    if (event === null) return cut ? [progress] : [];
    this.#spoke = true;
    this.#retrying = event["subtype"] === "api_retry" ? event : null;
    switch (event["type"]) {
      case "system":
        return this.#system(event);
      case "assistant":
        return this.#assistant(event);
      case "user":
        return this.#toolResults(event);
      case "stream_event":
        return [progress];
      case "rate_limit_event":
        return this.#limit(event);
      case "result":
        return this.#ended(event);
      default:
        return []; // Later versions print more events; unknown ones are not progress.
    }
  }

  look(): readonly Sign[] {
    return this.#spoke && this.#used === null ? [this.#usedSoFar()] : [];
  }

  #limit(event: Json): readonly Sign[] {
    this.#rejection = readRejection(event) ?? this.#rejection;
    const window = readWindow(event);
    return window === null ? [] : [{ sign: "window", window }];
  }

  #system(event: Json): readonly Sign[] {
    const subtype = string(event["subtype"]);
    if (subtype === "init") return this.#named(string(event["session_id"]));
    if (subtype === "model_refusal_no_fallback") this.#refused = true;
    if (subtype === "compact_boundary") return [progress, { sign: "compacted" }];
    // Retries, hooks and notices also arrive while nothing moves.
    return /^(?:thinking_tokens|status|task_)/.test(subtype) ? [progress] : [];
  }

  #named(id: string): readonly Sign[] {
    if (id === "") return [];
    this.#nativeId = id;
    return [progress, { sign: "native-id", id }];
  }

  #assistant(event: Json): readonly Sign[] {
    const message = object(event["message"]);
    const at = Date.parse(string(event["timestamp"]));
    if (!Number.isNaN(at)) this.#saidAt = at;
    if (message["model"] === "<synthetic>") {
      this.#apiError = string(event["error"]) || this.#apiError;
      return [];
    }
    const key = string(message["id"]);
    const used = merge(this.#messages.get(key), usageOfMessage(message));
    if (key !== "") this.#messages.set(key, used);
    const shown = objects(message["content"]).flatMap((block) => {
      this.#call(block);
      return this.#shown(block);
    });
    const main = !event["parent_tool_use_id"] && contextUsed(used) > 0;
    const size = this.#windows.get(used.model) ?? contextSize(used.model);
    const context: Sign[] = main ? [{ sign: "context", used: contextUsed(used), size }] : [];
    // An event without a message has used nothing, and a flood of them must cost nothing.
    return [progress, ...context, ...shown, ...(key === "" ? [] : [this.#usedSoFar()])];
  }

  #shown(block: Json): readonly Sign[] {
    if (block["type"] === "text" && string(block["text"]).trim() !== "")
      return [{ sign: "said", text: string(block["text"]) }];
    if (block["type"] !== "tool_use") return [];
    const argument = argumentOf(object(block["input"]), this.#request.cwd);
    return [{ sign: "tool", call: string(block["id"]), name: string(block["name"]), argument }];
  }

  /** The stream only has the start of each answer; the transcript has it whole soon after. */
  #usedSoFar(): Sign {
    if (this.#nativeId !== null)
      this.#tail ??= new TranscriptTail(this.#nativeId, partTimes(this.#request), this.#machine.env);
    for (const [id, seen] of this.#tail?.read() ?? []) this.#messages.set(id, merge(this.#messages.get(id), seen));
    return { sign: "usage", usage: usageOfMessages(this.#messages.values(), this.#config.prices) };
  }

  #call(block: Json): void {
    const input = object(block["input"]);
    const command = string(input["command"]);
    if (block["type"] === "tool_use" && command !== "" && this.#commands.size < 1000)
      this.#commands.set(string(block["id"]), command.slice(0, 1000));
    const path = string(input["file_path"]) || string(input["notebook_path"]);
    if (block["type"] !== "tool_use" || !editors.has(string(block["name"])) || path === "") return;
    if (this.#edits.size < 1000) this.#edits.set(string(block["id"]), path);
  }

  #toolResults(event: Json): readonly Sign[] {
    const results = objects(object(event["message"])["content"]).filter((block) => block["type"] === "tool_result");
    const signs: Sign[] = [];
    for (const block of results) {
      const id = string(block["tool_use_id"]);
      const why = block["is_error"] === true ? refusalIn(textOf(block["content"])) : null;
      if (why !== null) signs.push({ sign: "refused", command: this.#commands.get(id) ?? "a command", why });
      this.#commands.delete(id);
      const path = this.#edits.get(id);
      this.#edits.delete(id);
      if (path !== undefined && block["is_error"] !== true) signs.push({ sign: "edit", path });
      signs.push({ sign: "tool-ended", call: id, failed: block["is_error"] === true });
    }
    return results.length > 0 ? [progress, ...signs, this.#usedSoFar()] : [];
  }

  #ended(event: Json): readonly Sign[] {
    this.#result = event;
    const used = usageOfResult(event);
    this.#used = this.#used === null ? used : addUsage(this.#used, used);
    for (const [model, each] of Object.entries(object(event["modelUsage"]))) {
      const size = count(object(each)["contextWindow"]);
      if (size > 0) this.#windows.set(model, size);
    }
    const usage: Sign = { sign: "usage", usage: this.#used };
    // A resumed conversation may first report an empty result for what was lost, and queued turns may follow.
    const more = count(event["queued_turn_count"]) > 0 || (event["num_turns"] === 0 && event["is_error"] !== true);
    return more ? [progress, usage] : [progress, usage, { sign: "result" }];
  }

  end(exit: Exit | null, files: { stderrTail: string }): Ending {
    const usage = this.#used ?? this.#usedByTranscript();
    const reply = this.#reply(exit);
    if (reply !== null) return { how: "replied", ...reply, usage, nativeId: this.#nativeId };
    const failure = this.#hasFailed(exit) ? this.#failure(exit, files.stderrTail) : this.#noReply();
    const gone = this.#result === null ? isGone(files.stderrTail) : isGone(failure.text);
    return { how: "failed", failure, usage, nativeId: gone ? null : this.#nativeId };
  }

  /** By `is_error` and the exit code, never by the subtype alone: it is "success" even for API failures. */
  #hasFailed(exit: Exit | null): boolean {
    const result = this.#result;
    if (result === null || result["is_error"] === true || result["subtype"] !== "success") return true;
    // A process that had to be ended after its result still has that result.
    return exit !== null && exit.code !== null && exit.code !== 0 && exit.code !== 143;
  }

  #reply(exit: Exit | null): { reply: unknown; text: string } | null {
    if (this.#hasFailed(exit)) return null;
    const text = string(this.#result?.["result"]);
    const structured = this.#result?.["structured_output"];
    if (structured !== undefined && structured !== null) return { reply: structured, text };
    const found = replyInText(text);
    if (found !== null) return { reply: found, text };
    return hasSchema(this.#request) || text === "" ? null : { reply: null, text };
  }

  #failure(exit: Exit | null, stderr: string) {
    const { zone, now } = this.#machine;
    const traces = {
      exit,
      spoke: this.#spoke,
      result: this.#result,
      apiError: this.#apiError,
      retrying: this.#retrying,
      stderr,
      zone,
    };
    const limited = this.#rejection !== null && this.#result?.["is_error"] === true;
    const limitedUntil = limited ? (this.#rejection?.until ?? null) : null;
    const refused = this.#refused || this.#result?.["stop_reason"] === "refusal";
    return failureOf({
      ...traces,
      limited: limited || this.#saysLimited(),
      limitedUntil,
      refused,
      saidAt: this.#saidAt ?? now(),
    });
  }

  #saysLimited(): boolean {
    return this.#result?.["api_error"] === "usage_limit_reached";
  }

  #noReply() {
    const denied = objects(this.#result?.["permission_denials"]).map((each) => string(each["tool_name"]));
    const said = string(this.#result?.["result"]).slice(0, 300);
    const why = denied.length > 0 ? ` It was refused the use of ${[...new Set(denied)].join(", ")}.` : "";
    const text =
      said === ""
        ? "The agent exited without output."
        : `The agent ended without the expected reply, but with: ${said}`;
    return { class: "no-result" as const, text: text + why, retryAt: null };
  }

  #usedByTranscript(): Usage {
    const { env } = this.#machine;
    const written = this.#nativeId === null ? [] : readTranscript(this.#nativeId, partTimes(this.#request), env);
    const all = new Map(this.#messages);
    for (const [id, message] of written) all.set(id, merge(all.get(id), message));
    return usageOfMessages(all.values(), this.#config.prices);
  }
}

/** Why our guard refused; null when it did not, or another hook did: `PreToolUse:Bash hook error: [command]: why`. */
function refusalIn(said: string): string | null {
  const why = said.startsWith("PreToolUse:") ? said.slice(said.indexOf("]: ") + 3).trim() : "";
  return isRefusal(why) ? why : null;
}

/** A tool's output: text, or blocks of it. */
const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : objects(content)
        .map((block) => string(block["text"]))
        .join("");
