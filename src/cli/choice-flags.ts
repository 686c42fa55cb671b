// Flags whose value is one of a few words: --agent codex, --autonomy L2, --sandbox require, --pairs plan,audit.
import { UserError } from "../core/errors.ts";
import type { LoopYaml } from "../formats/loop-yaml.ts";
import { nearest } from "../formats/nearest.ts";

const agents = ["claude", "codex", "rehearsal"] as const;
const sandboxes = ["auto", "require", "off"] as const;
const pairs = ["plan", "implement", "test", "audit"] as const;
const levels = ["L1", "L2", "L3"] as const;

/** One agent for making and checking; the others follow. */
export function agentFlags(text: string | undefined): Pick<LoopYaml, "agents"> {
  if (text === undefined) return {};
  const agent = chosen("agent", text, agents);
  return { agents: { maker: agent, checker: agent } };
}

export function autonomyFlag(text: string | undefined): Pick<LoopYaml, "autonomy"> {
  return text === undefined ? {} : { autonomy: chosen("autonomy", text.toUpperCase(), levels) };
}

export function sandboxFlag(text: string | undefined): Pick<LoopYaml, "sandbox"> {
  return text === undefined ? {} : { sandbox: chosen("sandbox", text, sandboxes) };
}

/** `plan,implement,audit`: every run implements, so that one need not be named. */
export function pairsFlag(text: string | undefined): Pick<LoopYaml, "stages"> {
  if (text === undefined) return {};
  const named = text.split(",").map((word) => chosen("pairs", word.trim(), pairs));
  return { stages: pairs.filter((pair) => pair === "implement" || named.includes(pair)) };
}

function chosen<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  const meant = nearest(text, words) ?? words[0];
  throw new UserError(
    "bad-flag",
    {
      what: "Nothing was started.",
      why: `--${flag} ${text} is not one of ${words.join(", ")}.`,
      next: `For example: --${flag} ${meant}`,
    },
    { exitCode: 64 },
  );
}
