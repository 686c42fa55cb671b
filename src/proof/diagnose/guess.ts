// Ranks what a clean checkout may lack: what the output names, what the code names, then the rest.
import { posix } from "node:path";
import { asObject, objectIn } from "../rooms/lockfiles.ts";
import type { View } from "../view.ts";
import type { Addition } from "./addition.ts";
import type { Guesses } from "./search.ts";
import type { Surroundings } from "./surroundings.ts";

export type Clues = {
  /** What the red check printed. */
  readonly output: string;
  readonly tree: View;
  readonly around: Surroundings;
  /** The command that runs before the checks now; "": none. */
  readonly build: string;
  /** Installing or building failed, so the check itself did not run. */
  readonly isUnready: boolean;
};

export function guess(clues: Clues): Omit<Guesses, "known"> {
  const { around, output } = clues;
  const namedInCode = inCode(clues);
  const files = ranked(around.files, (path) => fileRank(path, output, namedInCode));
  const env = ranked(around.env, (name) => (hasWord(output, name) ? 0 : namedInCode.has(name) ? 1 : 3));
  const home = ranked(around.home, (path) => (output.includes(bare(path)) ? 1 : 4));
  const rated = [
    ...files.map(({ item, rank }) => ({ rank, addition: { is: "file", path: item } as const })),
    ...env.map(({ item, rank }) => ({ rank, addition: { is: "env", name: item } as const })),
    ...home.map(({ item, rank }) => ({ rank, addition: { is: "home", path: item } as const })),
    // Folders next to the project are hidden from its checks, and a project may need them.
    { rank: namesOutside.test(output) ? 1 : 5, addition: { is: "outside", path: ".." } as const },
  ];
  const makers = commandsIn(clues);
  return {
    builds: clues.isUnready || missing.test(output) ? makers : [],
    makers,
    everything: rated.sort((one, other) => one.rank - other.rank).map(({ addition }) => addition),
  };
}

const namesOutside = /(?:^|["'\s(])(?:\.\.\/)+[\w@.-]+/m;

/** How runners and loaders say that a file or a module is missing. */
const missing =
  /cannot find (?:module|package|file)|could not find|no such file|\bENOENT\b|module not found|ModuleNotFoundError|No module named|ImportError|(?:cannot|could not|failed to|unable to) (?:resolve|load|import|open|read)|does not exist|unresolved import|TS2307|not found/i;

const bare = (path: string): string => path.replace(/\/+$/, "");
const ranked = <T>(items: readonly T[], rank: (item: T) => number) => items.map((item) => ({ item, rank: rank(item) }));

/** 0: the output has its path. 1: its name, or it is where people keep settings. 2: the code has its name. */
function fileRank(path: string, output: string, namedInCode: ReadonlySet<string>): number {
  const name = posix.basename(bare(path));
  if (hasPath(output, bare(path))) return 0;
  if (hasPath(output, name) || /^\.env(?:$|\.)/.test(name)) return 1;
  return namedInCode.has(name) ? 2 : 3;
}

const edge = "[\\s'\"`()\\[\\]{}<>,;:=/\\\\]";
const hasPath = (text: string, path: string): boolean =>
  new RegExp(`(?:^|${edge})${escaped(path)}(?:$|${edge}|\\.(?:\\s|$)|\\.[cm]?[jt]sx?\\b)`, "m").test(text);
const hasWord = (text: string, word: string): boolean => new RegExp(`\\b${escaped(word)}\\b`).test(text);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Names of variables and ignored files that occur in the tree's texts. */
function inCode({ tree, around }: Clues): ReadonlySet<string> {
  const names = [...around.env, ...around.files.map((path) => posix.basename(bare(path)))];
  if (names.length === 0) return new Set();
  const any = new RegExp(`(?<![\\w-])(?:${[...new Set(names)].map(escaped).join("|")})(?![\\w-])`, "g");
  const found = new Set<string>();
  for (const path of tree.paths)
    if (posix.basename(path) !== ".gitignore")
      for (const [name] of (tree.text(path) ?? "").matchAll(any)) found.add(name);
  return found;
}

const scriptNames = /^(?:generate|codegen|gen|build|compile|prepare|prebuild|pretest|setup|proto|prisma)(?::[\w.-]+)?$/;
const scriptOrder = ["generate", "codegen", "gen", "prisma", "proto", "build", "compile", "prepare", "pretest"];
const commandsMax = 4;

/** The project's scripts that build or generate. Where the current build failed, no build at all comes first. */
function commandsIn({ tree, build, isUnready }: Clues): Addition[] {
  const scripts = Object.keys(asObject(objectIn(tree.text("package.json") ?? "")["scripts"]));
  const rank = (name: string): number => {
    const at = scriptOrder.indexOf(name.split(":")[0] ?? "");
    return (at < 0 ? scriptOrder.length : at) + (name.includes(":") ? 0.5 : 0);
  };
  const run = tree.paths.includes("pnpm-lock.yaml")
    ? "pnpm run"
    : tree.paths.includes("yarn.lock")
      ? "yarn run"
      : "npm run";
  const own = scripts
    .filter((name) => scriptNames.test(name))
    .sort((one, other) => rank(one) - rank(other))
    .map((name) => `${run} ${name}`);
  const targets = Array.from(
    (tree.text("Makefile") ?? "").matchAll(/^(generate|codegen|gen|proto|build)[ \t]*:(?!=)/gm),
    (match) => `make ${match[1]}`,
  );
  const commands = [...own, ...targets].filter((command) => !build.includes(command)).slice(0, commandsMax);
  const joined = commands.map((command) => (build === "" ? command : `${command} && ${build}`));
  return [...(isUnready && build !== "" ? [""] : []), ...joined].map((line) => ({ is: "build", run: line }));
}
