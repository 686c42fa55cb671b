// What the person's folder, shell and home have that a clean checkout lacks, as far as it can be added to one.
import * as fs from "node:fs";
import { join, posix } from "node:path";
import type { ProofTerms } from "../../core/contract.ts";
import { isInside } from "../../formats/text/safe-names.ts";
import { lstatIfExists } from "../../host/disk.ts";
import { isListed } from "../rooms/environment.ts";
import { toolPlaces } from "../rooms/tools.ts";

export type Surroundings = {
  /** Ignored paths; a folder ends with a slash. */
  readonly files: readonly string[];
  /** Names of variables. Their values are never read. */
  readonly env: readonly string[];
  /** Paths below the home; a folder ends with a slash. */
  readonly home: readonly string[];
  /** Ignored paths that are too large to try. */
  readonly tooLarge: readonly string[];
};

export type Place = {
  readonly root: string;
  /** Ignored paths of the folder, without installed dependencies. */
  readonly ignored: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly terms: ProofTerms;
};

const filesMax = 150;
const fileBytesMax = 200 << 20;
const homeMax = 60;
const homeBytesMax = 4 << 20;

export function lookAround({ root, ignored, env, home, terms }: Place): Surroundings {
  const { room } = terms;
  const isNew = (path: string, known: readonly string[]): boolean =>
    !known.some((one) => bare(one) === bare(path) || bare(path).startsWith(`${bare(one)}/`));
  const wanted = ignored.filter((path) => isInside(path) && !isCache(path) && isNew(path, room.files));
  const passed = new Set(["VIRTUAL_ENV", ...Object.keys(toolPlaces(env, home).env), ...room.env]);
  const sized = wanted.slice(0, filesMax).map((path) => ({ path, fits: fits(join(root, path), fileBytesMax) }));
  return {
    files: sized.filter(({ fits: is }) => is).map(({ path }) => path),
    env: Object.keys(env).filter((name) => isPersons(name) && !isListed(name) && !passed.has(name)),
    home: homeEntries(home).filter((path) =>
      isNew(
        path,
        room.home.map((one) => one.replace(/^~\//, "")),
      ),
    ),
    tooLarge: sized.filter(({ fits: is }) => !is).map(({ path }) => path),
  };
}

const bare = (path: string): string => path.replace(/^\.\/|\/+$/g, "");

/** Files that tools and the loop write for themselves, and that no check reads. */
const caches =
  /^(?:\.git|\.loop|__pycache__|\.[\w-]*cache|\.nyc_output|coverage|htmlcov|\.tox|\.nox|\.eggs|\.turbo|\.idea|\.vscode|\.DS_Store|Thumbs\.db|.*\.(?:log|pyc|pyo|swp|tsbuildinfo|tmp)|\.coverage.*|target|\.gradle|\.terraform|\.direnv)$/i;
const isCache = (path: string): boolean =>
  bare(path)
    .split("/")
    .some((part) => caches.test(part));

/** Set by the shell or our parent, not by the person. Agents' keys stay out: a test might spend money with them. */
const notPersons =
  /^(?:PATH|HOME|TMPDIR|PWD|OLDPWD|SHLVL|_|CI|COLUMNS|LINES|TERM_.*|WINDOWID|DISPLAY|XDG_(?:SESSION_.*|STATE_HOME|RUNTIME_DIR)|SSH_.*|LS_COLORS|PS[1-4]|HIST\w*|LOOP_.*|npm_.*|INIT_CWD|NODE_CHANNEL_.*|ANTHROPIC_.*|OPENAI_.*|CLAUDE.*|CODEX.*)$/i;
const isPersons = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !notPersons.test(name);

/** Stores of keys, of browsers and mail, of agents: no test has a reason to read them. */
const notTools =
  /^\.(?:ssh|gnupg|password-store|pki|mozilla|thunderbird|claude.*|codex|gemini|cursor.*|vscode.*|cache|local|config|Trash|\w*_?history|lesshst|viminfo|Xauthority|ICEauthority|bash\w*|zsh\w*|profile|zprofile|nvm|npm|cargo|rustup|pyenv|rbenv|volta|bun|asdf|sdkman|gradle|nuget|dotnet|DS_Store|.*\.(?:bak|tmp|lock|swp))$/i;
const notConfiguration =
  /^(?:loopwright|google-chrome|chromium|BraveSoftware|Code|Cursor|discord|Slack|pulse|dconf|gtk.*|autostart|systemd|claude|codex)$/i;

function homeEntries(home: string): string[] {
  const own = names(home).filter((name) => name.startsWith(".") && !notTools.test(name));
  const below = names(join(home, ".config")).filter((name) => !notConfiguration.test(name));
  return [...own, ...below.map((name) => posix.join(".config", name))]
    .filter((path) => fits(join(home, path), homeBytesMax))
    .map((path) => (lstatIfExists(join(home, path))?.isDirectory() === true ? `${path}/` : path))
    .slice(0, homeMax);
}

function names(dir: string): string[] {
  try {
    return fs.readdirSync(dir).sort();
  } catch {
    return [];
  }
}

const entriesMax = 20_000;

/** Whether a file or a folder is small enough to be copied for a trial. A link is not followed, and does not fit. */
function fits(path: string, bytesMax: number): boolean {
  let bytes = 0;
  let entries = 0;
  const todo = [path];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    const stat = lstatIfExists(at);
    if (stat === undefined || (at === path && !stat.isFile() && !stat.isDirectory())) return false;
    bytes += stat.isFile() ? stat.size : 0;
    entries += 1;
    if (bytes > bytesMax || entries > entriesMax) return false;
    if (stat.isDirectory()) todo.push(...names(at).map((name) => join(at ?? "", name)));
  }
  return true;
}
