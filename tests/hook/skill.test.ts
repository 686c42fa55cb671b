// loop skill install: where the skill goes, and what it leaves alone.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";

let project: Project;
beforeEach(() => {
  project = new Project({ "a.txt": "a\n" });
});
afterEach(() => project.remove());

const homes = { claude: ".claude", codex: ".codex", agents: ".agents" } as const;
type Home = keyof typeof homes;
const fileOf = (home: Home): string => join(project.home, homes[home], "skills", "loopwright", "SKILL.md");
const installed = (): Home[] => (["claude", "codex", "agents"] as const).filter((home) => fs.existsSync(fileOf(home)));

test.each([
  [[], ["claude", "codex", "agents"]],
  [
    ["--skill-target", "both"],
    ["codex", "agents"],
  ],
  [["--skill-target", "codex"], ["codex"]],
  [["--skill-target", "agents"], ["agents"]],
  [["--skill-target", "claude"], ["claude"]],
  [["--skill-target", "none"], []],
])("install %j writes it for %j", async (flags, homesWritten) => {
  const { code, stderr } = await project.loop("skill", "install", ...flags);
  expect(code, stderr).toBe(0);
  expect(installed()).toEqual(homesWritten);
  for (const home of installed())
    expect(fs.readFileSync(fileOf(home), "utf8")).toBe(fs.readFileSync("plugin/skills/loopwright/SKILL.md", "utf8"));
});

test("--dry-run names each file and writes none", async () => {
  const { stdout } = await project.loop("skill", "install", "--dry-run", "--skill-target", "both");
  expect(stdout).toBe(`Would write ${fileOf("codex")}\nWould write ${fileOf("agents")}\n`);
  expect(installed()).toEqual([]);
});

test("another version stays without --overwrite, and is kept with it; the same one is up to date", async () => {
  fs.mkdirSync(join(fileOf("codex"), ".."), { recursive: true });
  fs.writeFileSync(fileOf("codex"), "mine\n");
  const refused = await project.loop("skill", "install");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("Next: loop skill install --overwrite");
  expect(installed()).toEqual(["codex"]);
  expect(fs.readFileSync(fileOf("codex"), "utf8")).toBe("mine\n");
  const { stdout } = await project.loop("skill", "install", "--overwrite", "--skill-target", "codex");
  expect(stdout).toBe(`Replaced ${fileOf("codex")}\n`);
  expect(fs.readFileSync(`${fileOf("codex")}.before-loopwright`, "utf8")).toBe("mine\n");
  expect((await project.loop("skill", "install", "--skill-target", "codex")).stdout).toBe(
    `Up to date: ${fileOf("codex")}\n`,
  );
});

test("a folder in the place of the file, and a target that does not exist, are errors with a next step", async () => {
  fs.mkdirSync(fileOf("agents"), { recursive: true });
  const inTheWay = await project.loop("skill", "install", "--skill-target", "agents", "--overwrite");
  expect(inTheWay.code).not.toBe(0);
  expect(inTheWay.stderr).toContain(fileOf("agents"));
  expect(inTheWay.stderr).not.toContain("bug");
  const unknown = await project.loop("skill", "install", "--skill-target", "codecs");
  expect(unknown.code).toBe(64);
  expect(unknown.stderr).toContain("codex");
});
