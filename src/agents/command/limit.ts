// A command agent at a usage limit, or whose model cannot be reached: it says so in its reply, or passes on the words of the
// CLI or the service that it drives. The run waits, and no attempt is counted.
import type { Ending, Reader } from "../agent.ts";
import { readLimit } from "../limits/limits.ts";
import { readResetTime, readRetryTime } from "../limits/reset-time.ts";
import { findReply } from "../reply/reply.ts";

type Files = Parameters<Reader["end"]>[1];

export function withLimit(ending: Ending, files: Files, now: number): Ending {
  const { usage, nativeId } = ending;
  const said = findReply(files.reply, files.stdoutTail);
  if (said?.reply["status"] === "limited") {
    const text = said.text === "" ? "The agent says that it is at a usage limit." : said.text.slice(0, 1000);
    const retryAt = retryIn(said.reply["retry_after_s"], now) ?? readResetTime(text, now);
    return { how: "failed", failure: { class: "limited", text, retryAt }, usage, nativeId };
  }
  if (ending.how !== "failed") return ending;
  const text = `${lastLines(files.stdoutTail)}\n${lastLines(files.stderrTail)}`.trim();
  const limit = readLimit(text, now);
  // What it did before is in its log; people are told of the limit.
  if (limit !== null)
    return { ...ending, failure: { class: "limited", text: fromLimit(text, now), retryAt: limit.retryAt } };
  if (!text.split("\n").some(isOutage)) return ending;
  return { ...ending, failure: { class: "transient", text, retryAt: readRetryTime(text, now), isGuess: true } };
}

/** From the line that names the limit. */
function fromLimit(text: string, now: number): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => readLimit(line, now) !== null);
  return lines.slice(Math.max(0, at)).join("\n");
}

/**
 * As services and their clients say it: the status and its meaning on one line. The output is that of any program, so neither
 * is enough alone, and what looks like both may still be the title of a failing test: see `isGuess`.
 */
const isOutage = (line: string): boolean => status.test(line) && meaning.test(line);
/** Not a line of a file, such as limit.js:429. Other 5xx are as often the bug that the session works on. */
const status = /(?<![\d.]|\.\w{1,5}:)\b(?:429|503|529)\b/;
const meaning = /rate[ _-]?limit|too many requests|overloaded|unavailable/i;

const retryAfterMsMax = 31 * 86_400_000;

const retryIn = (seconds: unknown, now: number): number | null =>
  typeof seconds === "number" && seconds >= 0 && seconds * 1000 <= retryAfterMsMax
    ? now + Math.ceil(seconds * 1000)
    : null;

const lastLines = (text: string): string => text.trim().split("\n").slice(-5).join("\n").slice(-1000);
