// More bad input, and disks that fail: a clear error, the right exit code, and nothing changes.
import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { features, good, testRefused } from "../support/refused.ts";
import { feature } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

testRefused([
  {
    title: "an unknown key further in",
    files: { "loop.yaml": "limits: { cost_us: 3 }\n" },
    code: 1,
    says: /cost_us[\s\S]*cost_usd/,
  },
  { title: "a wrong type", files: { "loop.yaml": "limits: { cost_usd: lots }\n" }, code: 1, says: /cost_usd/ },
  {
    title: "a configuration of 5 MB",
    files: { "loop.yaml": `# ${"x".repeat(5 * 1024 * 1024)}\nversion: 1\n` },
    code: 1,
    says: /256 KB|1024 kB|too large/i,
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
    title: "an agent that does not exist",
    files: {
      "loop.yaml":
        "agents: { maker: { kind: command, command: [no-such-program] } }\nchecks: [{ name: test, run: sh run-tests.sh }]\n",
    },
    code: 1,
    says: /no-such-program/,
  },
  {
    title: "a stage that nobody knows",
    files: {
      "loop.yaml": 'agents: { maker: rehearsal }\nchecks: [{ name: t, run: "true" }]\nstages: [implement, review]\n',
    },
    code: 1,
    says: /stages/,
  },
  { title: "a negative budget", args: ["run", "--budget=-3"], code: 64, says: /--budget -3/ },
  { title: "a level of autonomy that is none", args: ["run", "--autonomy", "L9"], code: 64, says: /--autonomy L9/ },
  { title: "an agent that nobody knows", args: ["run", "--agent", "cluade"], code: 64, says: /cluade[\s\S]*claude/ },
  {
    title: "a workspace that does not exist",
    args: ["run", "--workspace", "/nowhere/at/all"],
    code: 64,
    says: /not a folder/,
  },
  { title: "continuing with nothing to continue", args: ["continue"], code: 64, says: /No run was ever begun/ },
  { title: "a run id that is a path", args: ["status", "--run", "../../x"], code: 64, says: /No run here/ },
]);

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
