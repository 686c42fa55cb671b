// Features from other tools, through the command line: no existing feature is lost, and a PRD can be run as it is.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const prd = `# Two functions

Each returns its own name.

### F001: Add f001()

- [ ] f001() returns 'F001'

### F002: Add f002()

Blocked by: F001

- [ ] f002() returns 'F002'
`;
const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator];

function without(files: Readonly<Record<string, string>>, path: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));
}
const fresh = (more: Record<string, string> = {}): Project => {
  project = new Project({ ...without(sampleFiles(scenes, []), "docs/FEATURES.json"), "PRD.md": prd, ...more });
  return project;
};
const queued = (where: Project, dir = "docs"): { id: string; status: string }[] =>
  JSON.parse(where.read(`${dir}/FEATURES.json`)).features.map(({ id, status }: { id: string; status: string }) => ({
    id,
    status,
  }));

describe("loop run --prd", () => {
  test("builds the PRD's features in dependency order, and records its text and hash", {
    timeout: 60_000,
  }, async () => {
    const where = fresh();
    const { code, stderr } = await where.loop("run", "--prd", "PRD.md");
    expect(stderr).not.toMatch(/bug/i);
    expect(code).toBe(0);
    expect(where.git("log", "--format=%s").split("\n").slice(0, 2)).toEqual([
      "feat(F002): Add f002()",
      "feat(F001): Add f001()",
    ]);
    expect(queued(where, ".loop/records").map(({ status }) => status)).toEqual(["complete", "complete"]);
    const [run = ""] = where.runs();
    expect(fs.readFileSync(join(run, "request.md"), "utf8")).toBe("# Two functions\n\nEach returns its own name.\n");
    const plan = JSON.parse(fs.readFileSync(join(run, "plan.json"), "utf8"));
    expect(plan.prd).toMatchObject({ path: "PRD.md", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(where.read(".loop/records/loop-run-log.md")).toContain(plan.prd.sha256);
  });

  test("refuses to mix with other features and suggests a merge, after which it runs", {
    timeout: 60_000,
  }, async () => {
    const where = fresh({ "docs/FEATURES.json": JSON.stringify({ features: [feature("F001")] }) });
    const before = where.read("docs/FEATURES.json");
    const refused = await where.loop("run", "--prd", "PRD.md");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/loop import PRD\.md --merge/);
    expect(where.read("docs/FEATURES.json")).toBe(before);
    expect((await where.loop("import", "PRD.md", "--merge")).code).toBe(0);
    const planned = await where.loop("run", "--prd", "PRD.md", "--dry-run", "--json");
    expect(planned.code).toBe(0);
    expect(JSON.parse(planned.stdout).features.map(({ id }: { id: string }) => id)).toEqual(["F001", "F002"]);
  });

  test.each([
    ["one that is not there", "nope.md", 64, /no such file/],
    ["one without features", "package.json", 64, /no format that is known/],
    ["a folder", "src", 64, /not a file/],
  ])("refuses %s and starts nothing", async (_, path, code, says) => {
    const where = fresh();
    const ended = await where.loop("run", "--prd", path);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(says);
    expect(where.runs()).toEqual([]);
  });
});

describe("loop import", () => {
  test("with --dry-run shows what would be imported and writes nothing", async () => {
    const where = fresh();
    const { code, stdout } = await where.loop("import", "PRD.md", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/F002.*needs F001[\s\S]*2 features would come in/);
    expect(where.exists("docs/FEATURES.json")).toBe(false);
    expect(where.git("status", "--short")).toBe("");
  });

  test("never changes existing features without --merge or --replace", async () => {
    const there = JSON.stringify({ features: [feature("F001", { name: "mine" })], mine: true });
    const where = fresh({ "docs/FEATURES.json": there });
    const refused = await where.loop("import", "PRD.md");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/--merge[\s\S]*--replace/);
    expect(where.read("docs/FEATURES.json")).toBe(there);

    await where.loop("import", "PRD.md", "--merge");
    expect(queued(where).map(({ id }) => id)).toEqual(["F001", "F003", "F002"]);
    expect(where.read("docs/FEATURES.json").startsWith(there.slice(0, there.indexOf("]}]")))).toBe(true);
    const again = await where.loop("import", "PRD.md", "--merge");
    expect(again.stdout).toMatch(/Nothing new/);

    const merged = where.read("docs/FEATURES.json");
    for (const kept of [".loop/set-aside/FEATURES.json", ".loop/set-aside/FEATURES-2.json"]) {
      const replaced = await where.loop("import", "PRD.md", "--replace");
      expect(replaced.stdout).toContain(kept);
    }
    expect(where.read(".loop/set-aside/FEATURES.json")).toBe(merged);
    expect(queued(where).map(({ id }) => id)).toEqual(["F001", "F002"]);
    expect(where.git("status", "--short")).toBe("M docs/FEATURES.json".padStart(21));
  });

  test("replaces an unreadable file, and keeps a copy", async () => {
    const where = fresh({ "docs/FEATURES.json": "{ broken" });
    expect((await where.loop("import", "PRD.md", "--merge")).code).toBe(1);
    expect((await where.loop("import", "PRD.md", "--replace")).code).toBe(0);
    expect(where.read(".loop/set-aside/FEATURES.json")).toBe("{ broken");
  });

  test("does not write through a symlink", async () => {
    const where = fresh({ "docs/keep": "" });
    fs.writeFileSync(join(where.dir, "outside.json"), "theirs");
    fs.symlinkSync(join(where.dir, "outside.json"), join(where.root, "docs/FEATURES.json"));
    const ended = await where.loop("import", "PRD.md", "--replace");
    expect(ended.code).toBe(1);
    expect(fs.readFileSync(join(where.dir, "outside.json"), "utf8")).toBe("theirs");
  });

  test.each([
    ["an unknown format", ["import", "PRD.md", "--format", "prdjson"], 64, /Did you mean prd-json/],
    ["both ways at once", ["import", "PRD.md", "--merge", "--replace"], 64, /one of the two/],
    ["a binary file", ["import", "bytes.json"], 64, /not text/],
    ["a file that is not what --format says", ["import", "PRD.md", "--format", "prd-json"], 64, /cannot be read/],
    ["an unknown format to export to", ["export", "--format", "xml"], 64, /no format "xml"/],
    ["nothing to export", ["export"], 1, /no docs\/FEATURES\.json/],
  ])("explains what is wrong with %s", async (_, args, code, says) => {
    const where = fresh({ "bytes.json": "\u0000\u0001" });
    const ended = await where.loop(...args);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(says);
  });

  test("warns of vague criteria and continues; run and doctor warn too", async () => {
    const where = fresh({ "vague.md": "### F001: a\n- [ ] It works well\n" });
    expect((await where.loop("import", "vague.md")).stdout).toMatch(/F001: "It works well"/);
    where.git("add", "--all");
    where.git("commit", "--quiet", "--message", "queue");
    expect((await where.loop("run", "--dry-run")).stderr).toMatch(/"It works well" cannot be proved/);
    expect((await where.loop("doctor")).stdout).toMatch(/"It works well" cannot be proved/);
  });
});

test("loop export writes what loop import reads, with the run's statuses", { timeout: 60_000 }, async () => {
  const where = fresh();
  await where.loop("run", "--prd", "PRD.md", "--iterations", "1");
  const out = join(where.dir, "out.json");
  const exported = await where.loop("export", "--format", "prd-json", "--out", out);
  expect(exported.stdout).toBe(`2 features, 1 done, written to ${out}\n`);
  const stories = JSON.parse(fs.readFileSync(out, "utf8")).userStories;
  expect(stories.map(({ id, passes }: { id: string; passes: boolean }) => [id, passes])).toEqual([
    ["F001", true],
    ["F002", false],
  ]);
  const back = await where.loop("import", out, "--replace", "--json");
  expect(JSON.parse(back.stdout).added).toMatchObject([
    { id: "F001", status: "existing" },
    { id: "F002", status: "not-started", dependencies: ["F001"] },
  ]);
  const bad = await where.loop("export", "--out", where.root);
  expect(bad.code).toBe(64);
  expect(fs.readdirSync(where.dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});
