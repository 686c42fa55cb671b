// From an issue to a pull request, through a gh on PATH that only this test knows. The loop reads, and never pushes.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Ended, ended, type Files, Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { hasScript, typed } from "../support/terminal.ts";

vi.setConfig({ testTimeout: 180_000 });

let project: Project;
afterEach(() => project.remove());

const issues = [
  {
    number: 7,
    title: "Add f001() to src/F001.js",
    body: "It returns its own name.\u001b[2J Add a test in test/F001.test.js.",
    state: "OPEN",
    url: "https://example.invalid/o/r/issues/7",
  },
  { number: 9, title: "Close the door", body: "- [ ] It is shut", state: "OPEN", url: "https://example.invalid/9" },
];
const fake = `#!/bin/sh
echo "$*" >> "$HOME/gh.log"
case "$1 $2" in
  "issue view") [ "$3" = 7 ] || { echo "no issue $3" >&2; exit 1; }; cat "$HOME/issue.json" ;;
  "issue list") cat "$HOME/issues.json" ;;
  "pr create") echo https://example.invalid/pull/1 ;;
  *) exit 2 ;;
esac
`;

function withGh(files: Files = alone()): void {
  project = new Project(files);
  fs.mkdirSync(join(project.home, "bin"));
  fs.writeFileSync(join(project.home, "bin", "gh"), fake, { mode: 0o755 });
  fs.writeFileSync(join(project.home, "issue.json"), JSON.stringify(issues[0]));
  fs.writeFileSync(join(project.home, "issues.json"), JSON.stringify(issues));
}

function alone(): Files {
  const { "docs/FEATURES.json": _, ...files } = sampleFiles([builder("F001", 1, right("F001")), evaluator], []);
  return files;
}

const env = (): Record<string, string> => ({
  PATH: [join(project.home, "bin"), project.env["PATH"]].join(delimiter),
});
const loop = (...args: string[]): Promise<Ended> => ended(project.start(args, env()));
const asked = (): string[] => fs.readFileSync(join(project.home, "gh.log"), "utf8").trim().split("\n");

test.skipIf(!hasScript())("the open features follow in a second run, which is not about the issue again", async () => {
  const scenes = [builder("F003", 1, right("F001")), builder("F002", 1, right("F002")), evaluator];
  withGh(sampleFiles(scenes, [feature("F002")], { "loop.yaml": `${sampleFiles([], [])["loop.yaml"]}gates: []\n` }));
  const at = { root: project.root, env: { ...project.env, ...env() } };
  const answers = [
    ["What must not change", "\r"],
    ["Start?", "y\r"],
    ["he features as well", "t\r"],
    ["Start?", "y\r"],
  ] as const;
  const { code, seen } = await typed(at, ["--issue", "7"], answers);
  expect(code, seen).toBe(0);
  expect(asked()).toHaveLength(1);
  expect(project.runs()).toHaveLength(2);
  expect(project.git("log", "--format=%s", "--grep=^feat")).toMatch(/^feat\(F002\).*\nfeat\(F003\)/);
});

test.each(["--here", "--worktree"])(
  "an issue becomes a commit and a prepared pull request, which a person opens: %s",
  async (place) => {
    withGh();
    const start = project.git("rev-parse", "main");
    const { code, stderr, stdout } = await loop("--issue", "7", "--yes", "--pr", place);
    expect(code, stderr).toBe(0);
    const branch =
      place === "--here" ? "main" : project.git("for-each-ref", "--format=%(refname)", "refs/heads/loop/*");
    if (place === "--worktree") {
      // It has not landed, and is not asked to: the pull request is how it comes to main.
      expect([project.git("rev-parse", "main"), stdout]).toEqual([
        start,
        expect.stringContaining("for a pull request"),
      ]);
      expect((await loop("inbox")).stdout).toBe("The inbox is empty.\n");
    }
    expect(asked()).toEqual(["issue view 7 --json number,title,body,url"]);
    expect(stderr + stdout).not.toContain("\u001b");
    expect(project.git("log", "-1", "--format=%B", branch)).toMatch(
      /^feat\(F001\): Add f001\(\) to src\/F001\.js\n[\s\S]*From https:\/\/example\.invalid\/o\/r\/issues\/7\n/,
    );
    const script = /Nothing was pushed\. To open it: sh (\S+)/.exec(stderr)?.[1] ?? "";
    expect((await loop("report", "--pr")).stdout.trim()).toBe(script);
    expect(asked()).toHaveLength(1);
    const body = fs.readFileSync(join(script, "..", "body.md"), "utf8");
    expect(body).toMatch(/## Done\n\n- \*\*F001 Add f001\(\) to src\/F001\.js\*\*: proved; old tests green/);
    expect(body).toMatch(/ {2}- \[x\] /);
    expect(body).toMatch(/\n\nCloses o\/r#7\n$/);
    expect(fs.readFileSync(join(script, "..", "title.txt"), "utf8")).toBe("Add f001() to src/F001.js\n");

    const open = () => execFileSync("sh", [script], { env: { ...project.env, ...env() }, stdio: "pipe" });
    // The first time there is nothing to push to; the script can be run again.
    expect(open).toThrow(/origin/);
    execFileSync("git", ["init", "--quiet", "--bare", join(project.dir, "origin")], { env: project.env });
    project.git("remote", "add", "origin", join(project.dir, "origin"));
    open();
    expect(asked()[1]).toMatch(
      /^pr create --head loop\/\S+ --base main --title Add f001\(\) to src\/F001\.js --body-file /,
    );
    expect(project.git("ls-remote", "--heads", "origin")).toMatch(/^[0-9a-f]{40}\trefs\/heads\/loop\/\S+$/);
  },
);

test("open issues come into the queue", async () => {
  withGh();
  const { code, stdout, stderr } = await loop("import", "--github");
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("2 features came in (github-issues).");
  expect(JSON.parse(project.read("docs/FEATURES.json")).features).toMatchObject([
    { name: "Add f001() to src/F001.js" },
    { name: "Close the door" },
  ]);
  expect(asked()).toEqual([expect.stringMatching(/^issue list --state open --limit 200 --json /)]);
});

describe("says what to do", () => {
  test.each([
    ["an unknown issue", ["--issue", "8", "--yes"], "no issue 8\nNext: gh issue view 8"],
    ["a word", ["--issue", "seven"], "seven is not the number of an issue."],
    ["a file and --github", ["import", "x.json", "--github"], "Either a file or --github"],
    ["neither", ["import"], "Either a file or --github"],
  ])("%s", async (_, args, says) => {
    withGh();
    const { code, stderr } = await loop(...args);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(says)]);
    expect(project.runs()).toEqual([]);
  });

  test("without gh", async () => {
    withGh();
    const node = join(process.execPath, "..");
    const { code, stderr } = await ended(project.start(["--issue", "7"], { PATH: node }));
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining("gh is not installed.")]);
  });
});
