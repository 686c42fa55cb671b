// Refuses a repository that belongs to another user, under the rules of git: its settings could make this machine run
// anything.
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import { lstatIfExists } from "../host/disk.ts";
import { safeDirectories } from "./git/git.ts";

export function refuseForeign(root: string, env: NodeJS.ProcessEnv = process.env): void {
  const me = process.geteuid?.();
  const paths = [".git", "loop.yaml"].filter((name) => lstatIfExists(join(root, name)) !== undefined);
  if (me === undefined || paths.length === 0) return;
  const sudo = me === 0 ? Number(env["SUDO_UID"] ?? "") : 0;
  const mine = new Set([me, ...(sudo > 0 ? [sudo] : [])]);
  const foreign = ["", ...paths].find((name) => !mine.has(lstatIfExists(join(root, name))?.uid ?? me));
  if (foreign === undefined || isSafe(root)) return;
  throw new UserError("foreign-repository", {
    what: "Nothing was opened.",
    why: `${join(root, foreign)} belongs to another user (${lstatIfExists(join(root, foreign))?.uid}), who could make your machine run anything.`,
    next: `If you trust it: git config --global --add safe.directory ${JSON.stringify(root)}`,
  });
}

/** Only the person's and the machine's configuration count, never the repository's: git is asked from elsewhere. */
function isSafe(root: string): boolean {
  let safe = false;
  for (const said of safeDirectories()) {
    if (said === "") safe = false;
    else if (said === "*" || said === root || (said.endsWith("/*") && root.startsWith(said.slice(0, -1)))) safe = true;
  }
  return safe;
}
