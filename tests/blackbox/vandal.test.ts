// An agent that destroys things: everything is restored, and the damage is on record.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const vandal = (command: string): string =>
  `version: 1\nagents: { maker: { kind: command, command: [sh, -c, ${JSON.stringify(command)}], cost_usd: 0 } }\nchecks: [{ name: test, run: sh run-tests.sh }]\nlimits: { rework: 1 }\n`;

function snapshot(root: string, below = ""): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of fs.readdirSync(join(root, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (path === ".git" || path === ".loop" || path === "docs") continue;
    if (entry.isDirectory()) Object.assign(files, snapshot(root, path));
    else files[path] = fs.readFileSync(join(root, path), "hex");
  }
  return files;
}

test("rm -rf .git .loop docs src loses nothing and is in the run log", { timeout: 120_000 }, async () => {
  project = new Project(
    sampleFiles([], [feature("F001")], { "loop.yaml": vandal("rm -rf .git .loop docs src; exit 0") }),
  );
  fs.writeFileSync(join(project.root, "ignored.txt"), "mine\n");
  const [head, refs, files] = [project.git("rev-parse", "HEAD"), project.git("for-each-ref"), snapshot(project.root)];
  const { code, stderr } = await project.loop("run");
  expect(stderr).toMatch(/git/i);
  expect(code).toBe(7);
  expect(project.git("rev-parse", "HEAD")).toBe(head);
  expect(project.git("for-each-ref")).toBe(refs);
  expect(snapshot(project.root)).toEqual(files);
  expect(project.git("fsck", "--no-dangling")).toBe("");
  expect(project.git("status", "--porcelain", "--", "src", "test")).toBe("");
  expect(project.read("docs/loop-run-log.md")).toContain("git-destroyed: ");
  expect(JSON.parse(project.read("docs/FEATURES.json")).features[0].status).toBe("blocked");
  expect(project.exists(`.loop/tasks/${fs.readdirSync(join(project.root, ".loop/tasks"))[0]}/task.json`)).toBe(true);
});

test("a status that an agent writes into FEATURES.json is reverted, reported, and not believed", {
  timeout: 120_000,
}, async () => {
  const forge = `sed -i 's/not-started/complete/; s/in-progress/complete/' docs/FEATURES.json; echo "all good" > docs/PROGRESS.md; printf '{"status":"done","summary":"x"}' > "$LOOP_REPLY_FILE"`;
  project = new Project(sampleFiles([], [feature("F001")], { "loop.yaml": vandal(forge) }));
  const { code } = await project.loop("run");
  expect(code).toBe(4);
  expect(JSON.parse(project.read("docs/FEATURES.json")).features[0].status).toBe("blocked");
  const log = project.read("docs/loop-run-log.md");
  expect(log).toContain("docs/FEATURES.json was changed while the loop was at work; the loop put it back.");
  expect(log).toContain("docs/PROGRESS.md was changed while the loop was at work");
  expect(project.read("docs/PROGRESS.md")).not.toContain("all good");
});

test("the agent's own commits are folded into the feature's single commit", { timeout: 120_000 }, async () => {
  const commits = `if [ "$LOOP_ROLE" = evaluator ]; then printf '{"verdict":"pass","summary":"ok","criteria":[{"criterion":"C1","met":true,"verification":"observation"}]}' > "$LOOP_REPLY_FILE"; exit 0; fi
echo 'export const f001 = () => "F001";' > src/F001.js; git add -A; git commit -qm one
printf 'import assert from "node:assert/strict";\\nimport { f001 } from "../src/F001.js";\\nassert.equal(f001(), "F001");\\n' > test/F001.test.js; git add -A; git commit -qm two
printf '{"status":"done","summary":"x"}' > "$LOOP_REPLY_FILE"`;
  project = new Project(sampleFiles([], [feature("F001")], { "loop.yaml": vandal(commits) }));
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
  const subjects = project.git("log", "--format=%s").split("\n");
  expect(subjects.filter((subject) => !subject.startsWith("chore(loop)"))).toEqual(["feat(F001): Add f001()", "start"]);
  expect(project.git("show", "-s", "--format=%(trailers:key=Loop-Feature,valueonly)", "HEAD~1")).toContain("F001");
});
