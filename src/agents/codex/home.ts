// Where codex keeps its own files, and a location that breaks it.
import { join, relative } from "node:path";
import type { HostEnv } from "../cli/cli-env.ts";

export const codexHome = (env: HostEnv): string => env["CODEX_HOME"] || join(env["HOME"] ?? "/", ".codex");

/**
 * Below the temporary folder codex does not install its helpers, and then every sandboxed command fails while the
 * session seems to succeed. A different temporary folder avoids that.
 */
export const isBelowTemporary = (env: HostEnv): boolean => isBelow(codexHome(env), env["TMPDIR"] || "/tmp");

/** A temporary folder that every system has and that is not below /tmp. */
export const otherTemporary = "/var/tmp";

function isBelow(path: string, folder: string): boolean {
  const to = relative(folder, path);
  return to === "" || (!to.startsWith("..") && !to.startsWith("/"));
}
