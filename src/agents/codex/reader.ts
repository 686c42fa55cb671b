// Reads the output of `codex exec --json`: the meaning of each line, and the result of the session.
import { noUsage, type Usage } from "../../core/session.ts";
import type { Ending, Exit, Reader, SessionRequest, Sign } from "../agent.ts";
import { isRefusal } from "../cli/destructive.ts";
import { type Json, object, objectIn, objects, string } from "../cli/json.ts";
import type { Machine } from "../cli/machine.ts";
import { argumentOf, plainCommand, shownPath } from "../cli/tool-call.ts";
import { costOf, priceOf } from "../prices.ts";
import { replyInText } from "../reply/reply-text.ts";
import { partTimes } from "../session/part-times.ts";
import type { CodexConfig } from "./config.ts";
import { failureOf, isGone } from "./failure.ts";
import { hasSchema } from "./launch.ts";
import { RolloutTail, readCounts, readRollout, rolloutOf } from "./rollout.ts";
import { tokensOf } from "./usage.ts";

const progress: Sign = { sign: "progress" };
const blocked = /\berror=Command blocked by PreToolUse hook: (.+?)\. Command: (.*)$/;

export function codexReader(request: SessionRequest, config: CodexConfig, machine: Machine): Reader {
  return new CodexReader(request, config, machine);
}

class CodexReader implements Reader {
  readonly #request: SessionRequest;
  readonly #config: CodexConfig;
  readonly #machine: Machine;
  #nativeId: string | null;
  #spoke = false;
  #rollout: string | null = null;
  #tail: RolloutTail | null = null;
  #lastMessage = "";
  #lastError = "";
  #failed: string | null = null;
  /** The `turn.completed` event: the end of a successful turn. */
  #completed: Json | null = null;

  constructor(request: SessionRequest, config: CodexConfig, machine: Machine) {
    this.#request = request;
    this.#config = config;
    this.#machine = machine;
    this.#nativeId = request.nativeId;
  }

