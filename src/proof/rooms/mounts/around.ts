// What a room shows of the machine around the workspace: programs, and nothing that an agent could have planted.
import * as fs from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { readIfExists } from "../../../host/disk.ts";
import { isWithin } from "../../../host/within.ts";

/** System folders. A workspace below one of them hides only the folder that it lies in. */
const systems = new Set(
  ["bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "nix", "opt", "proc", "run", "sbin", "snap", "sys"]
    .concat(["usr", "var"])
    .map((name) => `/${name}`),
);

/** Folders to cover with an empty one: everything above the workspace, and the person's home. */
export function hiddenAreas(root: string, home: string): string[] {
  const areas = [areaOf(root), ...(home === "/" || !isFolder(home) ? [] : [fs.realpathSync(home)])];
  const wanted = areas.filter((path): path is string => path !== null);
  return wanted.filter((path, at) => !wanted.some((other, i) => isWithin(path, other) && (path !== other || i < at)));
}

function areaOf(root: string): string | null {
  const above = dirname(root);
  if (above === "/") return null;
  const top = `/${root.split("/")[1] ?? ""}`;
  if (!systems.has(top)) return top;
  return systems.has(above) ? null : above;
}

export type Around = {
  readonly root: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Places of tools in the person's home. */
  readonly tools: readonly string[];
  /** What `room.outside` names, as absolute paths. */
  readonly outside: readonly string[];
};

/** Folders below the hidden ones to show again, none of them within another. */
export function shownAgain(areas: readonly string[], around: Around): string[] {
  const programs = (around.env["PATH"] ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .map((path) => installation(path, around));
  const named = [...programs, installation(dirname(process.execPath), around), ...around.tools, ...pythons(around)];
  // A tool whose folder holds the workspace would show everything around it; only a person may allow that.
  const harmless = named.filter((path) => !isWithin(around.root, path));
  const found = [...harmless, ...around.outside]
    .filter(isFolder)
    .map((path) => fs.realpathSync(path))
    .filter((path) => areas.some((area) => isWithin(path, area)) && !isWithin(path, around.root));
  const unique = [...new Set(found)];
  return unique.filter((path) => !unique.some((other) => other !== path && isWithin(path, other)));
}

/** Programs need the files installed with them: `lib` next to `bin`. */
function installation(path: string, { home, root }: Around): string {
  const above = dirname(path);
  const isWhole =
    /\/(?:\.?s?bin|shims|Scripts)$/.test(path) && above !== "/" && above !== home && !isWithin(root, above);
  return isWhole ? above : path;
}

/** The installations that virtual environments of the workspace were made from. */
function pythons({ root, ...around }: Around): string[] {
  return [".venv", "venv", "env"].flatMap((name) => {
    const home = /^home\s*=\s*(.+)$/m.exec(readIfExists(join(root, name, "pyvenv.cfg")) ?? "")?.[1]?.trim();
    return home === undefined || !isAbsolute(home) ? [] : [installation(resolve(home), { root, ...around })];
  });
}

/** A folder that cannot be read is not this person's. */
function isFolder(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory();
  } catch {
    return false;
  }
}
