// Reads the bridge's output about a session with an ACP agent.
import { noUsage, type Usage } from "../../core/session.ts";
import type { Ending, Exit, Reader, SessionRequest, Sign } from "../agent.ts";
import { count, isObject, type Json, objectIn, string } from "../cli/json.ts";
import type { Machine } from "../cli/machine.ts";
import { replyInText } from "../reply/reply-text.ts";
import type { AcpConfig } from "./config.ts";
import { failureByStop, failureOf } from "./failure.ts";
import { usageOf } from "./usage.ts";

const progress: Sign = { sign: "progress" };

export function acpReader(request: SessionRequest, config: AcpConfig, machine: Machine): Reader {
  return new AcpReader(request, config, machine);
}

class AcpReader implements Reader {
  readonly #request: SessionRequest;
  readonly #config: AcpConfig;
  readonly #machine: Machine;
  #nativeId: string | null;
  #asked = false;
  #answered = false;
  /** The bridge's last event: the turn ended or failed. */
  #last: Json | null = null;
  #refused: string[] = [];

  constructor(request: SessionRequest, config: AcpConfig, machine: Machine) {
    this.#request = request;
    this.#config = config;
    this.#machine = machine;
    this.#nativeId = request.nativeId;
  }

  line(text: string, cut: boolean): readonly Sign[] {
    const event = cut ? null : objectIn(text);
    if (event === null) return [];
    switch (event["acp"]) {
      case "native-id":
        this.#nativeId = string(event["id"]) || null;
        return this.#nativeId === null ? [] : [progress, { sign: "native-id", id: this.#nativeId }];
      case "asked":
        this.#asked = true;
        return [progress];
      case "progress":
        // An error may arrive as the only message.
        this.#answered ||= event["note"] !== "agent_message_chunk";
        return [progress];
      case "edit":
        return [progress, { sign: "edit", path: string(event["path"]) }];
      case "tool":
        return [
          {
            sign: "tool",
            call: string(event["call"]),
            name: string(event["name"]),
            argument: string(event["argument"]),
          },
        ];
      case "tool-ended":
        return [{ sign: "tool-ended", call: string(event["call"]), failed: event["failed"] === true }];
      case "said":
        return [{ sign: "said", text: string(event["text"]) }];
      case "context":
        this.#answered ||= count(event["used"]) > 0;
        return [{ sign: "context", used: count(event["used"]), size: count(event["size"]) }];
      case "refused":
        if (this.#refused.length < 20) this.#refused.push(string(event["what"]));
        return refusedBy(event["destructive"]);
      case "ended":
      case "failed":
        this.#last = event;
        return [{ sign: "usage", usage: this.#usage() }, { sign: "result" }];
      default:
        return [];
    }
  }

  end(exit: Exit | null, files: { stderrTail: string }): Ending {
    const usage = this.#usage();
    const lost = this.#last?.["lost"] === true;
    const nativeId = lost ? null : this.#nativeId;
    const reply = this.#reply();
    if (reply !== null) return { how: "replied", ...reply, usage, nativeId };
    return { how: "failed", failure: this.#failure(exit, files.stderrTail), usage, nativeId };
  }

  #reply(): { reply: unknown; text: string } | null {
    if (this.#last?.["acp"] !== "ended" || failureByStop(string(this.#last["stop"])) !== null) return null;
    const text = string(this.#last["text"]).trim();
    const reply = replyInText(text);
    const needsReply = this.#request.replySchema !== null && this.#request.replySchema !== undefined;
    return reply === null && (needsReply || text === "") ? null : { reply, text };
  }

  #failure(exit: Exit | null, stderr: string) {
    const { now, zone } = this.#machine;
    const last = this.#last;
    if (last?.["acp"] === "ended") return failureByStop(string(last["stop"])) ?? this.#saidError() ?? this.#noReply();
    if (last !== null) return failureOf(withLastWords(last, stderr), now(), zone);
    const how =
      exit === null ? "The agent was gone before it replied." : `The bridge ended${inWords(exit)} before it replied.`;
    return { class: "crashed" as const, text: lastWords(how, stderr), retryAt: null };
  }

  /** Some agents end their turn normally, with an error as their last message. */
  #saidError() {
    const text = string(this.#last?.["text"]).trim();
    if (this.#answered || this.#last?.["usage"] != null || text === "") return null;
    const failure = failureOf({ text }, this.#machine.now(), this.#machine.zone);
    return failure.class === "crashed" ? null : failure;
  }

  #noReply() {
    const said = string(this.#last?.["text"]).trim().slice(0, 300);
    const text =
      said === ""
        ? "The agent exited without output."
        : `The agent ended without the expected reply, but with: ${said}`;
    const why = this.#refused.length === 0 ? "" : ` It was refused: ${this.#refused.join("; ").slice(0, 500)}`;
    return { class: "no-result" as const, text: text + why, retryAt: null };
  }

  /** Nothing was paid before the model replied; the cost of an interrupted turn is unknown. */
  #usage(): Usage {
    if (!this.#asked || (this.#last !== null && !this.#answered && this.#last["usage"] == null)) return noUsage;
    if (this.#last === null) return { ...noUsage, costUsd: null };
    const isWhole = this.#request.nativeId === null;
    return usageOf(this.#last, isWhole, this.#config.model ?? "", this.#config.prices);
  }
}

/** Only what no session may do: a verifier that may not write is normal, and not reported. */
const refusedBy = (action: unknown): readonly Sign[] =>
  isObject(action) ? [{ sign: "refused", command: string(action["command"]), why: string(action["why"]) }] : [];

/** If it just exited, its stderr says more. */
const withLastWords = (last: Json, stderr: string): Json =>
  last["gone"] === true ? { ...last, text: lastWords(string(last["text"]), stderr) } : last;

function lastWords(text: string, stderr: string): string {
  const said = stderr.trim().split("\n").slice(-5).join("\n").slice(-1000);
  return said === "" ? text : `${text} Its last words: ${said}`;
}

const inWords = ({ code, signal }: Exit): string => (signal === null ? ` with code ${code}` : ` by ${signal}`);
