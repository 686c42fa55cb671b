// The reply of an agent that speaks our own protocol: in its reply file, or else in its output.
import { noUsage, type Usage } from "../../core/session.ts";
import type { Ending, Exit, Reader } from "../agent.ts";
import { parsed } from "../cli/json.ts";

export type FoundReply = { reply: Record<string, unknown>; text: string };

/** The file first. A file without a JSON object is not a reply, and then the output is searched. */
export function findReply(file: string | null, stdout: string): FoundReply | null {
  const fromFile = file === null ? null : asObject(file);
  if (fromFile !== null) return { reply: fromFile, text: summaryOf(fromFile) };
  const printed = lastBlock(stdout);
  return printed === null ? null : { reply: printed, text: summaryOf(printed) };
}

const blocks = [
  { from: "---LOOP_STATUS---", to: "---END_STATUS---", read: (body: string) => asObject(body) ?? asKeys(body) },
  { from: "<loop-control>", to: "</loop-control>", read: asObject },
];

/** The block that ends last counts: agents show the format before they use it, and change their mind. */
function lastBlock(text: string): Record<string, unknown> | null {
  let best: { at: number; reply: Record<string, unknown> } | null = null;
  for (const { from, to, read } of blocks) {
    const end = text.lastIndexOf(to);
    const start = end === -1 ? -1 : text.lastIndexOf(from, end);
    const reply = start === -1 ? null : read(text.slice(start + from.length, end));
    if (reply !== null && end > (best?.at ?? -1)) best = { at: end, reply };
  }
  return best?.reply ?? null;
}

const keys = { EXIT_SIGNAL: "exit_signal", CRITERIA: "criteria", STUCK_COUNT: "stuck_count", NEXT: "next" } as const;

/** `KEY: value` lines. Only a block with an exit signal counts; a true one corresponds to "done". */
function asKeys(body: string): Record<string, unknown> | null {
  const reply: Record<string, unknown> = {};
  for (const line of body.split("\n")) {
    const [, key, value] = /^\s*([A-Z_]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && key in keys) reply[keys[key as keyof typeof keys]] = parse(value ?? "") ?? value;
  }
  if (typeof reply["exit_signal"] !== "boolean") return null;
  return { ...reply, status: reply["exit_signal"] ? "done" : "continue" };
}

function asObject(text: string): Record<string, unknown> | null {
  const value = parse(text.replace(/^\uFEFF/, ""));
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
}

const parse = (text: string): unknown => parsed(text) ?? null;

const summaryOf = (reply: Record<string, unknown>): string =>
  typeof reply["summary"] === "string" ? reply["summary"] : "";

/** A higher price is a mistake or a lie. */
const costUsdMax = 1e6;
const tokensMax = 1e12;

/** The usage in a reply; impossible numbers are unknown, never trusted and never an error. */
export function usageOf(reply: Record<string, unknown> | null, costUsdElse: number | null): Usage {
  const said = reply?.["usage"];
  const usage = typeof said === "object" && said !== null ? (said as Record<string, unknown>) : {};
  const cost = usage["cost_usd"];
  return {
    ...noUsage,
    inputTokens: Math.round(within(usage["input_tokens"], tokensMax) ?? 0),
    outputTokens: Math.round(within(usage["output_tokens"], tokensMax) ?? 0),
    costUsd: cost === undefined ? costUsdElse : within(cost, costUsdMax),
  };
}

const within = (value: unknown, max: number): number | null =>
  typeof value === "number" && value >= 0 && value <= max ? value : null;

/** The ending of such an agent. Without a reply it never passes, for any exit code. */
export function replyEnding(
  exit: Exit | null,
  files: Parameters<Reader["end"]>[1],
  costUsdElse: number | null,
): Ending {
  const found = findReply(files.reply, files.stdoutTail);
  const rest = { usage: usageOf(found?.reply ?? null, costUsdElse), nativeId: null };
  const failed = (kind: "no-result" | "crashed", text: string, hint = ""): Ending => {
    const said = files.stderrTail.trim().split("\n").slice(-5).join("\n").slice(-1000);
    const failure = {
      class: kind,
      text: `${text}${said === "" ? "" : ` Its last words: ${said}`}${hint}`,
      retryAt: null,
    };
    return { how: "failed", failure, ...rest };
  };
  if (found === null)
    return failed(
      "no-result",
      `It left no reply that can be read${inWords(exit)}.`,
      "\nIts JSON belongs in the file that $LOOP_REPLY_FILE names.",
    );
  const well = exit === null || exit.code === 0;
  if (!well) return failed("crashed", `It left a reply, but did not end well${inWords(exit)}.`);
  return { how: "replied", ...found, ...rest };
}

function inWords(exit: Exit | null): string {
  if (exit === null) return "";
  return exit.signal === null ? ` (exit code ${exit.code})` : ` (ended by ${exit.signal})`;
}
