// The checks, without running them: is the program there, and the script that it would run?

import * as fs from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { UserError } from "../../core/errors.ts";
import type { CheckSettings, Settings } from "../../formats/config/settings.ts";
import { parseJsonText } from "../../formats/text/json-text.ts";
import { readIfExists, statIfExists } from "../../host/disk.ts";
import { onPath } from "../checks/detect.ts";
import { checksIn } from "../checks/hook-check.ts";
import { nameACheck } from "../checks/name-a-check.ts";
import type { Finding } from "./finding.ts";

export function checkFindings(root: string, settings: Settings): Finding[] {
  try {
    return findingsOf(root, checksIn(root, settings), settings.checks === null);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ what: "check", is: "bad", says: `${error.what} ${error.why}`, next: error.next }];
  }
}

function findingsOf(root: string, all: readonly CheckSettings[], isDetected: boolean): Finding[] {
  if (all.length === 0)
    return [
      {
        what: "check",
        is: "bad",
        says: "No check is configured and none was detected, so nothing could be proved.",
        next: nameACheck(root),
      },
    ];
  return all.map((check) => checkFinding(root, check, isDetected));
}

function checkFinding(root: string, { name, run, must, browser }: CheckSettings, isDetected: boolean): Finding {
  const problem = browser === undefined ? problemWith(root, run) : null;
  const origin = isDetected ? ", detected" : "";
  const says = `${name}: ${run} (${must}${origin})`;
  return problem === null
    ? { what: "check", is: "good", says: `${says}\nnot run: loop check runs it in a clean checkout` }
    : { what: "check", is: "bad", says: `${says}\n${problem.why}`, next: problem.next };
}

type Problem = { readonly why: string; readonly next: string };

/** Only plain commands are understood; of anything else nothing is claimed. */
export function problemWith(root: string, command: string): Problem | null {
  const words = command
    .trim()
    .split(/\s+/)
    .filter((word, at, all) => !isAssignment(word, at, all));
  const [program = "", first = "", second = ""] = words;
  if (!/^[\w./+-]+$/.test(program) || builtIn.has(program)) return null;
  if (program.includes("/")) {
    if (statIfExists(join(root, program)) !== undefined || fs.existsSync(program)) return null;
    return { why: `${program} does not exist.`, next: "Correct the check's run, or make the file." };
  }
  if (onPath(program) === null)
    return { why: `${program} is not on PATH.`, next: `Install ${program}, or name another command in loop.yaml.` };
  if (/^(?:ba|z|da)?sh$/.test(program) && /^[\w./-]+$/.test(first) && !first.startsWith("-"))
    return statIfExists(join(root, first)) === undefined
      ? { why: `${first} does not exist.`, next: "Correct the check's run, or make the file." }
      : null;
  return /^(?:npm|pnpm|yarn|bun)$/.test(program) ? scriptProblem(root, first === "run" ? second : first) : null;
}

/** `NAME=value` before the program. */
const isAssignment = (word: string, at: number, all: readonly string[]): boolean =>
  /^\w+=/.test(word) && all.slice(0, at).every((before) => /^\w+=/.test(before));

const builtIn = new Set(["cd", "set", "export", "test", "[", "exit", "true", "false", "for", "if", "while", "env"]);
const manifest = z.object({ scripts: z.record(z.string(), z.string()).optional() });
const others = new Set(["", "exec", "x", "dlx", "ci", "install", "--prefix"]);

function scriptProblem(root: string, script: string): Problem | null {
  if (others.has(script) || script.startsWith("-")) return null;
  const text = readIfExists(join(root, "package.json"));
  if (text === null) return { why: "There is no package.json.", next: "Correct the check's run in loop.yaml." };
  const json = parseJsonText(text, { bytes: 1 << 20, depth: 100 });
  const read = json.ok ? manifest.safeParse(json.value) : null;
  if (read?.success !== true) return { why: "package.json cannot be read.", next: "Correct package.json." };
  if (Object.hasOwn(read.data.scripts ?? {}, script)) return null;
  const why = `package.json has no script ${script}.`;
  return { why, next: `Add the script ${script}, or name another command in loop.yaml.` };
}
