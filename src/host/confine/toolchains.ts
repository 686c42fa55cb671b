// Programs outside the system folders that a confined process still needs: toolchains in the home, and its own program.
import * as fs from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { toolVariables } from "../process/environment.ts";
import { isWithin } from "../within.ts";
import { isInOther } from "./surroundings.ts";

/** Below the home. Only programs and their libraries: nothing here holds keys, apart from `withKeys`. */
const inHome = [
  ".nvm",
  ".fnm",
  ".local/share/fnm",
  ".volta",
  ".pyenv",
  ".rbenv",
  ".asdf",
  ".cargo",
  ".rustup",
  "go",
  ".bun",
  ".deno",
  ".dotnet",
  ".sdkman",
  ".nix-profile",
  ".local/state/nix",
  ".local/share/mise",
  ".local/share/uv",
  ".local/share/pnpm",
  ".local/lib",
  ".cache/ms-playwright",
  ".cache/node/corepack",
];
const withKeys = [".cargo/credentials", ".cargo/credentials.toml"];

export type Person = { readonly homes: readonly string[]; readonly env: Readonly<Record<string, string | undefined>> };

/** Places of toolchains and of programs on PATH. Some may not exist. */
export function toolchains({ homes, env }: Person): string[] {
  const named = toolVariables.flatMap((name) => (env[name] === undefined ? [] : [env[name]]));
  const known = homes.flatMap((home) => inHome.map((place) => join(home, place)));
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const onPath = [...folders, dirname(process.execPath)].map((dir) => installation(dir, homes));
  return [...named, ...known, ...onPath, ...folders.flatMap((dir) => linkedFrom(dir, homes))].filter(
    (path) => isAbsolute(path) && !homes.some((home) => isWithin(home, path)),
  );
}

/**
 * Where links of a folder on PATH lead, for programs that were installed in a folder of their own at the top of the machine.
 * Not into a repository: nobody put that on PATH as a whole.
 */
function linkedFrom(dir: string, homes: readonly string[]): string[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
  const targets = entries.flatMap((entry) => {
    const path = join(dir, entry.name);
    if (!entry.isSymbolicLink() || !/^(?:\/|\.\.\/\.\.\/)/.test(fs.readlinkSync(path))) return [];
    return findOnPath(path, {}) === null ? [] : [fs.realpathSync(path)];
  });
  const isPersons = (path: string): boolean => homes.some((home) => isWithin(path, home)) || isInRepository(path);
  const others = targets.filter((path) => isInOther(path) && !isPersons(path));
  return [...new Set(others.map((path) => installation(packageOf(path, homes), homes)))];
}

function isInRepository(path: string): boolean {
  const above = dirname(path);
  return above !== path && (fs.existsSync(join(above, ".git")) || isInRepository(above));
}

export const keysOfToolchains = (homes: readonly string[]): string[] =>
  homes.flatMap((home) => withKeys.map((place) => join(home, place)));

/** Programs need the files installed with them: `lib` next to `bin`. But `~/.local` holds far more than programs. */
function installation(dir: string, homes: readonly string[]): string {
  const above = dirname(dir);
  const isShared = homes.some((home) => above === home || above === join(home, ".local"));
  return /\/(?:s?bin|shims|Scripts)$/.test(dir) && above !== "/" && !isShared ? above : dir;
}

/** What a program needs that a person names by its path: its package, or the folder that it is in. */
export function placesOf(program: string, homes: readonly string[]): string[] {
  if (!isAbsolute(program)) return [];
  let real: string;
  try {
    real = fs.realpathSync(program);
  } catch {
    return [];
  }
  if (fs.statSync(real).isDirectory()) return [program, real];
  return [...new Set([program, real].flatMap((path) => [path, packageOf(path, homes)]))];
}

function packageOf(path: string, homes: readonly string[]): string {
  const modules = path.indexOf("/node_modules/");
  const folder = modules === -1 ? dirname(path) : path.slice(0, modules + "/node_modules".length);
  // A program that lies directly in the home, or in a folder for temporary files, does not show what lies next to it.
  const isCrowded = [...homes, "/tmp", "/var/tmp", "/dev/shm"].some((place) => isWithin(place, folder));
  return isCrowded ? path : folder;
}

/** The absolute path of a program, looked up as a shell does; null if there is none. */
export function findOnPath(file: string, env: Person["env"]): string | null {
  const candidates = file.includes("/")
    ? [file]
    : (env["PATH"] ?? "")
        .split(delimiter)
        .filter(isAbsolute)
        .map((dir) => join(dir, file));
  return candidates.find(canRun) ?? null;
}

function canRun(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}
