// sandbox: auto, require and off, on machines where walls work and where bubblewrap fails as Ubuntu's does.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Ended, ended, Project } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";
import { walls } from "./rig.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

/** Says whether it sees the person's home, and gives up. */
const agent = `
const { existsSync, writeFileSync } = require("node:fs");
console.log(existsSync(process.env.HOME + "/mine") ? "sees the home" : "sees no home");
writeFileSync(process.env.LOOP_REPLY_FILE, JSON.stringify({ status: "blocked", summary: "no" }));
`;

function open(yaml: object = {}, ofAgent: object = {}): Project {
  const opened = new Project(sampleFiles([], [feature("F001")]));
  const maker = { kind: "command", command: ["node", "agent.cjs"], cost_usd: 0, ...ofAgent };
  const checks = [{ name: "test", run: "sh run-tests.sh", timeout_s: 60 }];
  const text = JSON.stringify({ version: 1, agents: { maker }, checks, ...yaml });
  opened.write({ "agent.cjs": agent, "loop.yaml": text });
  opened.git("rm", "--quiet", "rehearsal.json");
  opened.git("add", "--all");
  opened.git("commit", "--quiet", "--message", "agent");
  fs.writeFileSync(join(opened.home, "mine"), "");
  project = opened;
  return opened;
}

const bwrap = process.env["PATH"]
  ?.split(":")
  .map((dir) => join(dir, "bwrap"))
  .find((path) => fs.existsSync(path));

/** A bubblewrap that fails, first on PATH. */
function withFailing(opened: Project, says: string): Record<string, string> {
  const bin = join(opened.dir, "bin");
  fs.mkdirSync(bin);
  fs.writeFileSync(join(bin, "bwrap"), `#!/bin/sh\necho 'bwrap: ${says}' >&2\nexit 1\n`, { mode: 0o755 });
  return { PATH: `${bin}:${opened.env["PATH"]}`, LOOPWRIGHT_SANDBOX: "" };
}

const loop = (opened: Project, args: readonly string[], env: Record<string, string>): Promise<Ended> =>
  ended(opened.start(args, env));

function seen(opened: Project): string {
  const sessions = join(opened.runs().at(-1) ?? "", "sessions");
  const [first = ""] = fs.readdirSync(sessions).sort();
  return fs.readFileSync(join(sessions, first, "stdout-1"), "utf8").trim();
}

const ubuntu = "setting up uid map: Permission denied";
const fix = "kernel.apparmor_restrict_unprivileged_userns=0";

