// Several runs of one repository at once, and what commands in the person's folder do about them.
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { lockWorkspace } from "../../src/project/place/lock.ts";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  vi.unstubAllEnvs();
  project?.remove();
  project = null;
});

/** The builder waits for a file in the home, so that runs overlap for as long as the test wants. */
const waits = { do: "run", command: 'until [ -e "$HOME/go" ]; do sleep 0.05; done' };
const ids = ["F001", "F002", "F003"];
const files = () =>
  sampleFiles(
    [...ids.map((id) => builder(id, 1, [waits, ...right(id)])), evaluator],
    ids.map((id) => feature(id)),
  );
const only = (id: string) => ({ "loop.yaml": `${yaml}scope: { features: { include: [${id}] } }\n` });
let yaml = "";

function begun(): Project {
  const of = new Project(files());
  yaml = of.read("loop.yaml");
  project = of;
  return of;
}
const worktrees = (of: Project): string[] =>
  (of.git("worktree", "list", "--porcelain").match(/^worktree .*/gm) ?? []).slice(1).map((line) => line.slice(9));
const go = (of: Project): void => fs.writeFileSync(join(of.home, "go"), "");
const building = (of: Project, count: number) =>
  until(
    `${count} builders`,
    () => of.runs().filter((run) => of.events(run).some(({ type }) => type === "session-reserved")).length === count,
    60_000,
  );

test("two worktrees and the folder itself work at the same time", { timeout: 240_000 }, async () => {
  const of = begun();
  const ends = [];
  for (const [at, id] of ids.entries()) {
    of.write(only(id));
    const place = id === "F003" ? "--here" : "--worktree";
    ends.push(ended(of.start(["run", place])));
    await building(of, at + 1);
  }
  expect(worktrees(of)).toHaveLength(2);
  const listed = JSON.parse((await of.loop("list", "--json")).stdout);
  expect(listed.runs.map(({ outcome }: { outcome: unknown }) => outcome)).toEqual([null, null, null]);
  const status = await of.loop("status");
  expect(status.stdout.match(/^also .* is open/gm)).toHaveLength(2);
  // A pause by name reaches the run in its worktree, and only that one.
  const [first = ""] = of.runs().map((run) => run.split("/").at(-1) ?? "");
  const paused = await of.loop("pause", "--run", first);
  expect(paused.stdout).toContain(`Paused run ${first}`);
  expect((await ends[0])?.code).toBe(130);
  go(of);
  const [, second, third] = await Promise.all(ends);
  expect([second?.code, third?.code], `${second?.stderr}${third?.stderr}`).toEqual([0, 0]);
  expect(of.exists("src/F003.js")).toBe(true);
  const resumed = await of.loop("continue");
  expect(resumed.code, resumed.stderr).toBe(0);
  // Whoever comes second finds a branch that has moved, and has to be asked.
  for (let at = 0; at < 2 && worktrees(of).length > 0; at++) {
    const { code, stderr } = await of.loop("land");
    expect(code, stderr).toBe(0);
  }
  expect(ids.map((id) => of.exists(`src/${id}.js`))).toEqual([true, true, true]);
  expect(of.git("log", "--format=%s", "--grep=^feat").split("\n").sort()).toEqual(
    ids.map((id) => `feat(${id}): Add ${id.toLowerCase()}()`),
  );
  expect(worktrees(of)).toEqual([]);
  expect(of.git("branch", "--list", "loop/*")).toBe("");
});

test("loop continue resumes the paused run while another one works", { timeout: 120_000 }, async () => {
  const of = begun();
  of.write(only("F001"));
  const first = ended(of.start(["run", "--worktree"]));
  await building(of, 1);
  const id = basename(of.runs()[0] ?? "");
  of.write(only("F002"));
  const second = ended(of.start(["run", "--worktree"]));
  await building(of, 2);
  expect((await of.loop("pause", "--run", id)).code).toBe(0);
  expect((await first).code).toBe(130);
  const resumed = ended(of.start(["continue"]));
  await until("the paused run at work", () => of.events(of.runs()[0]).at(-1)?.type !== "cut", 60_000);
  go(of);
  expect((await resumed).stdout).toContain("✓ F001");
  expect((await second).stdout).toContain("✓ F002");
});

test("a cancelled run loses its worktree and nothing else", { timeout: 120_000 }, async () => {
  const of = begun();
  of.write(only("F001"));
  const end = ended(of.start(["run", "--worktree"]));
  await building(of, 1);
  const [dir = ""] = worktrees(of);
  fs.writeFileSync(join(dir, "draft.txt"), "half done\n");
  const { code, stdout } = await of.loop("cancel");
  expect([code, stdout]).toEqual([0, expect.stringContaining("loop recover")]);
  expect((await end).code).toBe(9);
  expect([worktrees(of), fs.existsSync(dir), of.git("branch", "--list", "loop/*")]).toEqual([[], false, ""]);
  const listed = JSON.parse((await of.loop("recover", "--json")).stdout);
  const [entry] = listed.quarantine;
  expect(stdout).toContain(`is kept: loop recover ${entry.id}`);
  expect((await of.loop("recover", entry.id, "--show")).stdout).toContain("draft.txt");
  const back = await of.loop("recover", entry.id, "draft.txt");
  expect(back.code, back.stderr).toBe(0);
  expect(of.read("draft.txt")).toBe("half done\n");
});

