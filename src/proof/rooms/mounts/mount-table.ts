// The mounts of this machine, read from the kernel's table.
import * as fs from "node:fs";
import { isWithin } from "../../../host/within.ts";

export type MountPoint = {
  readonly path: string;
  readonly type: string;
  /** Flags that must be repeated when a mount is made read-only: an ordinary user may not clear them. */
  readonly flags: readonly string[];
  readonly readOnly: boolean;
};

const flagsKept = ["nosuid", "nodev", "noexec", "noatime", "nodiratime", "relatime", "nosymfollow"];

export const mountTable = (): MountPoint[] => parseMounts(fs.readFileSync("/proc/self/mountinfo", "utf8"));

/** One per path: the topmost. */
export function parseMounts(text: string): MountPoint[] {
  const found = new Map<string, MountPoint>();
  for (const line of text.split("\n")) {
    const fields = line.split(" ");
    const [path, options] = [fields[4], fields[5]?.split(",")];
    const type = fields[fields.indexOf("-") + 1];
    if (path === undefined || options === undefined || type === undefined) continue;
    const flags = options.filter((flag) => flagsKept.includes(flag));
    found.set(unescaped(path), { path: unescaped(path), type, flags, readOnly: options.includes("ro") });
  }
  return [...found.values()];
}

// Blanks, tabs, newlines and backslashes are written as octal numbers.
const unescaped = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** The mount that a path lies on. */
export const mountOf = (table: readonly MountPoint[], path: string): MountPoint | undefined =>
  table.filter((mount) => isWithin(path, mount.path)).sort((one, other) => other.path.length - one.path.length)[0];
