// The only way this project runs git: no hook, filter, pager, monitor or prompt can run.
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { findOwnProgram } from "../../host/own-programs.ts";

export type GitOptions = {
  gitDir?: string;
  commonDir?: string;
  workTree?: string;
  index?: string;
  /** The object folder to use instead of the git folder's. */
  objects?: string;
  input?: string | Buffer;
  /** A file to read input from instead, for input that may be large. */
  inputFile?: string;
  env?: Readonly<Record<string, string>>;
  config?: readonly string[];
  /** Exit codes that are not a failure. */
  codes?: readonly number[];
  timeoutMs?: number;
  /** Stops reading, and git, after this much output. */
  bytesMax?: number;
  /** Lets git read the person's configuration. Only for `git config`, which runs nothing. */
  asThePerson?: boolean;
};
export type GitOutput = { code: number; stdout: Buffer; stderr: string; cut: boolean };
export type Git = (args: readonly string[], options?: GitOptions) => Promise<GitOutput>;

/** Git exited with an unexpected code. */
export class GitFailed extends Error {
  override readonly name = "GitFailed";
  readonly args: readonly string[];
  readonly code: number;
  readonly stderr: string;

  constructor(args: readonly string[], code: number, stderr: string) {
    super(`git ${args.join(" ").slice(0, 200)} ended with ${code}: ${stderr.trim().slice(0, 2000)}`);
    this.args = args;
    this.code = code;
    this.stderr = stderr;
  }
}

// Each of these lets a repository's content run a program or change a result.
const shut = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.splitIndex=false",
  "core.pager=cat",
  "core.attributesFile=/dev/null",
  "core.commitGraph=false",
  "core.multiPackIndex=false",
  "core.sshCommand=/bin/false",
  "core.askPass=/bin/false",
  "core.quotePath=false",
  "credential.helper=",
  "protocol.allow=never",
  "protocol.ext.allow=never",
  "gc.auto=0",
  "maintenance.auto=false",
  "commit.gpgSign=false",
  "submodule.recurse=false",
  "safe.directory=*",
  "advice.addEmbeddedRepo=false",
];
const timeoutMs = 900_000;
const bytesMax = 1024 * 1024 * 1024;

/** `program` null: there is none. */
export function makeGit(home: string, program: string | null = findOwnProgram("git")): Git {
  if (program === null) throw noGit();
  return (args, options = {}) => run(program, home, args, options);
}

function findGit(): string {
  const program = findOwnProgram("git");
  if (program === null) throw noGit();
  return program;
}

const noGit = (): UserError =>
  new UserError("git-not-found", {
    what: "Git was not found.",
    why: "The loop keeps its checkpoints with it, also for a folder without a repository. It is looked for in the system's folders and in those of PATH that only you can write to.",
    next: "Install git 2.35 or later and try again.",
  });

/** A name without a value is not passed on. */
function environment(home: string, options: GitOptions): NodeJS.ProcessEnv {
  return {
    PATH: "/usr/bin:/bin",
    LANG: "C.UTF-8",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "/bin/false",
    GIT_SSH_COMMAND: "/bin/false",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_GRAFT_FILE: "/dev/null",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    ...(options.asThePerson === true
      ? thePersons()
      : { HOME: home, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" }),
    GIT_DIR: options.gitDir,
    GIT_COMMON_DIR: options.commonDir,
    GIT_WORK_TREE: options.workTree,
    GIT_INDEX_FILE: options.index,
    GIT_OBJECT_DIRECTORY: options.objects,
    ...options.env,
  };
}

function thePersons(): NodeJS.ProcessEnv {
  const names = ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** What the person's and the machine's configuration say, in order; asked from outside of any repository. */
export function safeDirectories(): string[] {
  try {
    return execFileSync(findGit(), ["config", "--null", "--type=path", "--get-all", "safe.directory"], {
      cwd: "/",
      env: environment("/", { asThePerson: true, gitDir: "/dev/null" }),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
      .split("\0")
      .slice(0, -1);
  } catch {
    return []; // None is set, or there is no git.
  }
}

/** Where git would look for a hook of the repository. It need not exist, and is not run. Null: no repository. */
export function hookFile(root: string, name: string): string | null {
  try {
    const path = execFileSync(findGit(), ["rev-parse", "--git-path", `hooks/${name}`], {
      cwd: root,
      env: environment(root, { asThePerson: true }),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return resolve(root, path.replace(/\n$/, ""));
  } catch {
    return null;
  }
}

function run(program: string, home: string, args: readonly string[], options: GitOptions): Promise<GitOutput> {
  const settings = [...(options.asThePerson === true ? [] : shut), ...(options.config ?? [])].flatMap((setting) => [
    "-c",
    setting,
  ]);
  const file = options.inputFile === undefined ? null : fs.openSync(options.inputFile, "r");
  let late: NodeJS.Timeout | undefined;
  return new Promise<GitOutput>((resolve, reject) => {
    const child = spawn(program, ["--no-pager", ...settings, ...args], {
      cwd: options.workTree ?? home,
      env: environment(home, options),
      stdio: [file ?? "pipe", "pipe", "pipe"],
    });
    // Not node's own timeout: if the process could not be started, it is never cleared and keeps the loop alive.
    late = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs ?? timeoutMs);
    const out = collect(options.bytesMax ?? bytesMax, () => child.kill("SIGKILL"));
    const err = collect(1024 * 1024, () => {});
    child.stdout?.on("data", out.take);
    child.stderr?.on("data", err.take);
    child.stdin?.on("error", () => {}); // Git may exit before it has read everything; its exit code says why.
    child.stdin?.end(options.input ?? "");
    child.on("error", reject);
    child.on("close", (status, signal) => {
      const { bytes: stdout, cut } = out.all();
      const stderr = err.all().bytes.toString("utf8");
      const code = status ?? (cut && options.bytesMax !== undefined ? 0 : -1);
      if (code === 0 || options.codes?.includes(code)) return resolve({ code, stdout, stderr, cut });
      reject(new GitFailed(args, code, signal === null ? stderr : `${stderr} (ended by ${signal})`));
    });
  }).finally(() => {
    clearTimeout(late);
    if (file !== null) fs.closeSync(file);
  });
}

function collect(max: number, full: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer) => {
    if (size > max) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size > max) full();
  };
  return { take, all: () => ({ bytes: Buffer.concat(chunks).subarray(0, max), cut: size > max }) };
}

/** The fields that git printed with `-z`. */
export const fields = (output: GitOutput, encoding: BufferEncoding = "utf8"): string[] =>
  output.stdout
    .toString(encoding)
    .split("\0")
    .filter((field) => field !== "");
/** The one line that git printed. */
export const line = (output: GitOutput): string => output.stdout.toString("utf8").trim();
