// Commits, held branches and features taken back after a run is over: every screen says what has become of them.
import { afterEach, expect, test } from "vitest";
import { clear } from "../procedure/drafting.ts";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { hasScript, typed } from "../support/terminal.ts";
import { anyTry, branches, two, untested } from "../support/unproved.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const shown = async (of: Project, ...command: string[]): Promise<string> => (await of.loop(...command)).stdout;
const firstOfTwo = (): Project => {
  const files = sampleFiles([builder("F001", 1, right("F001")), evaluator], two);
  project = new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}limits: { iterations: 1 }\n` });
  return project;
};

test("commits of a cancelled run are named on every screen until they land or their branch is gone", {
  timeout: 240_000,
}, async () => {
  const of = firstOfTwo();
  expect((await of.loop("run", "--worktree")).code).toBe(3);
  const branch = of.git("for-each-ref", "--format=%(refname:short)", "refs/heads/loop/*");
  expect(await shown(of, "cancel")).toContain(
    `Its commits stay on ${branch}, and have not landed. To have them: loop land`,
  );
  const next = `loop land, or to drop the commits: git branch -D ${branch}`;
  const where = await shown(of);
  expect(where).toMatch(/^Done, and not landed\n {2}F001 /m);
  expect(where).toContain(`Its commits are on ${branch}, and have not landed on main yet.`);
  expect(where.trimEnd().endsWith(`Next: ${next}`)).toBe(true);
  const status = await shown(of, "status");
  expect(status).toContain(`place     ${branch}, not landed on main\n`);
  expect(status).toContain(`next      ${next}\n`);
  expect(await shown(of, "inbox")).toMatch(
    /^run \(landing\)\n[\s\S]* {2}Root cause: The run was cancelled\.\n {2}Next: loop land, /,
  );
  expect(await shown(of, "list")).toContain(`${branch}, not landed on main`);

  of.git("branch", "-D", branch);
  expect(await shown(of, "inbox")).toBe("The inbox is empty.\n");
  expect(await shown(of, "status")).toContain(`place     ${branch}, dropped before it landed\n`);
});

test("a cancelled follow-up says that the work of the run before it has not landed, and landing names the rejection", {
  timeout: 240_000,
}, async () => {
  const { "docs/FEATURES.json": _, ...files } = sampleFiles(
    [{ ...builder("F001", 1, right("F001")), attempt: undefined }, builder("F002", 1, right("F002")), evaluator],
    [],
  );
  project = new Project(files);
  const of = project;
  await of.loop("run", "--worktree", clear);
  await of.loop("approve");
  const rejected = await of.loop("reject", "--reason", "F002() as well");
  expect(rejected.stdout).toContain("and have not landed on main yet.");
  expect(await shown(of, "cancel")).toContain("and have not landed. To have them: loop land");
  // Two runs worked in one worktree, and it is said once.
  expect((await shown(of, "inbox")).match(/\(landing\)/g)).toHaveLength(1);
  expect(await shown(of)).toMatch(/^Done, and not landed\n(?: {2}.*\n)* {2}F001 /m);
  expect(await shown(of, "status")).toContain("not landed on main\n");
  const landed = await of.loop("land");
  expect(landed.code, landed.stderr).toBe(0);
  expect(landed.stderr).toContain("The run was cancelled. You rejected its result: F002() as well\n");
  expect(landed.stderr).not.toContain("audit");
  expect(await shown(of, "inbox")).toBe("The inbox is empty.\n");
});

test("the branch of rejected work is gone at once, and one that still waited is named when the run is cancelled", {
  timeout: 240_000,
}, async () => {
  project = new Project(
    sampleFiles(
      [anyTry("F001", untested("F001")), anyTry("F002", untested("F002")), evaluator],
      [feature("F001"), feature("F002", { priority: 2 })],
    ),
  );
  const of = project;
  expect((await of.loop("run")).code).toBe(7);
  expect(branches(of)).toBe("loop/held/F001\nloop/held/F002\nmain");
  const rejected = await of.loop("reject", "F001", "--reason", "no", "--no-continue");
  expect(rejected.stderr).toContain("The branch loop/held/F001 is removed.");
  expect(branches(of)).toBe("loop/held/F002\nmain");
  const left = "Work that waited for you was left on loop/held/F002. To drop it: git branch -D loop/held/F002";
  expect(await shown(of, "cancel")).toContain(`${left}\n`);
  expect(await shown(of, "status")).toContain(left);
  expect(await shown(of)).toContain(left);
});

test("a later run does not tick a feature that was taken back, until it is built again", {
  timeout: 240_000,
}, async () => {
  const first = [feature("F001")];
  const scenes = [
    { ...builder("F001", 1, right("F001")), attempt: undefined },
    builder("F002", 1, right("F002")),
    evaluator,
  ];
  project = new Project(sampleFiles(scenes, first));
  const of = project;
  expect((await of.loop("run")).code).toBe(0);
  const queue = JSON.parse(of.read("docs/FEATURES.json"));
  of.write({ "docs/FEATURES.json": JSON.stringify({ ...queue, features: [...queue.features, two[1]] }) });
  of.git("commit", "--quiet", "--all", "--message", "more");
  expect((await of.loop("run")).code).toBe(0);
  expect(await shown(of, "status")).toMatch(/✓ F001 /);
  expect((await of.loop("undo", "F001", "--yes")).code).toBe(0);
  expect(await shown(of, "status")).toMatch(/· F001 Add f001\(\) {2}taken back \(/);
  expect(await shown(of, "list")).toMatch(/0\/1 .*F001 taken back\n/);
  // Its own work is as it was.
  expect(JSON.parse(await shown(of, "status", "--json"))).toMatchObject({ verdict: "SHIP", done: 1 });
  expect((await of.loop("run")).code).toBe(0);
  const [, second = ""] = JSON.parse(await shown(of, "list", "--json")).runs.map(({ run }: { run: string }) => run);
  expect(await shown(of, "status", "--run", second)).toMatch(/✓ F001 /);
});

test("uncommitted files that a landing would overwrite are named in the next command, on every screen", {
  timeout: 240_000,
}, async () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
  const of = project;
  of.write({ "src/F001.js": "// mine\n", "notes.txt": "mine\n" });
  const { stdout } = await of.loop("run", "--worktree");
  const next = "commit or stash src/F001.js, then: loop land";
  expect(stdout).toContain(`\nNext: ${next}\n`);
  expect((await shown(of)).trimEnd().endsWith(`Next: ${next}`)).toBe(true);
  expect(await shown(of, "inbox")).toContain(`  Next: ${next}\n`);
  expect((await of.loop("land")).stderr).toContain("would be overwritten");
  of.git("add", "src/F001.js");
  of.git("stash", "--quiet");
  expect((await of.loop("land")).code).toBe(0);
  expect(of.read("src/F001.js")).not.toContain("mine");
});

test.skipIf(!hasScript())(
  "a request starts while another run is paused, and Enter resumes nothing",
  {
    timeout: 240_000,
  },
  async () => {
    const files = sampleFiles(
      [builder("F001", 1, right("F001")), { ...builder("F003", 1, right("F003")), attempt: undefined }, evaluator],
      two,
    );
    project = new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}limits: { iterations: 1 }\n` });
    const of = project;
    expect((await of.loop("run", "--worktree")).code).toBe(3);
    const request = "Add f003() to src/F003.js, which returns its own name, with a test in test/F003.test.js";
    const { code, seen } = await typed(of, ["run", "--worktree", "--yes", request], [["Resume it?", "\r"]]);
    expect(code, seen).toBe(0);
    expect(seen).toContain("[s]tart the new run");
    expect([of.exists("src/F003.js"), of.exists("src/F001.js")]).toEqual([true, false]);
    expect(JSON.parse(await shown(of, "list", "--json")).runs).toMatchObject([
      { state: "over" },
      { state: "waits-for-you" },
    ]);
  },
);
