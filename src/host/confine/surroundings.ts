// What a confined process does not see: homes, temporary files, sockets of services, and everything next to the
// workspace.
import * as fs from "node:fs";
import { dirname } from "node:path";
import { isWithin } from "../within.ts";

/** Folders that hold people's data, mounted disks or sockets of services. */
const alwaysHidden = ["/home", "/root", "/tmp", "/var/tmp", "/run", "/mnt", "/media", "/srv"];

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
  ["bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "nix", "opt", "proc", "sbin", "snap", "sys"]
    .concat(["usr", "var"])
    .map((name) => `/${name}`),
);

/** Folders to cover with an empty one, none within another. */
export function hiddenFolders(near: readonly string[], homes: readonly string[]): string[] {
  const around = [...near, ...homes].flatMap((path) => areaOf(path));
  const found = [...alwaysHidden, ...homes, ...around].filter(isRealFolder);
  const unique = [...new Set(found)];
  return unique.filter((path) => !unique.some((other) => other !== path && isWithin(path, other)));
}

export const administratorsFiles = (): string[] => ofAdministrator.filter((path) => fs.existsSync(path));

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
