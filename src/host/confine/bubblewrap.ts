// Walls by bubblewrap: Linux namespaces, without any privilege.
import * as fs from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { isWithin } from "../within.ts";
import type { Confine, Confined, Start, Walls } from "./confine.ts";
import { asTheSameUser, mountedFirst, ownOverlays } from "./layers.ts";
import { noSetuidFilter } from "./no-setuid.ts";
import { administratorsFiles, hiddenFolders } from "./surroundings.ts";
import { findOnPath, keysOfToolchains, placesOf, toolchains } from "./toolchains.ts";

const namespaces = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];
/**
 * The administrator's processes may write here even without capabilities, for the whole machine: the kernel compares
 * only the user.
 */
const kernels = ["/proc/sys", "/proc/fs", "/proc/acpi", "/proc/driver", "/proc/scsi", "/proc/asound", "/proc/mtrr"];
const argsFeed = "3";
const filterFeed = "4";
/** In memory, so bounded: temporary files, and what tools write to an empty home. */
const memoryBytes = String(1 << 30);
const smallBytes = String(16 << 20);

/** How layers are made: with the options of bubblewrap 0.11, or by mounts in a namespace around it. */
export type Layering = "own" | "around";

export function bubblewrap(program: string, layering: Layering = "around"): Confine {
  return { name: "bubblewrap", confine: (start, walls) => wrapped({ program, layering }, start, walls) };
}

type Wrapper = { readonly program: string; readonly layering: Layering };

function wrapped({ program, layering }: Wrapper, start: Start, walls: Walls): Confined {
  const file = findOnPath(start.file, start.env);
  if (file === null) return { ...start, feeds: [], isWrapper: false };
  const filter = noSetuidFilter();
  const env = insideEnv(start, walls);
  const layers = walls.layers?.folders.length === 0 ? undefined : walls.layers;
  const isAround = layers !== undefined && layering === "around";
  const args = [
    ...["--die-with-parent", "--new-session", ...namespaces, ...(walls.network === "none" ? ["--unshare-net"] : [])],
    ...["--disable-userns", "--cap-drop", "ALL", "--hostname", "loop"],
    ...(isAround ? asTheSameUser() : []),
    ...(filter === null ? [] : ["--seccomp", filterFeed]),
    ...mounts(file, start, walls, env, isAround ? laidAround(walls) : ownOverlays(layers)),
    ...["--chdir", start.cwd],
  ];
  const [first = program, ...rest] = [
    ...(isAround ? mountedFirst(layers) : []),
    ...[program, "--args", argsFeed, "--", file, ...start.args],
  ];
  return {
    file: first,
    args: rest,
    cwd: "/",
    env,
    feeds: [Buffer.from(args.map((arg) => `${arg}\0`).join("")), ...(filter === null ? [] : [filter])],
    isWrapper: true,
  };
}

/** Layers outside of the folders that may be changed: they are mounted before the walls, which show the rest read-only. */
const laidAround = ({ layers, writes }: Walls): string[] =>
  (layers?.folders ?? [])
    .filter(({ at }) => !writes.some((folder) => isWithin(at, folder)))
    .flatMap(({ at }) => ["--bind", at, at]);

/** The person's folder for temporary files is hidden; inside there is an empty one. */
function insideEnv({ env }: Start, { writes }: Walls): Record<string, string> {
  const { TMPDIR: temporary = "/tmp", ...rest } = env;
  const isOwn = temporary === "/var/tmp" || writes.some((folder) => isWithin(temporary, folder));
  return { ...rest, TMPDIR: isOwn ? temporary : "/tmp" };
}

