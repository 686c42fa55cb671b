// Where a link leads. A room may hold no link that leads out of it.
import { posix } from "node:path";

/**
 * Whether a link at `path` (relative to a folder) with this target leaves the folder. `..` after a name is refused: the
 * name may itself be a link, and then the path does not lead where its text says.
 */
export function leadsOut(path: string, target: string): boolean {
  if (target === "" || target.startsWith("/") || target.includes("\0")) return true;
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const ups = parts.findIndex((part) => part !== "..");
  const leading = ups === -1 ? parts.length : ups;
  if (parts.slice(leading).includes("..")) return true;
  const depth = path.split("/").length - 1;
  return leading > depth;
}

/** A link's target where the folder `from` is at `to` instead; null: it leads elsewhere on this machine. */
export function moved(target: string, from: string, to: string): string | null {
  if (target === from) return to;
  return target.startsWith(`${from}/`) && posix.normalize(target).startsWith(`${from}/`)
    ? to + target.slice(from.length)
    : null;
}
