// Finds out whether this machine can confine a process, by confining one.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { release, tmpdir } from "node:os";
import { join } from "node:path";
import { wallsFile } from "../../formats/kept/other-files.ts";
import { readIfExists, writeAtomic } from "../disk.ts";
import { findOwnProgram } from "../own-programs.ts";
import { baseEnv } from "../process/environment.ts";
import { bubblewrap } from "./bubblewrap.ts";
import type { Confine } from "./confine.ts";
import { feed, pipesFor } from "./feeds.ts";
import { fixFor } from "./fixes.ts";

export type Trial =
  | { readonly works: true; readonly confine: Confine; readonly version: string; readonly program: string }
  | { readonly works: false; readonly why: string; readonly fix: string };

const timeoutMs = 20_000;
/** Another arrangement of walls needs another trial. */
const wallsVersion = 3;

/**
 * `record` remembers a success for this machine and this version of bubblewrap. A failure is tried again each time, so
 * that a repaired machine is noticed.
 */
export async function tryWalls(record: string, env: NodeJS.ProcessEnv = process.env): Promise<Trial> {
  if (process.platform !== "linux") return failed("walls need Linux", "Use a container or a virtual machine.");
  const program = findOwnProgram("bwrap", env);
  if (program === null)
    return failed("bubblewrap is not installed", "sudo apt-get install bubblewrap (or: dnf, pacman -S, zypper)");
  const confine = bubblewrap(program);
  const key = keyOf(program);
  const known = readRecord(record);
  if (known?.key === key) return { works: true, confine, version: known.version, program };
  const { said, held } = await start(confine);
  if (!held) return failed(said, fixFor(said));
  const version = (await output(program, ["--version"])).trim().replace(/^bubblewrap\s+/, "");
  writeRecord(record, { key, version });
  return { works: true, confine, version, program };
}

const failed = (why: string, fix: string): Trial => ({ works: false, why, fix });

function keyOf(program: string): string {
  const { size, mtimeMs } = fs.statSync(program);
  return [wallsVersion, program, size, mtimeMs, release(), process.getuid?.() ?? 0].join(" ");
}

/** The program writes where it may and where it must not; traces outside decide, not what it says. */
async function start(confine: Confine): Promise<{ said: string; held: boolean }> {
  const place = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-walls-")));
  const name = randomBytes(6).toString("hex");
  const [inside, outside] = [join(place, "in"), join(place, "out")];
  for (const dir of [inside, outside]) fs.mkdirSync(dir);
  try {
    const script = `: > '${inside}/${name}'; : > '${outside}/${name}'; :`;
    const { file, args, env, feeds } = confine.confine(
      { file: "/bin/sh", args: ["-c", script], cwd: inside, env: baseEnv() },
      { writes: [inside], reads: [], hides: [outside], network: "none" },
    );
    const said = await output(file, args, env, feeds);
    const [ran, escaped] = [inside, outside].map((dir) => fs.existsSync(join(dir, name)));
    const why = escaped ? "the process could write outside" : said.trim().split("\n").at(-1) || "it did not start";
    return { said: why, held: ran === true && escaped === false };
  } finally {
    fs.rmSync(place, { recursive: true, force: true });
  }
}

/** What a program says; it cannot fail. */
export function output(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = baseEnv(),
  feeds: readonly Buffer[] = [],
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: "/", env, stdio: ["ignore", "pipe", "pipe", ...pipesFor(feeds)] });
    const late = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    let said = "";
    const end = (text: string): void => {
      clearTimeout(late);
      resolve(text);
    };
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        if (said.length < 4000) said += chunk.toString("utf8");
      });
    feed(child, feeds);
    child.on("error", (error) => end(error.message));
    child.on("close", () => end(said));
  });
}

type Known = { readonly key: string; readonly version: string };

const readRecord = (path: string): Known | null => wallsFile.parseIfPossible<Known>(readIfExists(path) ?? "");

/** Without a record the trial is repeated, which takes some milliseconds. */
function writeRecord(path: string, known: Known): void {
  try {
    fs.mkdirSync(join(path, ".."), { recursive: true });
    writeAtomic(path, `${JSON.stringify(known)}\n`, { durable: false });
  } catch {}
}
