// Bad input gets a clear error and the right exit code, and changes nothing.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ended, type Files, Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const good = sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]);
const features = (...list: object[]): string => JSON.stringify({ version: 1, features: list });

const cases: {
  title: string;
  files?: Files;
  args?: string[];
  env?: Record<string, string>;
  code: number;
  says: RegExp;
}[] = [
  {
    title: "an unknown key",
    files: { "loop.yaml": "version: 1\nlimts: { cost_usd: 3 }\n" },
    code: 1,
    says: /limts[\s\S]*limits/,
  },
  {
    title: "an unknown key further in",
    files: { "loop.yaml": "limits: { cost_us: 3 }\n" },
    code: 1,
    says: /cost_us[\s\S]*cost_usd/,
  },
  { title: "broken YAML", files: { "loop.yaml": "checks: [ {name: test\n" }, code: 1, says: /loop\.yaml has/ },
  { title: "a wrong type", files: { "loop.yaml": "limits: { cost_usd: lots }\n" }, code: 1, says: /cost_usd/ },
  {
    title: "a configuration of 5 MB",
    files: { "loop.yaml": `# ${"x".repeat(5 * 1024 * 1024)}\nversion: 1\n` },
    code: 1,
    says: /256 KB|too large/i,
  },
  { title: "a YAML bomb", files: { "loop.yaml": bomb() }, code: 1, says: /loop\.yaml has/ },
  {
    title: "broken JSON",
    files: { "docs/FEATURES.json": '{ "features": [ { "id": "F001", ] }' },
    code: 1,
    says: /line 1/,
  },
  {
    title: "features twice",
    files: { "docs/FEATURES.json": features(feature("F001"), feature("F001")) },
    code: 1,
    says: /F001/,
  },
  {
    title: "features in a circle",
    files: {
      "docs/FEATURES.json": features(
        feature("F001", { dependencies: ["F002"] }),
        feature("F002", { dependencies: ["F001"] }),
      ),
    },
    code: 1,
    says: /F001.*F002|F002.*F001/,
  },
  {
    title: "an unknown dependency",
    files: { "docs/FEATURES.json": features(feature("F001", { dependencies: ["F009"] })) },
    code: 1,
    says: /F009/,
  },
  {
    title: "an unknown status",
    files: { "docs/FEATURES.json": features(feature("F001", { status: "finished" })) },
    code: 1,
    says: /finished/,
  },
  {
    title: "no criteria",
    files: { "docs/FEATURES.json": features(feature("F001", { acceptance_criteria: [] })) },
    code: 1,
    says: /acceptance_criteria/,
  },
  {
    title: "an id that is a path",
    files: { "docs/FEATURES.json": features(feature("../../etc/x")) },
    code: 1,
    says: /plain name/,
  },
  {
    title: "an id with a slash",
    files: { "docs/FEATURES.json": features(feature("a/b")) },
    code: 1,
    says: /plain name/,
  },
  {
    title: "a feature with an unknown check",
    files: { "docs/FEATURES.json": features(feature("F001", { checks: ["nope"] })) },
    code: 1,
    says: /nope/,
  },
  {
    title: "records outside the workspace",
    files: { "loop.yaml": "records_dir: ../elsewhere\n" },
    code: 1,
    says: /records_dir/,
  },
  {
    title: "no agent",
    files: { "loop.yaml": "checks: [{ name: test, run: sh run-tests.sh }]\n" },
    env: { PATH: "/usr/bin:/bin" },
    code: 1,
    says: /No agent/,
  },
  {
    title: "an agent that does not exist",
    files: {
      "loop.yaml":
        "agents: { maker: { kind: command, command: [no-such-program] } }\nchecks: [{ name: test, run: sh run-tests.sh }]\n",
    },
    code: 1,
    says: /no-such-program/,
  },
  { title: "no check", files: { "loop.yaml": "agents: { maker: rehearsal }\n" }, code: 1, says: /No check/ },
  {
    title: "a stage that nobody knows",
    files: {
      "loop.yaml": 'agents: { maker: rehearsal }\nchecks: [{ name: t, run: "true" }]\nstages: [implement, review]\n',
    },
    code: 1,
    says: /stages/,
  },
  { title: "a limit over the ceiling", args: ["run", "--budget", "5000"], code: 1, says: /--yes-really/ },
  { title: "a budget that is no number", args: ["run", "--budget", "lots"], code: 64, says: /--budget lots/ },
  { title: "a negative budget", args: ["run", "--budget=-3"], code: 64, says: /--budget -3/ },
  { title: "a level of autonomy that is none", args: ["run", "--autonomy", "L9"], code: 64, says: /--autonomy L9/ },
  { title: "an agent that nobody knows", args: ["run", "--agent", "cluade"], code: 64, says: /cluade[\s\S]*claude/ },
  {
    title: "a contract that names no feature of ours",
    files: { "docs/LOOP.md": "# Ours\n## Scope\n- Include: F001, F002\n" },
    code: 1,
    says: /docs\/LOOP\.md has a problem\.\nline 3: F002/,
  },
  { title: "an unknown flag", args: ["run", "--bugdet", "3"], code: 64, says: /--bugdet[\s\S]*--budget/ },
  {
    title: "a request that is a missing file",
    args: ["run", "foo.json"],
    code: 64,
    says: /File not found: foo\.json[\s\S]*loop run --prd/,
  },
  {
    title: "a workspace that does not exist",
    args: ["run", "--workspace", "/nowhere/at/all"],
    code: 64,
    says: /not a folder/,
  },
  { title: "continuing with nothing to continue", args: ["continue"], code: 64, says: /No run was ever begun/ },
  { title: "a run id that is a path", args: ["status", "--run", "../../x"], code: 64, says: /No run here/ },
  {
    title: "nothing to do",
    files: { "docs/FEATURES.json": features(feature("F001", { status: "complete" })) },
    code: 64,
    says: /Every feature/,
  },
];

