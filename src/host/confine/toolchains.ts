// Programs outside the system folders that a confined process still needs: toolchains in the home, and its own program.
import * as fs from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { toolVariables } from "../process/environment.ts";
import { isWithin } from "../within.ts";
import { isInOther } from "./surroundings.ts";

/** Below the home. Only programs and their libraries: nothing here holds keys, apart from `keysOfCargo`. */
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
  "go/bin",
  "go/pkg",
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
/** Below cargo's folder, wherever that is. */
const keysOfCargo = ["credentials", "credentials.toml"];

export type Person = { readonly homes: readonly string[]; readonly env: Readonly<Record<string, string | undefined>> };

/** Places of toolchains and of programs on PATH. Some may not exist. */
export function toolchains({ homes, env }: Person): string[] {
  const named = toolVariables.flatMap((name) => {
    const path = env[name];
    if (path === undefined) return [];
    return name === "GOPATH" ? path.split(delimiter).flatMap(partsOfGoPath) : [path];
  });
  const known = homes.flatMap((home) => inHome.map((place) => join(home, place)));
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const onPath = [...folders, dirname(process.execPath)].flatMap((dir) => installation(dir, homes));
  return [...named, ...known, ...onPath, ...folders.flatMap((dir) => linkedFrom(dir, homes))].filter(
    (path) => isAbsolute(path) && !homes.some((home) => isWithin(home, path)),
  );
}

/** Programs, and what Go fetched. In `src`, which modules do without, are a person's own repositories. */
export const partsOfGoPath = (path: string): string[] => [join(path, "bin"), join(path, "pkg")];

/** Not Go itself, whose own library is in its `src`. */
const isGoPath = (path: string): boolean => isFolder(join(path, "src")) && !canRun(join(path, "bin/go"));

/**
 * What the links of a folder on PATH lead to, for programs that were installed in a folder of their own at the top of the
 * machine: the package, or the file alone, since a link to a script says nothing of the data next to it. Not into a
 * repository: nobody put that on PATH as a whole.
 */
function linkedFrom(dir: string, homes: readonly string[]): string[] {
  const targets = entriesOf(dir).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (!entry.isSymbolicLink() || !/^(?:\/|\.\.\/\.\.\/)/.test(fs.readlinkSync(path))) return [];
    return findOnPath(path, {}) === null ? [] : [fs.realpathSync(path)];
  });
  const isPersons = (path: string): boolean => homes.some((home) => isWithin(path, home)) || isInRepository(path);
  const others = targets.filter((path) => isInOther(path) && !isPersons(path));
  return [...new Set(others.flatMap((path) => installed(path, homes)))];
}

function installed(path: string, homes: readonly string[]): string[] {
  if (path.includes("/node_modules/")) return [packageOf(path, homes)];
  const dir = dirname(path);
  return isBin(dir) && librariesIn(dirname(dir)).length > 0 ? installation(dir, homes) : [path];
}

function isInRepository(path: string): boolean {
  const above = dirname(path);
  return above !== path && (fs.existsSync(join(above, ".git")) || isInRepository(above));
}

export function keysOfToolchains({ homes, env }: Person): string[] {
  const named = env["CARGO_HOME"] ?? "";
  const folders = [...homes.map((home) => join(home, ".cargo")), ...(isAbsolute(named) ? [named] : [])];
  const places = folders.flatMap((folder) => keysOfCargo.map((name) => join(folder, name)));
  // A folder that is a link is shown in both places.
  return [...new Set(places.flatMap((path) => (fs.existsSync(path) ? [path, fs.realpathSync(path)] : [path])))];
}

/**
 * Programs need the files installed with them: `lib` next to `bin`. But `~/.local` holds far more than programs, and so
 * does every folder at the top of the machine.
 */
function installation(dir: string, homes: readonly string[]): string[] {
  const above = dirname(dir);
  if (above === "/") return isInOther(dir) ? programsIn(dir) : [dir];
  const isShared = homes.some((home) => above === home || above === join(home, ".local"));
  if (!isBin(dir) || isShared) return [dir];
  const beside = librariesIn(above);
  if (isAtTop(above)) return [dir, ...beside];
  const isPersons = homes.some((home) => isWithin(above, home));
  if (isPersons && isGoPath(above)) return [dir, ...beside];
  return isPersons || beside.length > 0 || dir.endsWith("/shims") ? [above] : [dir];
}

const isBin = (dir: string): boolean => /\/(?:s?bin|shims|Scripts)$/.test(dir);
const isAtTop = (path: string): boolean => dirname(path) === "/" && isInOther(path);

/** By these next to its `bin`, a folder is known as a package. */
const libraries = ["lib", "lib64", "libexec", "include", "pkg", "packages", "gems"];
const librariesIn = (dir: string): string[] => libraries.map((name) => join(dir, name)).filter(isFolder);

const programsIn = (dir: string): string[] =>
  entriesOf(dir)
    .map(({ name }) => join(dir, name))
    .filter(canRun);

function entriesOf(dir: string): fs.Dirent[] {
  try {
    return fs.readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

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
  // A program that lies directly in the home, in a folder for temporary files, or in one at the top of the machine, does
  // not show what lies next to it.
  const shared = [...homes, "/tmp", "/var/tmp", "/dev/shm"];
  const isCrowded = isAtTop(folder) || shared.some((place) => isWithin(place, folder));
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
