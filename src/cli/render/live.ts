// The live area: what is being done right now, for how long, and at what cost. Every line fits the terminal.
import type { Effect } from "../../core/effect.ts";
import type { Run } from "../../core/run.ts";
import type { Usage } from "../../core/session.ts";
import { visibleLine, visibleText } from "../../formats/text/visible-text.ts";
import type { Story } from "../../report/story.ts";
import { duration, money } from "../../report/words/words.ts";
import type { Activity, Deed } from "../../runtime/activity.ts";
import { fitted, widthOf } from "./width.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export type Live = {
  readonly effect: Effect | null;
  readonly sinceMs: number;
  /** Null: nothing was seen of this session yet. */
  readonly activity: Activity | null;
  /** How long the last sessions of this role took here. */
  readonly past: readonly number[];
  readonly isDetailed: boolean;
  /** Which run of a proof is going on. */
  readonly step: string | null;
  readonly frame: number;
};
export type Room = { readonly columns: number; readonly rows: number };

/** What a detailed view shows besides the first line. */
const detailsMax = 12;

export function liveLines({ run }: Story, live: Live, nowMs: number, { columns, rows }: Room): string[] {
  const { effect, activity } = live;
  const inSession = effect?.do === "run-session";
  const usage = activity?.usage ?? null;
  const what = `${frames[live.frame % frames.length]} ${effect === null ? "starting" : doing(effect, live.step, nowMs)}`;
  const needed = [what, elapsed(nowMs - live.sinceMs), costText(run, usage)];
  // In the order in which they are left out where the terminal is narrow.
  const hint = live.isDetailed ? "v: less" : "v: details";
  const more = inSession ? [hint, forecast(live.past), windowText(run, activity), tokensText(run, usage)] : [];
  const first = joined(needed, more, columns - 1);
  const below = activity === null || !inSession ? [] : live.isDetailed ? details(activity) : brief(activity);
  const most = Math.max(0, Math.min(rows - 2, detailsMax));
  return [first, ...below.slice(-most || below.length).slice(0, most)].map((line) => fitted(line, columns - 1));
}

function joined(
  [what = "", time = "", cost = ""]: readonly string[],
  more: readonly string[],
  columns: number,
): string {
  const [hint = "", past = "", window = "", tokens = ""] = more;
  const text = [what, time, tokens, cost, window, past, hint].filter((part) => part !== "").join(" · ");
  const left = more.findIndex((part) => part !== "");
  return left === -1 || widthOf(text) <= columns ? text : joined([what, time, cost], more.with(left, ""), columns);
}

function brief({ tool, words }: Activity): string[] {
  return [
    ...(tool === null
      ? []
      : [`  ${tool.isOver ? (tool.failed ? "✗" : "✓") : "▸"} ${toolText(tool.name, tool.argument)}`]),
    ...(words === "" ? [] : [`  ${visibleLine(words)}`]),
  ];
}

function details({ recent, contextPercent }: Activity): string[] {
  const context = contextPercent === null ? [] : [`  context ${Math.round(contextPercent)} % full`];
  return [...recent.slice(context.length - detailsMax).map((deed) => `  ${deedText(deed)}`), ...context];
}

export function deedText(deed: Deed): string {
  switch (deed.is) {
    case "tool":
      return `▸ ${toolText(deed.name, deed.argument)}`;
    case "failed":
      return `✗ ${visibleLine(deed.name)} failed`;
    case "edit":
      return `✎ ${visibleLine(deed.path)}`;
    case "refused":
      return `✗ refused: ${visibleLine(deed.command)}`;
    case "compacted":
      return "the agent compacted its conversation";
    case "output":
      return `| ${visibleText(deed.text)
        .trimEnd()
        .replace(/[\n\t]/g, " ")}`;
    default:
      return visibleLine(deed.text);
  }
}

const toolText = (name: string, argument: string): string => visibleLine(`${name} ${argument}`);

/** Whole seconds: a digit that changes ten times a second tells nothing. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `last 5: 40 s to 3 min`. */
function forecast(past: readonly number[]): string {
  if (past.length === 0) return "";
  const [least, most] = [duration(Math.min(...past)), duration(Math.max(...past))];
  return `last ${past.length}: ${least === most ? least : `${least} to ${most}`}`;
}

/** The run's tokens and money, with those of the session in progress. */
function tokensText({ spent, contract }: Run, usage: Usage | null): string {
  const used = spent.tokens + (usage === null ? 0 : tokensOf(usage));
  const { tokensMax } = contract.limits;
  if (used === 0 && tokensMax === null) return "";
  return `${thousands(used)}${tokensMax === null ? "" : ` of ${thousands(tokensMax)}`} tokens`;
}

function costText({ spent, contract }: Run, usage: Usage | null): string {
  const { costUsdMax } = contract.limits;
  // An unknown price counts as nothing here, and the sum says that there is more.
  const isWhole = usage === null || usage.costUsd !== null;
  const sum = money(spent.costUsd + (usage?.costUsd ?? 0), spent.estimated);
  return `${sum}${isWhole ? "" : "+"}${costUsdMax === null ? "" : ` of $${costUsdMax}`}`;
}

/** `5-hour window 41 % of 80 %`. */
function windowText({ contract }: Run, activity: Activity | null): string {
  if (activity === null || activity.window === null) return "";
  const { windowPercentMax = null } = contract.limits;
  const { name, percent } = activity.window;
  return `${name} window ${Math.round(percent)} %${windowPercentMax === null ? "" : ` of ${windowPercentMax} %`}`;
}

const tokensOf = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number =>
  inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;

export function thousands(number: number): string {
  if (number < 1000) return String(number);
  if (number < 1_000_000) return `${(number / 1000).toFixed(number < 100_000 ? 1 : 0)}k`;
  return `${(number / 1_000_000).toFixed(1)}M`;
}

function doing(effect: Effect, step: string | null, nowMs: number): string {
  switch (effect.do) {
    case "prepare":
      return "looking at the workspace, running the checks";
    case "run-session":
      return `${effect.work?.feature ?? "run"} ${effect.role}`;
    case "prove":
      return `${effect.work.feature} ${step === null ? "running the checks on a clean checkout" : `proving: ${step}`}`;
    case "wait":
      return `waiting ${duration(Math.max(0, effect.until - nowMs))} more: ${visibleLine(effect.because).slice(0, 80)}`;
    case "roll-back":
      return `${effect.work.feature} rolling back`;
    case "close":
      return "running the checks for the last time";
    default:
      return otherwise[effect.do];
  }
}

/** Mostly too short to be read. */
const otherwise = {
  observe: "reading the queue",
  checkpoint: "saving a checkpoint",
  "reserve-session": "preparing a session",
  collect: "looking at what has changed",
  commit: "committing",
  hold: "keeping the work for you",
  release: "removing branches that are not needed",
  "take-up": "taking up the held work",
  file: "writing the records",
} as const;
