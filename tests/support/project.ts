// A project to run the real command line on: real git, real processes, its own home, and nothing from this machine.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeTree } from "../../src/host/remove-tree.ts";
import { trust } from "../../src/project/config/trust.ts";

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export type Files = Readonly<Record<string, string>>;
export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export class Project {
  readonly dir: string;
  readonly root: string;
  readonly home: string;

  /** `place`: what the person prefers, in their own loop.yaml. Most tests look into the folder while a run works. */
  constructor(files: Files, options: { git?: boolean; place?: "here" | "default" } = {}) {
    this.dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-test-")));
    this.root = join(this.dir, "project");
    this.home = join(this.dir, "home");
    fs.mkdirSync(join(this.home, ".config", "loopwright"), { recursive: true });
    if (options.place !== "default")
      fs.writeFileSync(join(this.home, ".config", "loopwright", "loop.yaml"), "place: here\n");
    fs.mkdirSync(this.root);
    this.write(files);
    if (options.git === false) return;
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", "Person");
    this.git("config", "user.email", "person@example.invalid");
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "start");
  }

  /** Inherits only PATH. */
  get env(): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: this.home,
      XDG_STATE_HOME: join(this.home, "state"),
      TMPDIR: this.dir,
      LANG: "C.UTF-8",
      LOOPWRIGHT_SANDBOX: "off",
    };
  }

  write(files: Files): void {
    for (const [path, text] of Object.entries(files)) {
      fs.mkdirSync(dirname(join(this.root, path)), { recursive: true });
      fs.writeFileSync(join(this.root, path), text);
    }
  }

  read(path: string): string {
    return fs.readFileSync(join(this.root, path), "utf8");
  }

  exists(path: string): boolean {
    return fs.existsSync(join(this.root, path));
  }

  git(...args: string[]): string {
    return execFileSync("git", args, {
      cwd: this.root,
      env: this.env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trimEnd();
  }

  /** The programs of the project's loop.yaml are agreed to; what happens without that is `trust.test.ts`. */
  /** `more`: file descriptors from 3 on that it starts with. */
  start(
    args: readonly string[],
    env: Record<string, string> = {},
    stdin?: string,
    more: readonly ("ignore" | number)[] = [],
  ): ChildProcess {
    const child = spawn(process.execPath, [cli, ...agreed(args)], {
      cwd: this.root,
      env: { ...this.env, ...env },
      stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe", ...more],
    });
    child.stdin?.on("error", () => {}); // The program may exit before it has read everything.
    child.stdin?.end(stdin);
    return child;
  }

  /** Records the agreement beforehand, for calls that cannot say it. */
  agree(): void {
    this.withState(() => trust(this.root));
  }

  /** Calls what finds the project's vault by the environment. */
  withState<Value>(act: () => Value): Value {
    const before = process.env["XDG_STATE_HOME"];
    process.env["XDG_STATE_HOME"] = this.env["XDG_STATE_HOME"];
    try {
      return act();
    } finally {
      if (before === undefined) delete process.env["XDG_STATE_HOME"];
      else process.env["XDG_STATE_HOME"] = before;
    }
  }

  loop(...args: string[]): Promise<Ended> {
    return ended(this.start(args));
  }

  /** The runs' folders in the vault, oldest first. */
  runs(): string[] {
    const state = join(this.home, "state", "loopwright");
    if (!fs.existsSync(state)) return [];
    const vaults = fs.readdirSync(state).filter((name) => name !== "locks");
    return vaults.flatMap((vault) => {
      const dir = join(state, vault, "runs");
      return fs.existsSync(dir)
        ? fs
            .readdirSync(dir)
            .sort()
            .map((run) => join(dir, run))
        : [];
    });
  }

  events(run = this.runs().at(-1)): { type: string; [key: string]: unknown }[] {
    const path = run === undefined ? "" : join(run, "events.jsonl");
    if (!fs.existsSync(path)) return [];
    const lines = fs.readFileSync(path, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => (JSON.parse(line) as { event: { type: string } }).event);
  }

  /** What is left for the process that drives the latest run. */
  signals(): string[] {
    const dir = join(this.runs().at(-1) ?? "", "signals");
    return fs.existsSync(dir) ? fs.readdirSync(dir).filter((name) => name.endsWith(".json")) : [];
  }

  /** The prompts of a role's sessions, oldest first. */
  prompts(role: string, run = this.runs().at(-1)): string[] {
    const dir = join(run ?? "", "sessions");
    const folders = fs
      .readdirSync(dir)
      .filter((name) => name.includes(`-${role}-`))
      .map((name) => join(dir, name));
    const byAge = folders.sort((a, b) => fs.statSync(a).birthtimeMs - fs.statSync(b).birthtimeMs);
    return byAge.map((folder) => fs.readFileSync(join(folder, "prompt.md"), "utf8"));
  }

  /** Processes of this project, found by their environment or, in a clean checkout, by their working directory. */
  strays(): number[] {
    const mark = `HOME=${this.home}`;
    return fs
      .readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid && (environ(pid).includes(mark) || cwdOf(pid).startsWith(`${this.dir}/`)));
  }

  /** A run that a test left behind may still be writing its last lines. */
  remove(): void {
    removeTree(this.dir);
  }
}

/** With an agreement to what loop.yaml names. Hooks are asked by claude, which says nothing of the kind. */
export function agreed(args: readonly string[]): string[] {
  const [command, sub = ""] = args;
  if (command === "hook" && ["stop", "prompt"].includes(sub)) return [...args];
  const at = args.includes("--") ? args.indexOf("--") : args.length;
  return [...args.slice(0, at), "--trust", ...args.slice(at)];
}

export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr })));
}

/** The last line of a stream of JSON. */
export const lastLine = (stdout: string) => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");

export async function until(what: string, isTrue: () => boolean, msMax = 30_000): Promise<void> {
  for (const end = Date.now() + msMax; !isTrue(); ) {
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function cwdOf(pid: number): string {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

function environ(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
