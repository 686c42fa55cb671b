// Which files a check's command goes through: those it names, the package script or make target behind it, and what that
// names in turn.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { importedFiles } from "./imported-files.ts";

export type NamedFile = { readonly path: string; readonly why: string };

const depthMax = 3;
const foundMax = 500;
const textLengthMax = 100_000;
/** Programs under test, not tests: a script further down that starts one of these does not seal it. */
const isSource = (path: string): boolean => /(?:^|\/)(?:src|lib|app|cmd|pkg|internal|dist|build)\//.test(path);
const isScript = (path: string): boolean => /(?:\.(?:sh|bash|mjs|cjs|js|ts|py|rb|pl|php)|(?:^|\/)[^./]+)$/.test(path);

/** The files that exist in `tree`, with the reason why each is sealed. */
export async function namedFiles(
  workspace: Pick<Workspace, "read" | "list">,
  checks: readonly CheckSpec[],
  tree: TreeId,
): Promise<NamedFile[]> {
  const files = new Set(await workspace.list(tree));
  const read = async (path: string) =>
    files.has(path) ? ((await workspace.read(tree, path))?.toString() ?? null) : null;
  const found = new Map<string, string>();
  for (const check of checks) {
    for (const command of [check.run, check.setup ?? ""])
      await follow(command, "", `named by the command of ${check.name}`, 0);
  }
  return [...found].map(([path, why]) => ({ path, why }));

  async function follow(command: string, folder: string, why: string, depth: number): Promise<void> {
    if (depth > depthMax) return;
    for (const { words, folder: within } of simpleCommands(command, folder)) {
      for (const path of words.map((word) => resolve(within, word))) {
        if (path === null || !files.has(path) || found.has(path) || (depth > 0 && isSource(path))) continue;
        found.set(path, why);
        const text = isScript(path) ? await read(path) : null;
        if (text === null || text.length >= textLengthMax) continue;
        if (isShell(path)) await follow(text, "", `named by ${path}`, depth + 1);
        await followImports(path, text);
      }
      const script = scriptOf(words);
      if (script === null) continue;
      const manifest = resolve(within, "package.json");
      const text = manifest === null ? null : await read(manifest);
      for (const [name, line] of scriptsOf(text, script))
        await follow(line, within, `named by the package script ${name}`, depth + 1);
    }
  }

  /** A script is what it loads, too: a change there decides as much as one in the script itself. */
  async function followImports(path: string, text: string): Promise<void> {
    for (const loaded of importedFiles(path, text)) {
      if (!files.has(loaded) || found.has(loaded) || found.size >= foundMax) continue;
      found.set(loaded, `loaded by ${path}`);
      const more = isScript(loaded) ? await read(loaded) : null;
      if (more !== null && more.length < textLengthMax) await followImports(loaded, more);
    }
  }
}

const isShell = (path: string): boolean => /\.(?:sh|bash)$|(?:^|\/)[^./]+$/.test(path) && isScript(path);

type SimpleCommand = { readonly words: readonly string[]; readonly folder: string };

/** A command line, taken apart at `;`, `&&`, `|` and line ends; `cd` counts for what follows it. Quotes hold words together. */
export function simpleCommands(command: string, start: string): SimpleCommand[] {
  let folder = start;
  const commands: SimpleCommand[] = [];
  for (const words of split(command)) {
    if (words[0] === "cd") folder = resolve(folder, words[1] ?? "") ?? folder;
    else if (words.length > 0) commands.push({ words: words.flatMap(valueToo), folder });
  }
  return commands;
}

/** `--config=x` names x as well. */
const valueToo = (word: string): string[] => {
  const at = word.indexOf("=");
  return at < 0 ? [word] : [word, word.slice(at + 1)];
};

function split(command: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | null = null;
  let quote = "";
  const end = (): void => {
    if (word !== null) commands.at(-1)?.push(word);
    word = null;
  };
  for (const char of command.slice(0, 100_000)) {
    if (quote !== "") {
      if (char === quote) quote = "";
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/[;&|\n()`]/.test(char)) {
      end();
      commands.push([]);
    } else if (/[\s<>]/.test(char)) end();
    else word = (word ?? "") + char;
  }
  end();
  return commands;
}

/** A path as trees have it, or null when it leads out of the workspace. */
function resolve(folder: string, word: string): string | null {
  if (word === "" || word.startsWith("/") || word.startsWith("-") || word.startsWith("$")) return null;
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of word.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

const shortcuts = new Set(["test", "t", "start", "stop", "restart"]);

/** The script that npm, yarn, pnpm or bun would run. */
function scriptOf(words: readonly string[]): string | null {
  const at = words.findIndex((word) => /^(?:npm|pnpm|yarn|bun)$/.test(word));
  if (at < 0) return null;
  const rest = words.slice(at + 1).filter((word) => !word.startsWith("-"));
  const [first, second] = rest;
  if (first === "run" || first === "run-script") return second ?? null;
  if (first === undefined) return null;
  if (first === "t") return "test";
  return shortcuts.has(first) || words[at] !== "npm" ? first : null;
}

/** The script itself, and what runs before and after it. */
function scriptsOf(manifest: string | null, script: string): [string, string][] {
  if (manifest === null) return [];
  try {
    const { scripts } = JSON.parse(manifest) as { scripts?: Record<string, unknown> };
    return [`pre${script}`, script, `post${script}`].flatMap((name): [string, string][] => {
      const line = scripts?.[name];
      return typeof line === "string" ? [[name, line]] : [];
    });
  } catch {
    return [];
  }
}