function mounts(
  program: string,
  start: Start,
  walls: Walls,
  env: Readonly<Record<string, string>>,
  overlays: readonly string[],
): string[] {
  const homes = [...new Set([homedir(), env["HOME"] ?? ""])].filter((home) => home !== "" && home !== "/");
  const empty = hiddenFolders([...walls.writes, ...walls.hides], homes);
  const hidden = empty.map(({ path }) => path);
  const isHidden = (path: string): boolean => hidden.some((folder) => isWithin(path, folder));
  const [inside, outside] = split(walls.reads, (path) => walls.writes.some((folder) => isWithin(path, folder)));
  const others = (walls.programs ?? []).map((name) => findOnPath(name, env) ?? name);
  const named = [...start.args, ...others].flatMap((arg) => placesOf(arg, homes));
  const person = { homes, env: { ...process.env, ...env } };
  const keys = keysOfToolchains(person);
  const programs = [...toolchains(person), ...placesOf(program, homes), ...named];
  const resolver = walls.network === "shared" ? placesOf("/etc/resolv.conf", homes) : [];
  const harmless = [...programs, ...resolver].filter(
    (path) => ![...walls.writes, ...walls.hides, ...homes].some((own) => isWithin(own, path)),
  );
  const shown = [...harmless, ...outside].flatMap(withTarget).filter((path) => isHidden(path) && fs.existsSync(path));
  const isBelowHidden = (path: string): boolean => walls.hides.some((folder) => isWithin(path, folder));
  const below = outside.filter((path) => isBelowHidden(path) && fs.existsSync(path));
  return [
    ...["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"],
    ...["--size", memoryBytes, "--tmpfs", "/dev/shm"],
    ...kernels.filter((path) => fs.existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
    ...empty.flatMap(({ path, kept }) => ["--size", kept ? smallBytes : memoryBytes, "--tmpfs", path]),
    ...homes.filter(isHidden).flatMap((home) => ["--dir", home]),
    ...byDepth(outermost(shown)).flatMap((path) => ["--ro-bind", path, path]),
    ...[...administratorsFiles(), ...keys, ...walls.hides].flatMap(masked),
    ...byDepth(below).flatMap((path) => bound("--ro-bind", path, isHidden)),
    ...byDepth(walls.writes).flatMap((path) => bound("--bind", path, isHidden)),
    ...byDepth(heldInPlace(walls, inside)).flatMap((path) => bound("--bind", path, isHidden)),
    ...overlays,
    ...keys.filter((path) => walls.layers?.folders.some(({ at }) => isWithin(path, at))).flatMap(masked),
    ...byDepth(inside.filter((path) => fs.existsSync(path))).flatMap((path) => bound("--ro-bind", path, isHidden)),
    ...(walls.shows ?? []).flatMap(({ from, at }) => ["--bind", from, at]),
    ...(walls.covers ?? []).flatMap(({ from, at }) => ["--ro-bind", from, at]),
    ...empty
      .filter(({ path, kept }) => kept && !walls.writes.includes(path))
      .flatMap(({ path }) => ["--remount-ro", path]),
    ...(hidden.some((path) => isWithin(path, "/dev")) ? [] : ["--remount-ro", "/dev"]),
  ];
}

/**
 * The folders between one that may be changed and what has a place of its own in it. The kernel renames no folder that
 * something is mounted on, but one that merely holds such a folder; so these get a mount too, of themselves.
 */
function heldInPlace({ writes, layers, shows = [], covers = [] }: Walls, inside: readonly string[]): string[] {
  const layered = (layers?.folders ?? []).map(({ at }) => at);
  const places = [...inside, ...layered, ...[...shows, ...covers].map(({ at }) => at)];
  const above = places.flatMap((path) => {
    const top = writes.find((folder) => isWithin(path, folder) && path !== folder);
    return top === undefined ? [] : foldersBetween(top, path);
  });
  return [...new Set(above)].filter(
    (path) =>
      ![...writes, ...inside].includes(path) && !layered.some((layer) => isWithin(path, layer)) && isFolder(path),
  );
}

function foldersBetween(top: string, path: string): string[] {
  const found: string[] = [];
  for (let at = dirname(path); isWithin(at, top) && at !== top; at = dirname(at)) found.push(at);
  return found;
}

const isFolder = (path: string): boolean => fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** At its real path, and also where a link to it would be hidden. */
function bound(how: "--bind" | "--ro-bind", path: string, isHidden: (path: string) => boolean): string[] {
  const real = fs.realpathSync(path);
  return [how, real, real, ...(real !== path && isHidden(path) ? [how, real, path] : [])];
}

/** A tool often is a link: both ends are shown. */
function withTarget(path: string): string[] {
  try {
    return [...new Set([path, fs.realpathSync(path)])];
  } catch {
    return [];
  }
}

function masked(path: string): string[] {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return ["--size", smallBytes, "--tmpfs", path];
  return stat?.isFile() ? ["--ro-bind", "/dev/null", path] : [];
}

const byDepth = (paths: readonly string[]): string[] => [...paths].sort((one, other) => one.length - other.length);
const outermost = (paths: readonly string[]): string[] => {
  const unique = [...new Set(paths)];
  return unique.filter((path) => !unique.some((other) => other !== path && isWithin(path, other)));
};

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
