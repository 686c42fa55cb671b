// Limits on the command line: --budget 40, --iterations 20, …
import { UserError } from "../core/errors.ts";
import type { LoopYaml } from "../formats/loop-yaml.ts";

export type LimitFlags = {
  budget?: string;
  iterations?: string;
  minutes?: string;
  checkMinutes?: string;
  sessions?: string;
  tokens?: string;
  commits?: string;
};

const keys = {
  budget: "cost_usd",
  iterations: "iterations",
  minutes: "minutes",
  checkMinutes: "check_minutes",
  sessions: "sessions",
  tokens: "tokens",
  commits: "commits",
} as const;

export function limitFlags(flags: LimitFlags): NonNullable<LoopYaml["limits"]> {
  const limits: Record<string, number> = {};
  for (const [flag, key] of Object.entries(keys) as [keyof LimitFlags, string][]) {
    const text = flags[flag];
    if (text === undefined) continue;
    const value = Number(text.replace(/^\$/, ""));
    const whole = flag === "budget" || flag === "minutes" || flag === "checkMinutes" || Number.isInteger(value);
    if (text.trim() === "" || !Number.isFinite(value) || value <= 0 || !whole) {
      throw new UserError(
        "bad-flag",
        {
          what: "Nothing was started.",
          why: `--${dashed(flag)} ${text} is not a ${flag === "budget" ? "sum of money" : "positive number"}.`,
          next: `For example: --${dashed(flag)} ${flag === "budget" ? "40" : "20"}`,
        },
        { exitCode: 64 },
      );
    }
    limits[key] = value;
  }
  return limits;
}

const dashed = (flag: string): string => flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
