// loop skill install: puts the packaged skill where agents look for skills. What is there already stays.
import * as fs from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../core/errors.ts";
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import { chosen, skillTargets } from "../choice-flags.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";

export type SkillFlags = GlobalFlags & { dryRun?: boolean; overwrite?: boolean; skillTarget?: string };

type Reader = "claude" | "codex" | "agents";
type Target = (typeof skillTargets)[number];
type Step = { readonly file: string; readonly does: "write" | "replace" | "nothing"; readonly before: string | null };

const packaged = fileURLToPath(new URL("../../../plugin/skills/loopwright/SKILL.md", import.meta.url));
const backup = ".before-loopwright";

const readersOf: Record<Target, readonly Reader[]> = {
  all: ["claude", "codex", "agents"],
  both: ["codex", "agents"],
  claude: ["claude"],
  codex: ["codex"],
  agents: ["agents"],
  none: [],
};

export function install(flags: SkillFlags): number {
  const context = contextOf(flags);
  const target = chosen("--skill-target", flags.skillTarget ?? "all", skillTargets);
  const text = readIfExists(packaged) ?? "";
  const steps = readersOf[target].map((reader) => stepFor(join(folderOf(reader), "loopwright", "SKILL.md"), text));
  const others = steps.filter(({ does }) => does === "replace");
  if (others.length > 0 && flags.overwrite !== true) throw differs(others.map(({ file }) => file));
  if (flags.dryRun !== true) for (const step of steps) perform(step, text);
  say(context, steps, flags.dryRun === true);
  return 0;
}

function stepFor(file: string, text: string): Step {
  const before = present(file);
  return { file, does: before === null ? "write" : before === text ? "nothing" : "replace", before };
}

function present(file: string): string | null {
  try {
    return readIfExists(file);
  } catch (cause) {
    const why = `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
    const next = "Make it a file that you can read, or move it away, and try again.";
    throw new UserError("skill-differs", { what: "No skill was installed.", why, next }, { cause });
  }
}

/** A file that is replaced is kept under another name. */
function perform({ file, does, before }: Step, text: string): void {
  if (does === "nothing") return;
  fs.mkdirSync(dirname(file), { recursive: true });
  if (before !== null) writeAtomic(`${file}${backup}`, before, { mode: 0o644 });
  writeAtomic(file, text, { mode: 0o644 });
}

function say(context: Context, steps: readonly Step[], isDry: boolean): void {
  if (context.json) {
    const skills = steps.map(({ file, does }) => ({ file, does }));
    printAnswer(answers.skill, { dryRun: isDry, skills }, 0);
    return;
  }
  const words: Record<Step["does"], string> = {
    write: isDry ? "Would write" : "Wrote",
    replace: isDry ? "Would replace" : "Replaced",
    nothing: "Up to date:",
  };
  for (const { file, does } of steps) context.answer(`${words[does]} ${file}\n`);
  if (steps.length === 0) context.answer("No skill was installed: the target is none.\n");
}

const differs = (files: readonly string[]): UserError =>
  new UserError("skill-differs", {
    what: "No skill was installed.",
    why: `Another version is there already:\n${files.join("\n")}`,
    next: "loop skill install --overwrite replaces it, and keeps the old file under another name.",
  });

/** Where each looks for the skills of a person. */
function folderOf(reader: Reader, env: NodeJS.ProcessEnv = process.env): string {
  const own: Record<Reader, string> = {
    claude: env["CLAUDE_CONFIG_DIR"] || join(homedir(), ".claude"),
    codex: env["CODEX_HOME"] || join(homedir(), ".codex"),
    agents: join(homedir(), ".agents"),
  };
  return join(own[reader], "skills");
}
