// A run in a worktree: the person's folder, index and branch stay as they are until it lands.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { eventful } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

/** Every file of the folder and its index, its branch and its HEAD, by content. */
function stateOf(of: Project): Record<string, string> {
  const found: Record<string, string> = {};
  const hash = (path: string): string => createHash("sha256").update(fs.readFileSync(path)).digest("hex");
  for (const name of fs.readdirSync(of.root, { recursive: true, encoding: "utf8" })) {
    const at = join(of.root, name);
    if (name.startsWith(".git/") || name === ".git" || !fs.statSync(at).isFile()) continue;
    found[name] = hash(at);
  }
  for (const name of ["index", "HEAD"]) found[`.git/${name}`] = hash(join(of.root, ".git", name));
  return { ...found, main: of.git("rev-parse", "main") };
}
const dirty = (of: Project): void =>
  of.write({ "src/old.js": "export const old = () => 1; // edited\n", "notes.txt": "mine\n" });
const worktrees = (of: Project): string[] => of.git("worktree", "list", "--porcelain").match(/^worktree .*/gm) ?? [];

test("a clean success lands by itself, and leaves no worktree and no branch", { timeout: 120_000 }, async () => {
  project = new Project(eventful(), { place: "default" });
  const { code, stdout, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("Landed on main, at");
  expect(project.git("log", "--format=%s", "--grep=^feat")).toBe("feat(F002): Add f002()\nfeat(F001): Add f001()");
  expect(project.git("status", "--porcelain")).toBe("");
  expect(project.read("src/F001.js")).toContain("F001");
  expect(worktrees(project)).toHaveLength(1);
  expect(project.git("branch", "--list", "loop/*")).toBe("");
  const proved = await project.loop("prove");
  expect(proved.code, proved.stdout + proved.stderr).toBe(0);
  // The worktree is gone, and that is no reason to crash.
  for (const command of ["continue", "approve", "pause"]) {
    const { code, stderr } = await project.loop(command);
    expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining("is over")]);
  }
});

test("beside a dirty tree it is killed, continued, and lands on request", { timeout: 120_000 }, async () => {
  project = new Project(eventful());
  const of = project;
  dirty(of);
  const before = stateOf(of);
  const child = of.start(["run", "--worktree"]);
  const end = ended(child);
  await until("the tenth event", () => of.events().length >= 10 || child.exitCode !== null);
  child.kill("SIGKILL");
  await end;
  expect(stateOf(of)).toEqual(before);
  const [, dir] = worktrees(of);
  const { code, stdout, stderr } = await of.loop("continue");
  expect(code, stderr).toBe(0);
  expect(worktrees(of)[1]).toBe(dir);
  expect(stateOf(of)).toEqual(before);
  expect(stdout).toContain("have not landed on main yet");
  expect(stdout).toContain("uncommitted changes (notes.txt, src/old.js)");
  expect(stdout).toMatch(/Next: loop land\n/);
  // It does not touch the two files that are in use.
  const landed = await of.loop("land");
  expect(landed.code, landed.stderr).toBe(0);
  expect(landed.stdout).toContain("Landed on main by fast-forward");
  expect(of.git("status", "--porcelain")).toBe(" M src/old.js\n?? notes.txt");
  expect(of.read("src/F002.js")).toContain("F002");
  expect(worktrees(of)).toHaveLength(1);
});
