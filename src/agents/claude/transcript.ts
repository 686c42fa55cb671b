// Reads a session's usage from claude's own transcript, when the process died before it could report it.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { HostEnv } from "../cli/cli-env.ts";
import { object, objectIn, string } from "../cli/json.ts";
import { NewLines } from "../cli/new-lines.ts";
import { readLines } from "../cli/read-lines.ts";
import { isWithin, type PartTimes } from "../session/part-times.ts";
import { type MessageUsage, merge, usageOfMessage } from "./usage.ts";

/**
 * Every finished answer of the conversation in that period, by id. A transcript has one line per block of an answer,
 * each with the final count. The request in flight when the process died is in no file; only the provider knows it.
 */
export function readTranscript(id: string, times: PartTimes, env: HostEnv): Map<string, MessageUsage> {
  const messages = new Map<string, MessageUsage>();
  for (const file of transcriptsOf(id, env)) readLines(file, (line) => take(line, times, messages));
  return messages;
}

/** The answers that the conversation has got since the last look, without those of subagents. */
export class TranscriptTail {
  readonly #id: string;
  readonly #times: PartTimes;
  readonly #env: HostEnv;
  #lines: NewLines | null = null;

  constructor(id: string, times: PartTimes, env: HostEnv) {
    this.#id = id;
    this.#times = times;
    this.#env = env;
  }

  read(): Map<string, MessageUsage> {
    const messages = new Map<string, MessageUsage>();
    this.#lines ??= this.#find();
    for (const line of this.#lines?.read() ?? []) take(line, this.#times, messages);
    return messages;
  }

  /** It begins some time after the process. */
  #find(): NewLines | null {
    const path = transcriptsOf(this.#id, this.#env).find(
      (file) => file.endsWith(`${this.#id}.jsonl`) && existsSync(file),
    );
    return path === undefined ? null : new NewLines(path);
  }
}

function take(line: string, times: PartTimes, messages: Map<string, MessageUsage>): void {
  // Most lines are tool output; parsing them all would be slow.
  if (!line.includes('"usage"') || !line.includes('"assistant"')) return;
  const entry = objectIn(line);
  const message = object(entry?.["message"]);
  const key = string(message["id"]);
  if (entry?.["type"] !== "assistant" || key === "" || message["model"] === "<synthetic>") return;
  if (isWithin(times, entry["timestamp"])) messages.set(key, merge(messages.get(key), usageOfMessage(message)));
}

/** The conversation's file and those of its subagents. The folder is named after where it started; ids are unique. */
function transcriptsOf(id: string, env: HostEnv): string[] {
  if (!/^[A-Za-z0-9-]+$/.test(id)) return [];
  const home = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? "/", ".claude");
  const projects = join(home, "projects");
  return namesIn(projects).flatMap((project) => {
    const subagents = join(projects, project, id, "subagents");
    const files = namesIn(subagents).filter((name) => name.endsWith(".jsonl"));
    return [join(projects, project, `${id}.jsonl`), ...files.map((name) => join(subagents, name))];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
