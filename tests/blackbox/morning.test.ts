// The morning after: the night on one screen, the commits by risk, and taking one back.
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles } from "../support/sample.ts";
import { hasScript, typed } from "../support/terminal.ts";

vi.setConfig({ testTimeout: 300_000 });

let project: Project;
afterEach(() => project.remove());

const scenes = [
  builder("F001", 1, right("F001")),
  builder("F002", 1, lie),
  builder("F002", 2, right("F002")),
  evaluator,
];
const two = [feature("F001"), feature("F002", { priority: 2, dependencies: ["F001"] })];
const subjects = (): string[] => project.git("log", "--format=%s").split("\n");

test("the night is on one screen, its commits are read by risk, and one can be taken back", async () => {
  project = new Project(sampleFiles(scenes, two));
  const night = await project.loop("run", "--yes");
  expect(night.code, night.stderr).toBe(0);

  const { stdout } = await project.loop();
  expect(stdout).toMatch(/^Done\n {2}F001 {2}Add f001\(\): proved; old tests green, new tests fail without it/m);
  expect(stdout).toMatch(/^Refused\n {2}F002, attempt 1 failed: /m);
  expect(stdout).toMatch(/^Cost\n {2}\d+ sessions, /m);
  expect(stdout).toMatch(/^To read\n {2}2 commits, riskiest first: loop read {3}\(F002: 2 attempts, /m);
  expect(stdout).toMatch(/\nNext: loop report\n$/);

  const read = await project.loop("read");
  expect(read.code, read.stderr).toBe(0);
  expect(read.stdout).toMatch(
    /^1 of 2 {2}F002 Add f002\(\)\n {2}risk +2 attempts, 2 files changed\n {2}proof +proved; /,
  );
  expect(read.stdout.indexOf("2 of 2  F001")).toBeGreaterThan(read.stdout.indexOf("+++ b/src/F002.js"));
  expect(JSON.parse((await project.loop("read", "--json")).stdout)).toMatchObject({
    version: 1,
    commits: [{ feature: "F002", removed: 0, undo: "loop undo F002" }, { feature: "F001" }],
  });

  const unasked = await project.loop("undo", "F002");
  expect([unasked.code, unasked.stderr]).toEqual([64, expect.stringContaining("Next: loop undo F002 --yes")]);
  const needed = await project.loop("undo", "F001", "--yes");
  expect(needed.code).not.toBe(0);
  expect(needed.stderr).toContain("F002 is complete and depends on it.\nNext: Undo all of them: loop undo F002 F001");
  expect(subjects()).toHaveLength(4);

  const undone = await project.loop("undo", "F002", "--yes");
  expect(undone.code, undone.stderr).toBe(0);
  expect(undone.stdout).toMatch(
    /^Undid F002 at [0-9a-f]{10}\nF002 is open again in docs\/FEATURES\.json\nThe next loop run builds it again, which is paid for\. To leave it out: remove it from docs\/FEATURES\.json\nNext: /,
  );
  expect(subjects()[0]).toBe('Revert "feat(F002): Add f002()"');
  expect(project.git("log", "-1", "--format=%b")).toMatch(/^This reverts commit [0-9a-f]{40}\./);
  expect([project.exists("src/F002.js"), project.exists("src/F001.js")]).toEqual([false, true]);
  expect(JSON.parse(project.read("docs/FEATURES.json")).features[1].status).toBe("not-started");
  expect(project.git("status", "--porcelain")).toBe("");
  const takenBack = `taken back (${project.git("rev-parse", "--short=10", "HEAD")})`;
  const after = (await project.loop()).stdout;
  expect(after).toContain(`\nTaken back\n  F002  Add f002(): ${takenBack}\n`);
  expect(after).toMatch(/^Done\n {2}F001 .*\n\n[\s\S]*^To read\n {2}1 commit, /m);
  expect((await project.loop("status")).stdout).toMatch(/✓ F001 [\s\S]* · F002 Add f002\(\) {2}taken back \(/);
  const readAgain = (await project.loop("read")).stdout;
  expect([readAgain.includes(takenBack), readAgain.includes("loop undo F002")]).toEqual([true, false]);
  const report = (await project.loop("report")).stdout;
  expect([report.includes(`| ${takenBack} |`), report.includes("SHIP")]).toEqual([true, false]);
  // Everything that shows the run says so, and nothing calls it finished.
  expect(report).toMatch(/^# Done: 1 of 2 features complete\n/);
  const script = (await project.loop("report", "--pr")).stdout.trim();
  const [done = "", open = ""] = fs.readFileSync(join(dirname(script), "body.md"), "utf8").split("## Not done");
  expect([done.includes("F002"), open.includes("F002")]).toEqual([false, true]);
  expect((await project.loop("show")).stdout).not.toContain("SHIP");
  expect((await project.loop("list")).stdout).toContain(" 1/2 ");
  expect(JSON.parse((await project.loop("list", "--json")).stdout).runs).toMatchObject([
    { done: 1, verdict: "RESEARCH" },
  ]);
  expect(JSON.parse((await project.loop("watch", "--json")).stdout.split("\n")[0] ?? "").status.done).toBe(1);
  expect(JSON.parse((await project.loop("status", "--json")).stdout).features).toMatchObject([
    { takenBack: null },
    { takenBack: project.git("rev-parse", "HEAD") },
  ]);
  expect(JSON.parse((await project.loop("export", "--json")).stdout)).toMatchObject({ features: 2, done: 1 });
  const again = await project.loop("undo", "F002", "--yes");
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain("The change of F002 is not on this branch any more.");

  project.write({ "src/F001.js": 'export const f001 = () => "F00" + 1;\n' });
  const dirty = await project.loop("undo", "F001", "--yes");
  expect([dirty.code === 0, dirty.stderr]).toEqual([false, expect.stringContaining("Nothing was undone.")]);
  expect(project.git("status", "--porcelain")).toBe(" M src/F001.js");
  project.git("commit", "--quiet", "--all", "--message", "by hand");
  const before = project.git("rev-parse", "HEAD");
  const conflict = await project.loop("undo", "F001", "--yes", "--json");
  expect(conflict.code).not.toBe(0);
  expect(JSON.parse(conflict.stdout)).toMatchObject({
    error: { code: "undo-conflict", why: "Later commits changed the same lines as F001: src/F001.js" },
  });
  expect([project.git("rev-parse", "HEAD"), project.git("status", "--porcelain")]).toEqual([before, ""]);
});

test("two commits with one id are both listed, and only the named one is taken back", async () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
  expect((await project.loop("run", "--yes")).code).toBe(0);
  const first = project.git("log", "-1", "--grep=^Loop-Feature: F001", "--format=%h", "--abbrev=10");
  project.write({ "src/other.js": "export const other = 1;\n" });
  project.git("add", "src/other.js");
  const trailers = `Loop-Run: other\nLoop-Feature: F001\nLoop-Iteration: 1\nLoop-Proof: ${"0".repeat(64)}`;
  project.git("commit", "--quiet", "--message", `feat(F001): Add other\n\n${trailers}`);
  const second = project.git("log", "-1", "--format=%h", "--abbrev=10");

  const unclear = await project.loop("undo", "F001", "--yes");
  expect(unclear.code).toBe(64);
  expect(unclear.stderr).toContain(
    `  ${second}  feat(F001): Add other  (run other)\n  ${first}  feat(F001): Add f001()`,
  );
  expect(project.git("log", "-1", "--format=%s")).toBe("feat(F001): Add other");
  const named = await project.loop("undo", first, "--yes");
  expect(named.code, named.stderr).toBe(0);
  expect(named.stdout).not.toContain("open again");
  expect([project.exists("src/F001.js"), project.exists("src/other.js")]).toEqual([false, true]);
  // Only one of them still stands, so that the id is clear again.
  expect((await project.loop("undo", "F001", "--yes")).code).toBe(0);
  expect(project.exists("src/other.js")).toBe(false);
});

test("a plan to undo finishes no interrupted landing, and undoing does", async () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
  expect((await project.loop("run", "--yes")).code).toBe(0);
  const [from, to] = [project.git("rev-parse", "HEAD~1"), project.git("rev-parse", "HEAD")];
  // A crash between the branch and the files.
  project.git("reset", "--quiet", "--hard", from);
  project.git("update-ref", "HEAD", to);
  fs.writeFileSync(join(project.runs()[0] ?? "", "..", "..", "advance-pending"), `${from} ${to}`);
  const before = project.git("status", "--porcelain");
  expect((await project.loop("undo", "F001")).code).toBe(64);
  expect(project.git("status", "--porcelain")).toBe(before);
  const undone = await project.loop("undo", "F001", "--yes");
  expect(undone.code, undone.stderr).toBe(0);
  expect([project.exists("src/F001.js"), project.git("status", "--porcelain")]).toEqual([false, ""]);
});

test("a run that rests in this folder is not undone under, whatever ran in a worktree since", async () => {
  const endless = [{ do: "sleep", ms: 60_000 }];
  project = new Project(sampleFiles([builder("F001", 1, endless)], [feature("F001")]));
  const here = ended(project.start(["run", "--yes"]));
  await until("the session", () => project.events().some(({ type }) => type === "session-reserved"));
  await project.loop("run", "--yes", "--worktree", "Add f009() to src/F009.js, with a test in test/F009.test.js");
  expect(project.runs()).toHaveLength(2);
  await project.loop("pause", "--run", basename(project.runs()[0] ?? ""));
  await here;
  const { code, stderr } = await project.loop("undo", "F001", "--yes");
  expect([code, stderr]).toEqual([1, expect.stringContaining("works in this folder")]);
});

test.skipIf(!hasScript())("at a terminal it asks first, and n leaves everything as it is", async () => {
  project = new Project(sampleFiles(scenes, two));
  expect((await project.loop("run", "--yes")).code).toBe(0);
  const no = await typed(project, ["undo", "F002"], [["Undo it? [y]es  [n]o", "n\r"]]);
  expect(no.seen).toContain("1 revert commit on main, 2 files: src/F002.js, test/F002.test.js");
  expect(subjects()).toHaveLength(4);
  const yes = await typed(project, ["undo", "F002", "F001"], [["Undo it? [y]es  [n]o", "y\r"]]);
  expect(yes.code, yes.seen).toBe(0);
  expect(subjects().slice(0, 2)).toEqual(['Revert "feat(F001): Add f001()"', 'Revert "feat(F002): Add f002()"']);
  const walked = await typed(
    project,
    ["read"],
    [
      ["[d]iff  [n]ext  [q]uit", "d\r"],
      ["+++ b/src/F002.js", ""],
      ["[d]iff  [n]ext  [q]uit", "\r"],
      ["2 of 2  F001", ""],
      ["[d]iff  [q]uit", "q\r"],
    ],
  );
  expect(walked.code, walked.seen).toBe(0);
});
