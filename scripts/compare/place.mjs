// A scenario's project in a separate folder: real git, real processes, its own home and vault.
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const clockJump = fileURLToPath(new URL("../../tests/faults/clock-jump.mjs", import.meta.url));
const hour = 3_600_000;
const commandMsMax = 180_000;

/** @typedef {{ code: number | null, signal: string | null, hung: boolean, stdout: string, stderr: string }} Ended */

const trusting = new Map();

/** Whether this build has the option. Its help says so, wherever the code is. @param {string} cli */
function knowsTrust(cli) {
  if (!trusting.has(cli)) {
    const help = execFileSync(process.execPath, [cli, "--help"], { encoding: "utf8", timeout: commandMsMax });
    trusting.set(cli, help.includes("--trust"));
  }
  return trusting.get(cli);
}

export class Place {
  #server = null;
  #flips = 0;

  /** @param {string} build the folder whose dist/cli/main.js is played @param {import("./scenario.mjs").Scenario} scenario */
  constructor(build, { files, isGit = true, holdsGit = false }) {
    this.cli = join(build, "dist", "cli", "main.js");
    // An earlier version does not ask whether the programs of loop.yaml may run.
    this.agreed = knowsTrust(this.cli) ? ["--trust"] : [];
    this.dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-compare-")));
    this.root = join(this.dir, "project");
    this.home = join(this.dir, "home");
    fs.mkdirSync(this.home);
    // The old version always works in the folder, and has no such setting.
    const schema = join(build, "schema", "loop.json");
    if (fs.existsSync(schema) && fs.readFileSync(schema, "utf8").includes('"worktree"')) {
      fs.mkdirSync(join(this.home, ".config", "loopwright"), { recursive: true });
      fs.writeFileSync(join(this.home, ".config", "loopwright", "loop.yaml"), "place: here\n");
    }
    fs.mkdirSync(this.root);
    this.isGit = isGit;
    this.write(files);
    if (isGit) this.#makeRepository();
    if (holdsGit) this.#holdGit();
  }

  /** A server for checks: /flip alternates between no and yes, /wait says yes once the mark proving.go exists. */
  async open() {
    this.#server = createServer((request, answer) => {
      if (request.url === "/flip") {
        answer.statusCode = this.#flips++ % 2 === 0 ? 500 : 200;
        answer.end();
      } else {
        this.mark("proving");
        const timer = setInterval(() => this.isMarked("proving.go") && answer.end(), 20);
        answer.on("close", () => clearInterval(timer));
      }
    });
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", () => resolve()));
  }

  #makeRepository() {
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", "Person");
    this.git("config", "user.email", "person@example.invalid");
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "start");
  }

  /** The loop's git stops once, right after it has moved the branch, until the mark committed.go exists. */
  #holdGit() {
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const branch = join(this.root, ".git", "refs", "heads", "main");
    const bin = join(this.dir, "bin");
    fs.mkdirSync(bin);
    const script = `#!/bin/sh
before=$(cat "${branch}" 2>/dev/null)
"${real}" "$@"
code=$?
if [ "$before" != "$(cat "${branch}" 2>/dev/null)" ] && [ ! -e "${this.home}/committed" ]; then
  touch "${this.home}/committed"
  while [ ! -e "${this.home}/committed.go" ]; do sleep 0.05; done
fi
exit $code
`;
    fs.writeFileSync(join(bin, "git"), script, { mode: 0o755 });
    this.bin = bin;
  }

  /** Inherits nothing except the path to programs. */
  env({ isLater = false } = {}) {
    const path = process.env.PATH ?? "/usr/bin:/bin";
    const port = this.#server?.address()?.port;
    return {
      PATH: this.bin === undefined ? path : `${this.bin}:${path}`,
      HOME: this.home,
      XDG_STATE_HOME: join(this.home, "state"),
      TMPDIR: this.dir,
      LANG: "C.UTF-8",
      LOOPWRIGHT_SANDBOX: "off",
      ...(port === undefined ? {} : { COMPARE_BELL: `http://127.0.0.1:${port}` }),
      ...(isLater ? { NODE_OPTIONS: `--import=${clockJump}`, JUMP_MS: String(hour), JUMP_FILE: this.home } : {}),
    };
  }

  write(files) {
    for (const [path, text] of Object.entries(files)) {
      fs.mkdirSync(dirname(join(this.root, path)), { recursive: true });
      fs.writeFileSync(join(this.root, path), text);
    }
  }

  mark(name) {
    fs.writeFileSync(join(this.home, name), "");
  }

  unmark(name) {
    fs.rmSync(join(this.home, name), { force: true });
  }

  isMarked(name) {
    return fs.existsSync(join(this.home, name));
  }

  git(...args) {
    return execFileSync("git", args, {
      cwd: this.root,
      env: { PATH: process.env.PATH, HOME: this.home, LANG: "C.UTF-8" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 1 << 26,
    }).trimEnd();
  }

  /** @returns {{ child: import("node:child_process").ChildProcess, end: Promise<Ended> }} */
  start(args, options) {
    const child = spawn(process.execPath, [this.cli, ...args, ...this.agreed], {
      cwd: this.root,
      env: this.env(options),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = { code: null, signal: null, hung: false, stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => (ended.stdout += chunk));
    child.stderr.on("data", (chunk) => (ended.stderr += chunk));
    const timer = setTimeout(() => {
      ended.hung = true;
      child.kill("SIGKILL");
    }, commandMsMax);
    const end = new Promise((resolve) =>
      child.once("close", (code, signal) => {
        clearTimeout(timer);
        resolve({ ...ended, code, signal });
      }),
    );
    return { child, end };
  }

  loop(...args) {
    return this.start(args).end;
  }

  /** Live processes of this place: by their environment, or, in a clean checkout, by their working folder. */
  processes() {
    const mine = `HOME=${this.home}`;
    return fs
      .readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter(
        (pid) => readOr(`/proc/${pid}/environ`).includes(mine) || linkOr(`/proc/${pid}/cwd`).startsWith(this.dir),
      );
  }

  remove() {
    this.#server?.closeAllConnections();
    this.#server?.close();
    fs.rmSync(this.dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** False when it does not become true in time, or when `isOver` says that it never will. */
export async function until(isTrue, { msMax = 120_000, isOver = () => false } = {}) {
  for (const end = Date.now() + msMax; !isTrue(); ) {
    if (Date.now() > end || isOver()) return isTrue();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

function readOr(path) {
  try {
    return fs.readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function linkOr(path) {
  try {
    return fs.readlinkSync(path);
  } catch {
    return "";
  }
}
