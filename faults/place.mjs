// A copy of the sample for fault injection: its own home and vault, isolated from this machine.
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
/** In the loop's own environment, like a person's secret; it must be in no file that the loop writes. */
export const canary = "canary-6f1d0c52e9a4";

export class Place {
  /** When a command counts as hung. A machine that others share is slow: `prepare` measures the undisturbed run. */
  static msMax = 120_000;

  constructor(dir) {
    this.dir = dir;
    this.root = join(dir, "project");
    this.home = join(dir, "home");
  }

  static copyOf(sample, dir) {
    execFileSync("cp", ["-a", "--reflink=auto", sample, dir]);
    return new Place(dir);
  }

  get env() {
    return {
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      HOME: this.home,
      XDG_STATE_HOME: join(this.home, "state"),
      TMPDIR: this.dir,
      LANG: "C.UTF-8",
      LOOPWRIGHT_SANDBOX: "off",
      PERSONAL_TOKEN: canary,
    };
  }

  /** Runs the command line; `before` is a wrapper, such as strace. It is killed when it takes too long. */
  loop(args, { before = [], env = {}, msMax = Place.msMax } = {}) {
    const [file, ...rest] = [...before, process.execPath, cli, ...args, "--trust"];
    const child = spawn(file, rest, {
      cwd: this.root,
      env: { ...this.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr, hung] = ["", "", false];
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    const timer = setTimeout(() => {
      hung = true;
      for (const pid of this.processes()) kill(pid);
    }, msMax);
    return new Promise((resolve) => {
      child.once("error", (error) => resolve({ code: null, signal: null, stdout, stderr: String(error), hung }));
      // `exit`, not `close`: an agent that briefly outlives the loop holds no pipe of ours, but one of its gits may.
      child.once("exit", (code, signal) => {
        clearTimeout(timer);
        setTimeout(() => resolve({ code, signal, stdout, stderr, hung }), 10);
      });
    });
  }

  git(...args) {
    const options = { cwd: this.root, env: this.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
    return execFileSync("git", args, options).trimEnd();
  }

  /** Folders of the runs in the vault, oldest first. */
  runs() {
    const state = join(this.home, "state", "loopwright");
    const vaults = list(state).filter((name) => name !== "locks");
    return vaults.flatMap((vault) => list(join(state, vault, "runs")).map((run) => join(state, vault, "runs", run)));
  }

  journal(run = this.runs().at(-1)) {
    const path = join(run ?? this.dir, "events.jsonl");
    return fs.existsSync(path) ? fs.readFileSync(path) : Buffer.alloc(0);
  }

  /** The journal's copy in the workspace. */
  twins() {
    const tasks = join(this.root, ".loop", "tasks");
    const all = list(tasks).flatMap((task) =>
      list(join(tasks, task, "runs")).map((run) => join(tasks, task, "runs", run, "events.jsonl")),
    );
    // A run killed before its first event has an empty folder.
    return all.filter((path) => fs.existsSync(path));
  }

  paid() {
    const path = join(this.home, "paid.log");
    return fs.existsSync(path) ? fs.readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
  }

  /** All processes that were started for this place and are still running. */
  processes() {
    const mark = `HOME=${this.home}`;
    const pids = list("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
    return pids.map(Number).filter((pid) => environ(pid).split("\0").includes(mark));
  }

  async quiet(msMax) {
    for (const end = Date.now() + msMax; Date.now() < end; ) {
      if (this.processes().length === 0) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return false;
  }

  remove() {
    for (const pid of this.processes()) kill(pid);
    fs.rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function list(dir) {
  return fs.existsSync(dir) ? fs.readdirSync(dir).sort() : [];
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It exited by itself.
  }
}

function environ(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
