// The command line of autoloop in our words: --intent "…", --list-tasks, --task-id ID --resume.
import type { Command } from "commander";
import { UserError } from "../core/errors.ts";
import { intents } from "./choice-flags.ts";
import { operandsOf } from "./first-word.ts";

/** Unchanged where a command is named: autoloop has none, and `loop continue --intent append` is ours. */
export function inOurWords(argv: readonly string[], program: Command, run: Command): readonly string[] {
  const { flags, intent } = taken(argv);
  const [first = ""] = operandsOf(flags, program, run).words;
  if (program.commands.some((each) => each.name() === first || each.aliases().includes(first))) return argv;
  const { options } = operandsOf(argv, program, run);
  const isResumed = options.has("--resume");
  const isListed = options.has("--list-tasks");
  if (intent === null && !isResumed && !isListed && !options.has("--task-id")) return argv;
  if (options.has("--model-effort")) throw inTheFile("--model-effort");
  if (isListed) return ["list", ...flags];
  const request = intent === null ? [] : ["--", intent];
  return [isResumed ? "continue" : "run", ...flags, ...request];
}

/** `intent`: a request, and never one of our words for what a new text means. */
function taken(argv: readonly string[]): { flags: readonly string[]; intent: string | null } {
  const flags: string[] = [];
  let intent: string | null = null;
  for (let at = 0; at < argv.length; at++) {
    const [name = "", ...rest] = (argv[at] ?? "").split("=");
    const isGiven = rest.length > 0;
    if (name === "--list-tasks" || name === "--resume") continue;
    if (name === "--task-id") flags.push("--task", ...(isGiven ? [rest.join("=")] : []));
    else if (name === "--intent") {
      const text = isGiven ? rest.join("=") : (argv[++at] ?? "");
      if (text !== "" && !intents.some((mode) => mode === text)) intent = text;
      else flags.push("--intent", text);
    } else flags.push(argv[at] ?? "");
  }
  return { flags, intent };
}

const inTheFile = (flag: string): UserError =>
  new UserError("bad-flag", {
    what: "Nothing was started.",
    why: `${flag} is a setting here: which efforts there are depends on the agent and its model, and it stands next to them.`,
    next: "Write it into loop.yaml: agents: { maker: { kind: codex, model: gpt-5.4, effort: high } }",
  });
