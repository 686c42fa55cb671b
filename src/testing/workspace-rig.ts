// Temporary folders with a repository, a person and an agent, for tests that need a workspace.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkpointId } from "../core/ids.ts";
import { lstatIfExists } from "../host/disk.ts";
import { openWorkspace } from "../workspace/open.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A folder, its vault, and the workspace opened on it. */
export type World = { root: string; vaultDir: string; workspace: Workspace };
/** With git, or a plain folder. */
export type Kind = Workspace["kind"];

const folders: string[] = [];
/** A folder that is removed at the end of the test file. */
export function temporaryFolder(): string {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-workspace-")));
  folders.push(dir);
  return dir;
}
/** Removes every folder that `temporaryFolder` has made; for the end of a test file. */
export function removeTemporaryFolders(): void {
  // Node's own way cannot name a file that is thousands of folders down.
  execFileSync("rm", ["-rf", "--", ...folders.splice(0)]);
}

const identity = { name: "Pat Person", email: "pat@example.org" };
/** Git as the person or an agent runs it, without this machine's configuration. */
export function gitAs(
  who: "person" | "agent",
  dir: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): string {
  const committer = who === "agent" ? "agent@loopwright.invalid" : identity.email;
  return execFileSync("git", [...args], {
    cwd: dir,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: "/nonexistent",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: identity.name,
      GIT_AUTHOR_EMAIL: identity.email,
      GIT_COMMITTER_NAME: who === "agent" ? "agent" : identity.name,
      GIT_COMMITTER_EMAIL: committer,
      GIT_EDITOR: "true",
      ...env,
    },
  });
}
/** Runs git as the person whose repository it is. */
export const person = (dir: string, ...args: string[]): string => gitAs("person", dir, args);
/** Runs git as an agent that works in the folder. */
export const agent = (dir: string, ...args: string[]): string => gitAs("agent", dir, args);

/** Writes files, and the folders above them. */
export function write(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), content);
  }
}
/** The text of a file. */
export const readText = (root: string, path: string): string => fs.readFileSync(join(root, path), "utf8");
/** Whether there is a file, a folder or a link. */
export const exists = (root: string, path: string): boolean => lstatIfExists(join(root, path)) !== undefined;

/** Every file under a folder except `.git`: content, link target and executable bit. */
export function everything(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (dir: string) => {
    for (const entry of fs.readdirSync(join(root, dir), { withFileTypes: true })) {
      const path = dir + entry.name;
      const at = join(root, path);
      if (entry.name === ".git") continue;
      if (entry.isDirectory()) walk(`${path}/`);
      else if (entry.isSymbolicLink()) found[path] = `-> ${fs.readlinkSync(at)}`;
      else found[path] = `${fs.statSync(at).mode & 0o100 ? "x" : "-"} ${fs.readFileSync(at).toString("base64")}`;
    }
  };
  walk("");
  return found;
}

/** A repository of the person's with one commit. */
export function makeRepository(files: Readonly<Record<string, string | Buffer>> = firstFiles): string {
  const root = join(temporaryFolder(), "project");
  fs.mkdirSync(root);
  person(root, "init", "-q", "-b", "main");
  person(root, "config", "user.name", identity.name);
  person(root, "config", "user.email", identity.email);
  write(root, files);
  person(root, "add", "-A");
  person(root, "commit", "-q", "-m", "first");
  return root;
}
/** The files of a new repository. */
export const firstFiles = {
  ".gitignore": "node_modules/\n*.log\n.env\n",
  "src/main.js": "console.log(1);\n",
  "src/lib/add.js": "export const add = (a, b) => a + b;\n",
  "test/add.test.js": "// a test\n",
  "README.md": "# Project\n",
};

/** Opens the workspace of a folder. */
export async function open(root: string, kind: Kind, vaultDir = join(temporaryFolder(), "vault")): Promise<World> {
  return { root, vaultDir, workspace: await openWorkspace({ root, vaultDir, kind }) };
}

let counter = 0;
/** A checkpoint id that no other call has returned. */
export const anId = () => checkpointId(`c${++counter}`);
