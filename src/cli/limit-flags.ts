// Limits on the command line: --budget 40, --iterations 20, …
import type { Command } from "commander";
import { UserError } from "../core/errors.ts";
import { capped, limitRow } from "../core/limits.ts";
import type { LoopYaml } from "../formats/config/loop-yaml.ts";

/** As the command line names them: --check-minutes is `checkMinutes`. */
export type LimitFlags = {
  budget?: string;
  iterations?: string;
  minutes?: string;
  checkMinutes?: string;
  sessions?: string;
  tokens?: string;
  commits?: string;
};

export function addLimitFlags(command: Command): Command {
  for (const { limit, flag, help } of capped)
    command.option(`--${flag} <${limitRow(limit).unit === "usd" ? "usd" : "n"}>`, help);
  return command;
}

export function limitFlags(flags: LimitFlags): NonNullable<LoopYaml["limits"]> {
  const limits: Record<string, number> = {};
  for (const { limit, flag } of capped) {
    const { key, unit } = limitRow(limit);
    const text = (flags as Readonly<Record<string, string | undefined>>)[camelCase(flag)];
    if (text === undefined) continue;
    const value = Number(text.replace(/^\$/, ""));
    const isWhole = unit !== "count" || Number.isInteger(value);
    if (text.trim() === "" || !Number.isFinite(value) || value <= 0 || !isWhole) {
      throw new UserError("bad-flag", {
        what: "Nothing was started.",
        why: `--${flag} ${text} is not a ${unit === "usd" ? "sum of money" : "positive number"}.`,
        next: `For example: --${flag} ${unit === "usd" ? "40" : "20"}`,
      });
    }
    limits[key] = value;
  }
  return limits;
}

const camelCase = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
