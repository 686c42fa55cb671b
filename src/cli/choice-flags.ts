// Flags whose value is one of a few words: --agent codex, --autonomy L2, --sandbox require, --pairs plan,audit.
import { Argument, type Command, Option } from "commander";
import { UserError } from "../core/errors.ts";
import type { LoopYaml } from "../formats/config/loop-yaml.ts";
import { nearest } from "../formats/text/nearest.ts";
import { meantModel } from "../project/agents/agent-words.ts";

const agents = ["claude", "codex", "rehearsal"] as const;
export const sandboxes = ["auto", "require", "off"] as const;
export const intents = ["append", "replace", "preserve"] as const;
export const pairs = ["plan", "implement", "test", "audit"] as const;
export const levels = ["L1", "L2", "L3"] as const;
/** Whose skills folder. `agents` is ~/.agents, which several agents read; `both` is codex and agents. */
export const skillTargets = ["all", "claude", "codex", "agents", "both", "none"] as const;
/** The ones to offer: the third is for tests and demonstrations. */
export const agentsShown = ["claude", "codex"] as const;

/** For help and completion. The command judges the word itself, and its error names the nearest one. */
export function choice(flags: string, help: string, words: readonly string[]): Option {
  const option = new Option(flags, help);
  option.argChoices = [...words];
  return option;
}

/** The same for an argument. */
export function oneOf(name: string, help: string, words: readonly string[]): Argument {
  const argument = new Argument(name, help);
  argument.argChoices = [...words];
  return argument;
}

export type CrewFlags = { agent?: string; maker?: string; checker?: string; model?: string };

/** Who makes and who checks; the others follow. */
export function agentFlags({ agent, maker = agent, checker = agent }: CrewFlags): Pick<LoopYaml, "agents"> {
  // The flag that was typed is named.
  const named = (flag: string, text: string | undefined) =>
    text === undefined ? undefined : chosen(text === agent ? "--agent" : flag, text, agents);
  const [makes, checks] = [named("--maker", maker), named("--checker", checker)];
  if (makes === undefined && checks === undefined) return {};
  return {
    agents: { ...(makes === undefined ? {} : { maker: makes }), ...(checks === undefined ? {} : { checker: checks }) },
  };
}

/** Any name that an agent may know, and no slip of a known one. */
export function modelFlag({ model }: CrewFlags): { model?: string } {
  if (model === undefined) return {};
  const meant = meantModel(model);
  if (meant === null && /^[\w][\w.:/@[\]-]{0,99}$/.test(model)) return { model };
  throw new UserError("bad-flag", {
    what: "Nothing was started.",
    why: `Unknown model ${JSON.stringify(model)}.`,
    next: `${meant === null ? "For example: --model opus" : `Did you mean: --model ${meant}?`} A name that only your agent knows goes into loop.yaml: agents.maker.model`,
  });
}

export const addCrewFlags = (command: Command): Command =>
  command
    .addOption(choice("--agent <name>", "for making and checking", agentsShown))
    .addOption(choice("--maker <name>", "who builds", agentsShown))
    .addOption(choice("--checker <name>", "who judges what was built", agentsShown))
    .option("--model <name>", "the maker's model, such as opus or gpt-5.4");

export function autonomyFlag(text: string | undefined): Pick<LoopYaml, "autonomy"> {
  return text === undefined ? {} : { autonomy: chosen("--autonomy", text.toUpperCase(), levels) };
}

export function sandboxFlag(text: string | undefined): Pick<LoopYaml, "sandbox"> {
  return text === undefined ? {} : { sandbox: chosen("--sandbox", text, sandboxes) };
}

/** `plan,implement,audit`, in the order in which they run. */
export function pairsFlag(text: string | undefined): Pick<LoopYaml, "stages"> {
  if (text === undefined) return {};
  const named = text.split(",").map((word) => chosen("--pairs", word.trim(), pairs));
  if (!named.includes("implement"))
    throw new UserError("bad-flag", {
      what: "Nothing was started.",
      why: `--pairs ${text} leaves out implement, and a run without it would change nothing.`,
      next: `--pairs ${pairs.filter((pair) => pair === "implement" || named.includes(pair)).join(",")}. To read a plan before anything is built: add --autonomy L1`,
    });
  return { stages: pairs.filter((pair) => named.includes(pair)) };
}

/** `flag`: what comes before the word on the command line. */
export function chosen<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  const meant = nearest(text, words);
  throw new UserError("bad-flag", {
    what: "Nothing was started.",
    why: `${flag} ${text} is not one of ${words.join(", ")}.`,
    next: meant === null ? `For example: ${flag} ${words[0]}` : `Did you mean: ${flag} ${meant}?`,
  });
}

export const seedFormat = (): Option =>
  new Option("--format <form>", "seed: the [LOOP] lines, status blocks and verdict box of the hope loop").choices([
    "plain",
    "seed",
  ]);
