// Names and paths from untrusted files: what may become a file name, an environment name, a path.
import { isPlainName } from "../../core/ids.ts";

// Windows device names, with any extension: a checkout there cannot contain such a file.
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Whether it is a valid file name on every system. */
export const isFileName = (text: string): boolean => isPlainName(text) && !deviceName.test(text);

export const isEnvName = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(text);

/** A path or glob that stays inside its base folder. Slashes only: git treats a backslash as a letter. */
export function isInside(path: string): boolean {
  if (path === "" || path.length > 1024 || hasControl(path)) return false;
  if (path.startsWith("/") || path.includes("\\") || /^[A-Za-z]:/.test(path)) return false;
  return !path.split("/").includes("..");
}

/** Inside, and not in the folders of git or the loop. */
export const isOwnFolder = (path: string): boolean =>
  isInside(path) && !path.split("/").some((part) => /^\.(?:git|loop)$/i.test(part));

export const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f]/.test(text);
