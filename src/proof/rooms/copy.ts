// Copies folders with all their metadata, by the system's own program: it shares blocks where the disk can.
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { ownPath, systemProgram } from "../../host/own-programs.ts";

/** `share`: both sides are ours and never written to again, so they may be hard links. */
export type CopyOptions = { readonly share?: boolean };

const flags = (share: boolean): readonly string[] =>
  process.platform === "darwin"
    ? ["-a", "-R", "-c", "-P"]
    : ["--archive", "--no-target-directory", share ? "--link" : "--reflink=auto"];

/** Copies a file or a folder to a path that does not exist yet. Links are copied as links. */
export async function copy(from: string, to: string, signal: AbortSignal, options: CopyOptions = {}): Promise<void> {
  signal.throwIfAborted();
  fs.mkdirSync(dirname(to), { recursive: true });
  await new Promise<void>((resolve, reject) => {
    const child = spawn(systemProgram("cp"), [...flags(options.share === true), "--", from, to], {
      env: { PATH: ownPath(), LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
      signal,
      cwd: "/",
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < 4000) said += chunk.toString("utf8");
    });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`cp ended with ${code}: ${said.trim()}`))));
  });
}