  line(text: string, cut: boolean): readonly Sign[] {
    const event = cut ? null : objectIn(text);
    if (event === null) return cut ? [progress] : [];
    this.#spoke = true;
    switch (event["type"]) {
      case "thread.started":
        return this.#named(string(event["thread_id"]));
      case "turn.started":
        return [progress];
      case "item.started":
      case "item.updated":
      case "item.completed":
        return [...this.#item(object(event["item"]), string(event["type"])), ...this.#seenInRecord()];
      case "error":
        // Not the end: usually a retry, possibly forever.
        this.#lastError = string(event["message"]) || this.#lastError;
        return [];
      case "turn.completed":
        this.#completed = object(event["usage"]);
        return [progress, ...this.#seenInRecord(), { sign: "result" }];
      case "turn.failed":
        this.#failed = string(object(event["error"])["message"]) || this.#lastError || "The turn failed.";
        return [{ sign: "result" }];
      default:
        return []; // Later versions print more events; unknown ones are not progress.
    }
  }

  /** Codex reports a hook's refusal only on stderr. */
  errorLine(text: string): readonly Sign[] {
    const [, why = "", command = ""] = blocked.exec(text) ?? [];
    return isRefusal(why) ? [{ sign: "refused", command, why }] : [];
  }

  look(): readonly Sign[] {
    return this.#spoke ? this.#seenInRecord() : [];
  }

  #named(id: string): readonly Sign[] {
    if (id === "") return [];
    this.#nativeId = id;
    return [progress, { sign: "native-id", id }];
  }

  /** Read after each action: an answer of the model came before it. */
  #seenInRecord(): readonly Sign[] {
    if (this.#nativeId === null) return [];
    this.#rollout ??= rolloutOf(this.#nativeId, this.#machine.env);
    if (this.#rollout === null) return [];
    this.#tail ??= new RolloutTail(this.#rollout, partTimes(this.#request), this.#config.prices);
    const { context, window } = readCounts(this.#rollout);
    return [
      ...(window === null ? [] : [{ sign: "window", window } as const]),
      ...(context === null ? [] : [{ sign: "context", ...context } as const]),
      { sign: "usage", usage: this.#tail.read() },
    ];
  }

  #item(item: Json, event: string): readonly Sign[] {
    if (item["type"] === "error") return []; // A warning.
    const isOver = event === "item.completed";
    if (item["type"] === "agent_message" && isOver) this.#lastMessage = string(item["text"]);
    const changed = item["type"] === "file_change" && isOver && item["status"] !== "failed";
    const edits = changed ? objects(item["changes"]) : [];
    return [
      progress,
      ...this.#shown(item, event),
      ...edits.map((change): Sign => ({ sign: "edit", path: string(change["path"]) })),
    ];
  }

  #shown(item: Json, event: string): readonly Sign[] {
    const call = string(item["id"]);
    if (item["type"] === "agent_message")
      return event === "item.completed" && this.#lastMessage.trim() !== ""
        ? [{ sign: "said", text: this.#lastMessage }]
        : [];
    const tool = this.#tool(item);
    if (tool === null || event === "item.updated") return [];
    if (event === "item.started") return [{ sign: "tool", call, ...tool }];
    return [{ sign: "tool-ended", call, failed: item["status"] === "failed" }];
  }

  /** Null: not an action. */
  #tool(item: Json): { name: string; argument: string } | null {
    const { cwd } = this.#request;
    switch (item["type"]) {
      case "command_execution":
        return { name: "shell", argument: plainCommand(string(item["command"])) };
      case "file_change": {
        const paths = objects(item["changes"]).map((change) => shownPath(string(change["path"]), cwd));
        return { name: "edit", argument: paths.join(", ").slice(0, 1000) };
      }
      case "mcp_tool_call":
        return {
          name: `${string(item["server"])}.${string(item["tool"])}`,
          argument: argumentOf(object(item["arguments"]), cwd),
        };
      case "web_search":
        return { name: "web search", argument: string(item["query"]).slice(0, 1000) };
      default:
        return null;
    }
  }

  end(exit: Exit | null, files: { reply: string | null; stderrTail: string }): Ending {
    const usage = this.#usage();
    const reply = this.#reply(exit, files.reply);
    if (reply !== null) return { how: "replied", ...reply, usage, nativeId: this.#nativeId };
    const gone = !this.#spoke && isGone(files.stderrTail);
    return {
      how: "failed",
      failure: this.#failure(exit, files.stderrTail),
      usage,
      nativeId: gone ? null : this.#nativeId,
    };
  }

  #reply(exit: Exit | null, file: string | null): { reply: unknown; text: string } | null {
    if (!this.#isWell(exit)) return null;
    const text = file?.trim() || this.#lastMessage.trim();
    const reply = replyInText(text);
    if (reply === null && (hasSchema(this.#request) || text === "")) return null;
    return { reply, text };
  }

  /** A process that had to be ended after its turn completed still has that turn. */
  #isWell(exit: Exit | null): boolean {
    return (
      this.#completed !== null && this.#failed === null && (exit === null || exit.code === 0 || exit.code === null)
    );
  }

  #failure(exit: Exit | null, stderr: string) {
    if (this.#isWell(exit)) {
      const said = this.#lastMessage.slice(0, 300);
      const text =
        said === ""
          ? "The agent exited without output."
          : `The agent ended without the expected reply, but with: ${said}`;
      return { class: "no-result" as const, text, retryAt: null };
    }
    const { zone, now } = this.#machine;
    const traces = { exit, spoke: this.#spoke, failed: this.#failed, lastError: this.#lastError, stderr, zone };
    return failureOf({ ...traces, saidAt: now() });
  }

  #usage(): Usage {
    const { env } = this.#machine;
    const { prices, model } = this.#config;
    const id = this.#nativeId;
    const recorded = id === null ? null : readRollout(id, partTimes(this.#request), env, prices);
    if (recorded !== null) return recorded;
    if (this.#completed === null) return this.#spoke ? { ...noUsage, costUsd: null } : noUsage;
    const tokens = tokensOf(this.#completed);
    // The printed sum covers the whole thread; for a resumed one it is not the cost of this part.
    const isWhole = this.#request.nativeId === null;
    return { ...tokens, costUsd: isWhole && model !== undefined ? costOf(tokens, priceOf(model, prices)) : null };
  }
}
