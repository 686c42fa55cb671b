// A run that the first version began can be viewed and cancelled, but not continued.
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { sha256 } from "../../src/formats/text/sha256.ts";
import { encodeLine, firstLink } from "../../src/journal/line.ts";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

/** The run as the first version would have left it, in its plan and in the journal that names the plan. */
function asFirstVersion(of: Project): string {
  const home = of.runs()[0] ?? "";
  const plan = fs.readFileSync(join(home, "plan.json"), "utf8").replace('"version": 2', '"version": 1');
  fs.writeFileSync(join(home, "plan.json"), plan);
  let link = firstLink(basename(home));
  const lines = of.events(home).map((event) => {
    const { key: _, ...old } = event.type === "begun" ? { ...event, contract: sha256(plan) } : event;
    const line = encodeLine(old, link);
    link = line.link;
    return line.bytes;
  });
  for (const name of fs.readdirSync(home).filter((file) => /snapshot|status/.test(file)))
    fs.rmSync(join(home, name), { recursive: true });
  fs.rmSync(join(of.root, ".loop"), { recursive: true, force: true });
  fs.writeFileSync(join(home, "events.jsonl"), Buffer.concat(lines));
  return join(home, "events.jsonl");
}

test("a run of the first version can be viewed and cancelled, and continue says what to do", {
  timeout: 120_000,
}, async () => {
  const scenes = [builder("F001", 1, right("F001")), evaluator];
  project = new Project(sampleFiles(scenes, [feature("F001"), feature("F002")]));
  const first = await project.loop("run", "--iterations", "1");
  expect(first.code, first.stderr).toBe(3);
  const journal = asFirstVersion(project);
  const before = fs.readFileSync(journal, "utf8");
  for (const command of ["status", "report", "show", "list"]) {
    const seen = await project.loop(command);
    expect([command, seen.code], seen.stdout + seen.stderr).toEqual([command, 0]);
  }
  const refused = await project.loop("continue", "--iterations", "5");
  expect(refused.code, refused.stdout).toBe(1);
  expect(refused.stdout + refused.stderr).toContain("The first version of Loopwright began it");
  expect(project.exists("src/F002.js")).toBe(false);
  expect(fs.readFileSync(journal, "utf8").startsWith(before)).toBe(true);
  const cancelled = await project.loop("cancel");
  expect(cancelled.code, cancelled.stdout + cancelled.stderr).toBe(0);
});
