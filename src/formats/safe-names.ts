// Names and paths from files that anyone may have written: what may become a file name, an environment name, a path.
import { isPlainName } from "../core/ids.ts";

// Names that Windows gives to devices, with any extension: a checkout there cannot hold a file of that name.
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** May it become a file name on every system? */
export const isFileName = (text: string): boolean => isPlainName(text) && !deviceName.test(text);

export const isEnvName = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(text);

/** A path or glob that stays inside the folder it is relative to. Slashes only: a backslash is a letter to git. */
export function isInside(path: string): boolean {
  if (path === "" || path.length > 1024 || hasControl(path)) return false;
  if (path.startsWith("/") || path.includes("\\") || /^[A-Za-z]:/.test(path)) return false;
  return !path.split("/").includes("..");
}

/** Inside, and not where git or the loop itself keep their things. */
export const isOwnFolder = (path: string): boolean =>
  isInside(path) && !path.split("/").some((part) => /^\.(?:git|loop)$/i.test(part));

export const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f]/.test(text);
