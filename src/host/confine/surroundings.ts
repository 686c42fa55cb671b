// What a confined process does not see: homes, temporary files, sockets of services, everything next to the workspace,
// and every folder at the top that is not the system's.
import * as fs from "node:fs";
import { dirname } from "node:path";
import { isWithin } from "../within.ts";

/** Empty, and programs write there. */
const temporary = ["/tmp", "/var/tmp", "/run"];

/** Only the administrator can read these; a confined process that the administrator started must not. */
const ofAdministrator = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssh",
  "/etc/ssl/private",
  "/var/backups",
  "/var/log",
  "/var/mail",
  "/var/spool",
  "/var/lib/docker",
  "/var/lib/containerd",
  "/var/lib/private",
];

/** A workspace below one of these hides only the folder that it lies in. */
const systems = new Set(
  ["bin", "boot", "dev", "etc", "gnu", "lib", "lib32", "lib64", "libx32", "nix", "opt", "proc", "sbin", "snap", "sys"]
    .concat(["usr", "var"])
    .map((name) => `/${name}`),
);

/** `kept`: a folder of people's data or of a mounted disk, where no program expects to write. */
export type Hidden = { readonly path: string; readonly kept: boolean };

/** Folders to cover with an empty one, none within another. */
export function hiddenFolders(near: readonly string[], homes: readonly string[]): Hidden[] {
  const written = [...temporary, ...homes, ...[...near, ...homes].flatMap((path) => areaOf(path))].filter(isRealFolder);
  const others = atTop().filter((path) => !systems.has(path) && isRealFolder(path));
  const unique = [...new Set([...written, ...others])];
  const outermost = unique.filter((path) => !unique.some((other) => other !== path && isWithin(path, other)));
  return outermost.map((path) => ({ path, kept: !written.some((each) => isWithin(each, path)) }));
}

/** Single files at the top, such as one to swap to, are nobody's program. */
export const administratorsFiles = (): string[] => [
  ...ofAdministrator.filter((path) => fs.existsSync(path)),
  ...atTop().filter((path) => fs.lstatSync(path, { throwIfNoEntry: false })?.isFile()),
];

const atTop = (): string[] => fs.readdirSync("/").map((name) => `/${name}`);

/** Whether a path lies in no folder of the system's. */
export const isInOther = (path: string): boolean =>
  !systems.has(`/${path.split("/")[1] ?? ""}`) || isWithin(path, "/dev/shm");

function areaOf(path: string): string[] {
  const above = dirname(path);
  if (above === "/") return [];
  const top = `/${path.split("/")[1] ?? ""}`;
  if (!systems.has(top)) return [top];
  return systems.has(above) || above === "/dev/shm" ? [] : [above];
}

/** A link such as /var/run leads to a folder that is hidden itself. */
function isRealFolder(path: string): boolean {
  try {
    return fs.lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
