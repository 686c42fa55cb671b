// Where codex keeps its own files, and where that goes wrong.
import { join, relative } from "node:path";
import type { HostEnv } from "../cli-env.ts";

export const codexHome = (env: HostEnv): string => env["CODEX_HOME"] || join(env["HOME"] ?? "/", ".codex");

/**
 * Below the folder for temporary files codex installs none of its helpers, and then every sandboxed command fails while
 * the session ends as if all were well. Another folder for temporary files avoids that.
 */
export const isBelowTemporary = (env: HostEnv): boolean => isBelow(codexHome(env), env["TMPDIR"] || "/tmp");

/** A place for temporary files that every system has and that is not below /tmp. */
export const otherTemporary = "/var/tmp";

function isBelow(path: string, folder: string): boolean {
  const to = relative(folder, path);
  return to === "" || (!to.startsWith("..") && !to.startsWith("/"));
}