describe.skipIf(!walls.works)("programs of the repository that are first on PATH", () => {
  test("are not taken for those of the loop: walls stand, and doctor starts none of them", async () => {
    const opened = open({ sandbox: "require" });
    const bin = join(opened.root, "tools", "bin");
    fs.mkdirSync(bin, { recursive: true });
    const trace = join(opened.dir, "trace");
    for (const name of ["bwrap", "git", "unshare", "mount", "claude", "codex"])
      fs.writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> '${trace}'\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${opened.env["PATH"]}`, LOOPWRIGHT_SANDBOX: "" };
    opened.git("add", "--all");
    opened.git("commit", "--quiet", "--message", "tools");
    await loop(opened, ["doctor"], env);
    const { stderr } = await loop(opened, ["run"], env);
    expect(stderr).toMatch(/walls +bubblewrap/);
    expect(seen(opened)).toBe("sees no home");
    expect(fs.existsSync(trace)).toBe(false);
  });
});

describe("where bubblewrap does not start", () => {
  test("auto says so, with the fix, and goes on without walls", async () => {
    const opened = open();
    const { stderr } = await loop(opened, ["run"], withFailing(opened, ubuntu));
    expect(stderr).toMatch(/walls +none: bwrap: setting up uid map: Permission denied\. Agents run with your rights/);
    expect(stderr).toContain(fix);
    expect(seen(opened)).toBe("sees the home");
    const report = await loop(opened, ["report"], {});
    expect(report.stdout).toContain("Walls around agents: none");
  });

  test("require refuses with exit code 1 and the fix, and leaves nothing behind", async () => {
    const opened = open({ sandbox: "require" });
    const { code, stderr } = await loop(opened, ["run"], withFailing(opened, ubuntu));
    expect(code).toBe(1);
    expect(stderr).toContain("The run did not start.");
    expect(stderr).not.toContain("run with your rights");
    expect(stderr).toContain(fix);
    expect(opened.runs()).toEqual([]);
  });

  test.each(["model", "registry"])("auto says that network: %s is off, too", async (network) => {
    const opened = open({}, { network });
    const { stdout, stderr } = await loop(opened, ["run", "--dry-run"], withFailing(opened, ubuntu));
    expect((stdout + stderr).replace(/\s+/g, " ")).toContain(
      `no gateway: network: ${network} is off, and so is its cap`,
    );
  });

  test("one agent that requires walls is enough to refuse", async () => {
    const opened = open({ sandbox: "off" }, { sandbox: "require" });
    expect((await loop(opened, ["run"], withFailing(opened, ubuntu))).code).toBe(1);
  });

  test("doctor notes it, and calls it wrong only if walls are required", async () => {
    const opened = open();
    const env = withFailing(opened, ubuntu);
    const { stdout } = await loop(opened, ["doctor"], env);
    expect(stdout).toMatch(/· walls +none: .*\n +Next: sudo sysctl -w kernel\.apparmor/);
    opened.write({ "loop.yaml": opened.read("loop.yaml").replace("{", '{"sandbox":"require",') });
    expect((await loop(opened, ["doctor"], env)).stdout).toMatch(/✗ walls +none/);
  });

  test.each([
    { says: "No permissions to create new namespace, likely because", names: "unprivileged_userns_clone" },
    { says: "Creating new namespace failed: Operation not permitted", names: "seccomp=unconfined" },
    { says: "Can't mount proc on /newroot/proc: Operation not permitted", names: "systempaths=unconfined" },
    { says: "Unknown option --disable-userns", names: "0.8 or later" },
    { says: "something else", names: "docs/SECURITY.md" },
  ])("a failure with '$says' has its fix", async ({ says, names }) => {
    const opened = open();
    const env = withFailing(opened, says.replaceAll("'", "'\\''"));
    expect((await loop(opened, ["doctor"], env)).stdout).toContain(names);
  });
});

describe.skipIf(!walls.works)("where it does", () => {
  test.each([
    { what: "by default", yaml: {}, args: [], sees: "sees no home" },
    { what: "required", yaml: { sandbox: "require" }, args: [], sees: "sees no home" },
    { what: "off in loop.yaml", yaml: { sandbox: "off" }, args: [], sees: "sees the home" },
    { what: "off by flag", yaml: { sandbox: "require" }, args: ["--sandbox", "off"], sees: "sees the home" },
  ])("an agent whose walls are $what $sees", async ({ yaml, args, sees }) => {
    const opened = open(yaml);
    await loop(opened, ["run", ...args], { LOOPWRIGHT_SANDBOX: "" });
    expect(seen(opened)).toBe(sees);
  });

  test("an agent sees of the home what its configuration names", async () => {
    const opened = open({}, { home: ["mine"] });
    await loop(opened, ["run"], { LOOPWRIGHT_SANDBOX: "" });
    expect(seen(opened)).toBe("sees the home");
  });

  test("the caches of Go and cargo can be added to, for as long as a session, and the person's stay as they are", async () => {
    const opened = open();
    const caches = ["go/pkg/mod", ".cargo/registry"].map((path) => join(opened.home, path));
    for (const dir of caches) {
      fs.mkdirSync(dir, { recursive: true });
      fs.writeFileSync(join(dir, "old"), "old");
    }
    fs.writeFileSync(join(opened.home, ".cargo", "credentials.toml"), "secret");
    opened.write({
      "agent.cjs": `
        const fs = require("node:fs");
        for (const dir of ${JSON.stringify(caches)}) {
          fs.writeFileSync(dir + "/new", "new");
          console.log(fs.readdirSync(dir).sort().join(" "), fs.readFileSync(dir + "/old", "utf8"));
        }
        let keys = "";
        try { keys = fs.readFileSync(process.env.HOME + "/.cargo/credentials.toml", "utf8"); } catch {}
        console.log(keys === "" ? "no keys" : keys);
        fs.writeFileSync(process.env.LOOP_REPLY_FILE, JSON.stringify({ status: "blocked", summary: "no" }));
      `,
    });
    opened.git("commit", "--quiet", "--all", "--message", "agent");
    await loop(opened, ["run"], { LOOPWRIGHT_SANDBOX: "" });
    expect(seen(opened).split("\n")).toEqual(["new old old", "new old old", "no keys"]);
    for (const dir of caches) expect(fs.readdirSync(dir)).toEqual(["old"]);
  });

  test("the opening and the report say which checks have the network", async () => {
    const opened = open();
    const env = { LOOPWRIGHT_SANDBOX: "" };
    const words = ({ stdout, stderr }: Ended): string => `${stderr}${stdout}`.replace(/\s+/g, " ");
    const says = "checks: network open for test (loop check finds out whether it is needed)";
    expect(words(await loop(opened, ["run"], env))).toContain(says);
    expect(words(await loop(opened, ["report"], env))).toContain(says);
    await loop(opened, ["check"], env);
    expect(words(await loop(opened, ["run", "--dry-run"], env))).toContain("checks: no network");
  });

  test("an agent's own setting wins over the run's, and both over the environment's", async () => {
    const opened = open({ sandbox: "require" }, { sandbox: "off" });
    await loop(opened, ["run"], { LOOPWRIGHT_SANDBOX: "require" });
    expect(seen(opened)).toBe("sees the home");
  });

  test("doctor and the opening say when ignored files cannot be kept apart", async () => {
    const opened = open();
    const bin = join(opened.dir, "bin");
    fs.mkdirSync(bin);
    const broken = join(opened.dir, "broken");
    const script = `#!/bin/sh\n[ ! -e '${broken}' ] || { echo 'bwrap: no layers' >&2; exit 1; }\nexec '${bwrap}' "$@"\n`;
    fs.writeFileSync(join(bin, "bwrap"), script, { mode: 0o755 });
    const env = { PATH: `${bin}:${opened.env["PATH"]}`, LOOPWRIGHT_SANDBOX: "" };
    const says = /with --here they can change your ignored files/;
    expect((await loop(opened, ["doctor"], env)).stdout).not.toMatch(says);
    fs.writeFileSync(broken, "");
    expect((await loop(opened, ["doctor"], env)).stdout).toMatch(says);
    expect((await loop(opened, ["run", "--dry-run"], env)).stdout.replace(/\s+/g, " ")).toMatch(says);
  });

  test("the trial is remembered for the machine, until bubblewrap changes", async () => {
    const opened = open();
    const bin = join(opened.dir, "bin");
    fs.mkdirSync(bin);
    const log = join(opened.dir, "starts");
    fs.writeFileSync(join(bin, "bwrap"), `#!/bin/sh\necho x >> '${log}'\nexec '${bwrap}' "$@"\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${opened.env["PATH"]}`, LOOPWRIGHT_SANDBOX: "" };
    const starts = (): number => fs.readFileSync(log, "utf8").trim().split("\n").length;
    expect((await loop(opened, ["doctor"], env)).stdout).toMatch(/✓ walls +bubblewrap \d/);
    const first = starts();
    await loop(opened, ["doctor"], env);
    // Layers depend on the folder, and are tried each time.
    const again = starts() - first;
    expect(again).toBeLessThan(first);
    fs.appendFileSync(join(bin, "bwrap"), "\n");
    await loop(opened, ["doctor"], env);
    expect(starts() - first - again).toBe(first);
  });
});

test.each([
  { args: ["run", "--sandbox", "maybe"], env: {}, code: 64, says: "--sandbox maybe is not one of auto, require, off" },
  { args: ["run"], env: { LOOPWRIGHT_SANDBOX: "maybe" }, code: 1, says: "LOOPWRIGHT_SANDBOX has a problem" },
])("$says", async ({ args, env, code, says }) => {
  const opened = open();
  const result = await loop(opened, args, env);
  expect(result.stderr).toContain(says);
  expect(result.code).toBe(code);
});
