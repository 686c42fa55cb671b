// Finds out whether a room's command can have a network namespace, with a loopback interface and nothing else.
import { execFile } from "node:child_process";
import type { Namespaces } from "./mounts-builder.ts";

const timeoutMs = 20_000;

/** Why not; null if it can. */
export async function whyNotOffline({ mode, programs }: Pick<Namespaces, "mode" | "programs">): Promise<string | null> {
  const { loopback, unshare, path } = programs;
  if (loopback === null) return "ip was not found: install iproute2";
  const user = mode === "user" ? ["--user", "--map-root-user"] : [];
  return new Promise((resolve) => {
    const args = [...user, "--net", "/bin/sh", "-c", loopback];
    execFile(unshare, args, { env: { PATH: path }, cwd: "/", timeout: timeoutMs }, (error, _, said) =>
      resolve(error === null ? null : said.trim().split("\n").at(-1) || error.message),
    );
  });
}
