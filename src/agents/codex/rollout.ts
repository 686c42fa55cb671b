// Reads a session's usage from codex's own record of a thread: exact, per request, and available after a kill.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { noUsage, type Usage, type UsedWindow } from "../../core/session.ts";
import { readTail } from "../../host/process/follow.ts";
import type { HostEnv } from "../cli/cli-env.ts";
import { count, type Json, object, objectIn, string } from "../cli/json.ts";
import { NewLines } from "../cli/new-lines.ts";
import { readLines } from "../cli/read-lines.ts";
import { readEpoch } from "../limits/reset-time.ts";
import { costOf, type Prices, priceOf } from "../prices.ts";
import { isWithin, type PartTimes } from "../session/part-times.ts";
import { addUsage } from "../session/session-result.ts";
import { codexHome } from "./home.ts";
import { tokensOf } from "./usage.ts";

/** A line also contains tool output, so the last count can be far from the end. */
const tailBytes = 256 << 10;

/**
 * The usage of a thread in that period; null without a record. The totals that codex prints cover the whole thread and,
 * after a kill, are too low; the record has one entry per answer of the model.
 */
export function readRollout(thread: string, times: PartTimes, env: HostEnv, prices: Prices | undefined): Usage | null {
  const file = rolloutOf(thread, env);
  if (file === null) return null;
  const answers = new Answers(times, prices);
  readLines(file, (line) => answers.take(line));
  return answers.usage;
}

/** The same while the thread goes on: reads only what is new. */
export class RolloutTail {
  readonly #lines: NewLines;
  readonly #answers: Answers;

  constructor(file: string, times: PartTimes, prices: Prices | undefined) {
    this.#lines = new NewLines(file);
    this.#answers = new Answers(times, prices);
  }

  read(): Usage {
    for (const line of this.#lines.read()) this.#answers.take(line);
    return this.#answers.usage;
  }
}

class Answers {
  readonly #times: PartTimes;
  readonly #prices: Prices | undefined;
  readonly #usages = new Map<string, Usage>();
  #model = "";

  constructor(times: PartTimes, prices: Prices | undefined) {
    this.#times = times;
    this.#prices = prices;
  }

  take(line: string): void {
    if (!line.includes('"token_usage_record"') && !line.includes('"turn_context"')) return;
    const entry = objectIn(line);
    const payload = object(entry?.["payload"]);
    if (entry?.["type"] === "turn_context") this.#model = string(payload["model"]) || this.#model;
    if (entry?.["type"] !== "token_usage_record" || !isWithin(this.#times, entry["timestamp"])) return;
    const tokens = tokensOf(payload["usage"]);
    const key = string(payload["response_id"]) || String(this.#usages.size);
    this.#usages.set(key, { ...tokens, costUsd: costOf(tokens, priceOf(this.#model, this.#prices)) });
  }

  get usage(): Usage {
    return [...this.#usages.values()].reduce(addUsage, noUsage);
  }
}

/** How full the conversation is, and the plan's windows, from codex's record; it does not print them. */
export function readCounts(file: string): Counts {
  const found: Counts = { context: null, window: null };
  for (const line of readTail(file, tailBytes).split("\n").reverse()) {
    if (!line.includes('"token_count"')) continue;
    const payload = object(objectIn(line)?.["payload"]);
    found.context ??= contextIn(object(payload["info"]));
    found.window ??= windowIn(object(payload["rate_limits"]));
    if (found.context !== null && found.window !== null) break;
  }
  return found;
}

type Counts = { context: { used: number; size: number } | null; window: UsedWindow | null };

function contextIn(info: Json): Counts["context"] {
  const used = count(object(info["last_token_usage"])["total_tokens"]);
  const size = count(info["model_context_window"]);
  return used > 0 && size > 0 ? { used, size } : null;
}

/** The fuller of the two windows of a plan: 5 hours and a week. */
function windowIn(limits: Json): UsedWindow | null {
  const windows = [limits["primary"], limits["secondary"]].flatMap((value): UsedWindow[] => {
    const { used_percent: percent, window_minutes: minutes, resets_at: resetsAt } = object(value);
    if (typeof percent !== "number" || !(percent >= 0)) return [];
    return [{ name: windowName(count(minutes)), percent, until: readEpoch(resetsAt) }];
  });
  return windows.sort((one, other) => other.percent - one.percent)[0] ?? null;
}

function windowName(minutes: number): string {
  if (minutes === 0) return "usage";
  const hours = Math.round(minutes / 60);
  return hours === 168 ? "weekly" : `${hours}-hour`;
}

/** `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, by the day when the thread started. */
export function rolloutOf(thread: string, env: HostEnv): string | null {
  if (!/^[A-Za-z0-9-]+$/.test(thread)) return null;
  const folders = [join(codexHome(env), "sessions")];
  for (let depth = 0; depth < 3; depth += 1) {
    const below = folders.splice(0).flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
    folders.push(...below);
  }
  // Newest days first: it is almost always there.
  for (const folder of folders.sort().reverse()) {
    const name = namesIn(folder).find((each) => each.endsWith(`-${thread}.jsonl`));
    if (name !== undefined) return join(folder, name);
  }
  return null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
