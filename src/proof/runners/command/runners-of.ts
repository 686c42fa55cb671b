// Which test runners a check's command runs: from the command line, and from the scripts of the tree that it leads to.
import { posix } from "node:path";
import type { View } from "../../view.ts";
import type { RunnerUse } from "../runner.ts";
import { makeUses } from "./makefile.ts";
import { managerUses, nearest, scriptUses } from "./package-scripts.ts";
import { deeper, enter, inDir, type Place, scriptsMax, textAt } from "./place.ts";
import { runnerIn } from "./programs.ts";
import { simpleCommands } from "./shell-words.ts";

/** Empty: none is known. A runner that is not found here may still be asked for a report. */
export function runnersOf(command: string, view: View): readonly RunnerUse[] {
  return merged(lineUses(command, { view, dir: "", depth: 0, within: new Set(), budget: { left: scriptsMax } }));
}

const lineLengthMax = 20_000;

function lineUses(line: string, place: Place): readonly RunnerUse[] {
  let here = place;
  return simpleCommands(line.slice(0, lineLengthMax)).flatMap((words) => {
    if (words[0] === "cd") here = inDir(here, words[1] ?? "");
    return words[0] === "cd" ? [] : commandUses(words, here, []);
  });
}

/** Programs that run another one, named somewhere after their own options. */
const wrappers = new Set(
  `env cross-env dotenv dotenvx doppler infisical command nice nohup timeout sudo xvfb-run stdbuf c8 nyc npx pnpx bunx uv uvx
   poetry pdm hatch pipenv rye coverage bundle with-server start-server-and-test winpty ionice caffeinate flock strace`.split(
    /\s+/,
  ),
);
/** These only change the environment or the priority: a shim of one would act too early. */
const transparent = new Set("env cross-env command nice nohup timeout sudo stdbuf ionice caffeinate".split(" "));
const managers = new Set(["npm", "pnpm", "yarn", "bun", "lerna", "turbo", "nx"]);
const shells = new Set(["sh", "bash", "dash", "zsh", "ash"]);

function commandUses(words: readonly string[], place: Place, through: readonly string[]): readonly RunnerUse[] {
  const [first = "", ...args] = words;
  const program = posix.basename(first);
  const path = first.includes("/") ? [] : [first];
  const found = runnerIn(program, args, place);
  if (found !== null) return [{ ...found, programs: [...through, ...path] }];
  if (wrappers.has(program) || isExec(words))
    return behind(args, place, [...through, ...(transparent.has(program) ? [] : path)]);
  if (program === "cross-env-shell") return lineUses(args.at(-1) ?? "", place);
  if (managers.has(program)) return managerUses([program, ...args], place, lineUses);
  if (/^(?:run-s|run-p|npm-run-all\d?)$/.test(program)) return scriptUses(args, nearest(place), place, lineUses);
  if (program === "concurrently") return args.flatMap((arg) => concurrentUses(arg, place));
  if (/^g?make$/.test(program)) return makeUses(words, place, lineUses);
  if (/^python[\d.]*$/.test(program) && args[0] === "-m" && args[1] === "coverage")
    return behind(args.slice(2), place, [...through, ...path]);
  if (shells.has(program)) return shellUses(args, place);
  if (program === "node" && args[0] === "--run") return scriptUses([args[1] ?? ""], nearest(place), place, lineUses);
  return fileUses(first, args, place);
}

const isExec = ([program = "", ...args]: readonly string[]): boolean =>
  managers.has(program) && /^(?:exec|dlx|x)$/.test(args.find((arg) => !arg.startsWith("-")) ?? "");

/** The options of a wrapper may have values, so the command is the first word that begins a known one. */
function behind(args: readonly string[], place: Place, through: readonly string[]): readonly RunnerUse[] {
  const inside = deeper(place);
  if (inside === null) return [];
  for (const [at, word] of args.entries()) {
    if (word.startsWith("-") && word !== "-m") continue;
    // `coverage run -m pytest` loads a module, as python does.
    const words = word === "-m" ? ["python3", ...args.slice(at)] : args.slice(at);
    const uses = commandUses(words, inside, through);
    // Another wrapper has already handled the rest.
    if (uses.length > 0 || wrappers.has(posix.basename(word)))
      return word === "-m" ? uses.map((use) => ({ ...use, programs: through })) : uses;
  }
  return [];
}

function concurrentUses(arg: string, place: Place): readonly RunnerUse[] {
  const script = /^(?:npm|pnpm|yarn|bun):(.+)$/.exec(arg)?.[1];
  if (script !== undefined) return scriptUses([script], nearest(place), place, lineUses);
  return arg.startsWith("-") ? [] : lineUses(arg, place);
}

function shellUses(args: readonly string[], place: Place): readonly RunnerUse[] {
  const text = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (text >= 0) return lineUses(args[text + 1] ?? "", place);
  const script = args.find((arg) => !arg.startsWith("-"));
  return script === undefined ? [] : scriptFileUses(script, textAt(place, script), place);
}

/** A file of the tree that is started as a program: its first line names its interpreter. */
function fileUses(path: string, args: readonly string[], place: Place): readonly RunnerUse[] {
  const text = path.includes("/") ? textAt(place, path) : null;
  const interpreter = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/.exec(text ?? "")?.[1];
  if (text === null || interpreter === undefined) return [];
  if (shells.has(posix.basename(interpreter))) return scriptFileUses(path, text, place);
  return commandUses([posix.basename(interpreter), path, ...args], place, []);
}

function scriptFileUses(path: string, text: string | null, place: Place): readonly RunnerUse[] {
  const inside = text === null ? null : enter(place, place.dir, `sh ${path}`);
  return inside === null ? [] : lineUses(text ?? "", inside);
}

function merged(uses: readonly RunnerUse[]): readonly RunnerUse[] {
  const byKind = new Map<RunnerUse["kind"], RunnerUse>();
  for (const use of uses) {
    const known = byKind.get(use.kind);
    const programs = [...new Set([...(known?.programs ?? []), ...use.programs])];
    byKind.set(use.kind, { kind: use.kind, programs, selects: use.selects && (known?.selects ?? true) });
  }
  return [...byKind.values()];
}