function bomb(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 12; i++)
    lines.push(
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(", ")}]`,
    );
  return `${lines.join("\n")}\n`;
}

test.each(cases)(
  "$title: exit code $code, and nothing changes",
  { timeout: 30_000 },
  async ({ files = {}, args = ["run"], env = {}, code, says }) => {
    project = new Project({ ...good, ...files });
    const before = state(project);
    const result = await ended(project.start(args, env));
    expect(result.stderr).toMatch(says);
    expect(result.code, result.stderr).toBe(code);
    if (!result.stderr.startsWith("error:")) expect(result.stderr).toMatch(/Next: \S/);
    expect(state(project)).toEqual(before);
  },
);

const state = (of: Project) => ({
  status: of.git("status", "--porcelain", "--ignored"),
  head: of.git("rev-parse", "HEAD"),
  loop: of.exists(".loop"),
  runs: of.runs(),
});

test("a red baseline refuses the run before a cent is spent, and names the red check", {
  timeout: 60_000,
}, async () => {
  project = new Project({ ...good, "src/old.js": "export const old = () => 3;\n" });
  const { code, stdout } = await project.loop("run");
  expect(code).toBe(1);
  expect(stdout).toContain("test (sh run-tests.sh) is red before any work");
  expect(project.events().map(({ type }) => type)).toEqual(["begun", "refused"]);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("whoever asks for JSON gets the error as JSON, with its code", { timeout: 30_000 }, async () => {
  project = new Project({ ...good, "loop.yaml": "limts: {}\n" });
  const { code, stdout, stderr } = await project.loop("run", "--json");
  const error = {
    code: "bad-config",
    what: "loop.yaml has a problem.",
    why: expect.any(String),
    next: expect.any(String),
  };
  expect([code, JSON.parse(stdout)]).toEqual([1, { version: 1, exitCode: 1, error }]);
  expect(stderr).toBe("");
});

test("a request cannot be added to a run over a list of features: it says where to add one", async () => {
  project = new Project(good);
  expect((await project.loop("run", "--autonomy", "L1")).code).toBe(6);
  const { code, stderr } = await project.loop("continue", "--intent", "append", "Also add f002()");
  expect([code, stderr]).toEqual([64, expect.stringContaining("Add or change a feature in docs/FEATURES.json")]);
}, 60_000);

test("a folder without git is refused with a way out", { timeout: 30_000 }, async () => {
  project = new Project(good, { git: false });
  const { code, stderr } = await project.loop("run");
  expect(code).toBe(1);
  expect(stderr).toMatch(/--no-git|git init/);
  expect(project.exists(".loop")).toBe(false);
});

test("a merge in progress is refused and left as it is", { timeout: 30_000 }, async () => {
  project = new Project(good);
  fs.writeFileSync(join(project.root, ".git/MERGE_HEAD"), `${project.git("rev-parse", "HEAD")}\n`);
  const { code, stderr } = await project.loop("run");
  expect(code).toBe(1);
  expect(stderr).toMatch(/merge/i);
  expect(fs.existsSync(join(project.root, ".git/MERGE_HEAD"))).toBe(true);
});

/** Mounting needs a private mount namespace. */
const mounts = mayMount();

function mayMount(): boolean {
  try {
    execFileSync("unshare", ["-m", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!mounts)("a disk that fails (skipped where unshare -m is not allowed)", () => {
  const inside = (of: Project, mount: string, args: string) =>
    execFileSync(
      "unshare",
      [
        "-m",
        "sh",
        "-c",
        `mkdir -p ${of.home}/state && ${mount} && cd ${of.root} && "${process.execPath}" "$CLI" --trust ${args} 2>&1; echo "code $?"`,
      ],
      {
        env: { ...of.env, CLI: new URL("../../dist/cli/main.js", import.meta.url).pathname },
        encoding: "utf8",
      },
    );

  test("a read-only disk refuses before an agent is started", { timeout: 60_000 }, () => {
    project = new Project(good);
    const said = inside(project, `mount -t tmpfs -o ro tmpfs ${project.home}/state`, "run");
    expect(said).toContain("code 1");
    expect(said).toMatch(/read-only|could not be locked|not be written/i);
    expect(said).toContain("Next: ");
    expect(project.git("status", "--porcelain")).toBe("");
  });

  test.each([150, 300, 400, 450, 500, 600])(
    "a disk with %i KB left stops cleanly, and the journal can be read",
    { timeout: 60_000 },
    (size) => {
      project = new Project(good);
      const said = inside(
        project,
        `mount -t tmpfs -o size=${size}k tmpfs ${project.home}/state`,
        `run 2>&1; ls ${project.home}/state/loopwright >/dev/null; "${process.execPath}" "$CLI" status`,
      );
      expect(said).not.toContain("A bug in Loopwright");
      expect(said).toMatch(/full|space|No run was ever begun|SHIP|MONITOR/i);
      expect(project.git("log", "--format=%s").split("\n").at(-1)).toBe("start");
    },
  );
});