test("the logs of a cancelled run are removed while another run works in the folder", {
  timeout: 120_000,
}, async () => {
  const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, [waits, ...right("F002")]), evaluator];
  const of = new Project(sampleFiles(scenes, [feature("F001"), feature("F002", { priority: 2 })]));
  project = of;
  const end = ended(of.start(["run", "--worktree"]));
  const built = () => of.events().filter(({ type }) => type === "session-reserved").length;
  await until("the second builder", () => built() === 3, 60_000);
  for (const args of [["pause"], ["land"]]) expect((await of.loop(...args)).code).toBe(0);
  expect((await end).code).toBe(130);
  vi.stubEnv("XDG_STATE_HOME", of.env["XDG_STATE_HOME"]);
  const lock = await lockWorkspace(of.root, "run another");
  const from = performance.now();
  const { code, stdout, stderr } = await of.loop("cancel", "--clean");
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining("Removing")]);
  expect(performance.now() - from).toBeLessThan(14_000);
  await lock.release();
});

test("a worktree that the person removed is made again from its branch", { timeout: 120_000 }, async () => {
  const of = begun();
  of.write(only("F001"));
  const child = of.start(["run", "--worktree"]);
  const end = ended(child);
  await building(of, 1);
  child.kill("SIGKILL");
  await end;
  await until("the leash to end the agent", () => of.strays().length === 0, 10_000);
  const [dir = ""] = worktrees(of);
  of.git("worktree", "remove", "--force", dir);
  go(of);
  const { code, stderr } = await of.loop("continue");
  expect(stderr).toContain("The worktree had been removed; the loop made it again from loop/");
  expect(code, stderr).toBe(0);
  expect(worktrees(of)).toEqual([]);
  expect(of.exists("src/F001.js")).toBe(true);
});

test("commands inside the worktree are about the same runs", { timeout: 120_000 }, async () => {
  const of = begun();
  of.write(only("F001"));
  const end = ended(of.start(["run", "--worktree"]));
  await building(of, 1);
  const [dir = ""] = worktrees(of);
  const inside = await ended(of.start(["--workspace", dir, "status", "--json"]));
  expect(JSON.parse(inside.stdout).worktree.dir).toBe(dir);
  go(of);
  expect((await end).code).toBe(0);
});

test("a request that waits at a gate stays itself when another one has landed meanwhile", {
  timeout: 180_000,
}, async () => {
  const writes = (name: string, code: string, result: string): string =>
    `printf '%s\\n' 'export const ${name} = (n) => ${code};' > src/${name}.js; printf '%s\\n' 'import assert from "node:assert/strict";' 'import { ${name} } from "../src/${name}.js";' 'assert.equal(${name}(2), ${result});' 'assert.equal(${name}(6), 3 * ${result});' > test/${name}.test.js`;
  const steps = (command: string) => [
    { do: "run", command },
    { do: "reply", reply: { status: "done", summary: "done" } },
  ];
  const twice = builder("F001", 1, steps(writes("twice", "n * 2", "4")));
  const half = builder("F002", 1, steps(writes("half", "n / 2", "1")));
  const { "docs/FEATURES.json": _none, ...rest } = sampleFiles([twice, half, evaluator], []);
  project = new Project(rest, { place: "default" });
  const of = project;
  const request = "Add twice(n) to src/twice.js: twice(2) is 4";
  expect((await of.loop(request)).code).toBe(6);
  const [first = ""] = of.runs().map((dir) => basename(dir));
  const other = await of.loop("--yes", "Add half(n) to src/half.js: half(2) is 1");
  expect([other.code, of.exists("src/half.js")], other.stderr).toEqual([0, true]);
  const approved = await of.loop("approve", "--always", "--run", first);
  expect(approved.code, approved.stderr).toBe(0);
  expect(approved.stdout).toContain("Add twice(n)");
  expect(of.git("log", "--all", "--format=%s")).toMatch(/Add twice/);
  const landed = await of.loop("land", "--run", first);
  expect([landed.code, of.exists("src/twice.js"), of.exists("src/half.js")], landed.stderr).toEqual([0, true, true]);
});

test("what two runs hold waits in the inbox under two ids", { timeout: 240_000 }, async () => {
  // Code without a test is not proved.
  const command = `if grep -rqs 'Add half' docs/FEATURES.json .loop/records/FEATURES.json; then f=half; else f=twice; fi; echo "export const $f = (n) => n * $(date +%s%N);" > src/$f.js`;
  const steps = [
    { do: "run", command },
    { do: "reply", reply: { status: "done", summary: "done" } },
  ];
  const scene = { role: "builder", steps };
  const { "docs/FEATURES.json": _none, ...rest } = sampleFiles([scene, evaluator], []);
  project = new Project({ ...rest, "loop.yaml": `${rest["loop.yaml"]}limits: { rework: 0 }\n` }, { place: "default" });
  for (const name of ["half", "twice"]) await project.loop("--yes", `Add ${name}(n) to src/${name}.js, with a test`);
  const { stdout } = await project.loop("inbox", "--json");
  const { inbox } = JSON.parse(stdout) as { inbox: { kind: string; feature: string }[] };
  expect(inbox.filter(({ kind }) => kind === "unproved").map(({ feature: of }) => of)).toEqual(["F002", "F001"]);
});
