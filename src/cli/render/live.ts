// The live status line: what is being done right now, for how long, and at what cost.
import { stripVTControlCharacters } from "node:util";
import type { Effect } from "../../core/effect.ts";
import type { Story } from "../../report/story.ts";
import { cost, duration } from "../../report/words/words.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export type Live = {
  readonly effect: Effect | null;
  readonly sinceMs: number;
  readonly note: string;
  readonly frame: number;
};

export function liveLine({ run }: Story, live: Live, nowMs: number, columns: number): string {
  const { limits } = run.contract;
  const left = limits.costUsdMax === null ? "" : ` of $${limits.costUsdMax}`;
  const what = live.effect === null ? "starting" : doing(live.effect, nowMs);
  const note = live.note === "" ? "" : ` · ${stripVTControlCharacters(live.note).replace(/\s+/g, " ")}`;
  const text = `${frames[live.frame % frames.length]} ${what} · ${duration(nowMs - live.sinceMs)} · ${cost(run.spent)}${left}${note}`;
  return text.length > columns - 1 ? `${text.slice(0, Math.max(0, columns - 2))}…` : text;
}

function doing(effect: Effect, nowMs: number): string {
  switch (effect.do) {
    case "prepare":
      return "looking at the workspace, running the checks";
    case "run-session":
      return `${effect.work?.feature ?? "run"} ${effect.role}`;
    case "prove":
      return `${effect.work.feature} running the checks on a clean checkout`;
    case "wait":
      return `waiting ${duration(Math.max(0, effect.until - nowMs))} more: ${effect.because.slice(0, 80)}`;
    case "roll-back":
      return `${effect.work.feature} rolling back`;
    case "close":
      return "running the checks for the last time";
    default:
      return effect.do.replace("-", " ");
  }
}
