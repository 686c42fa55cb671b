// An agent that works in the person's own folder, and what becomes of the ignored files in it.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { tryLayers } from "../../src/host/confine/layer-trial.ts";
import { type Ended, ended, Project, until } from "../support/project.ts";
import { feature, right, sampleFiles } from "../support/sample.ts";
import { answers, socketsOf, walls } from "./rig.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

/** Writes F001's code and test, as the sample's agent does. */
const work = right("F001")
  .flatMap(({ path, text }) => (path === undefined ? [] : [{ path: String(path), text: String(text) }]))
  .map(({ path, text }) => `fs.writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(text)});`)
  .join("\n");
const agent = (commands: readonly string[]): string => `
const fs = require("node:fs");
const { spawnSync } = require("node:child_process");
const reply = (value) => fs.writeFileSync(process.env.LOOP_REPLY_FILE, JSON.stringify(value));
if (process.env.LOOP_ROLE === "evaluator") {
  const evidence = [{ command: "sh run-tests.sh" }];
  const criteria = [{ criterion: "C1", met: true, verification: "execution output", evidence }];
  reply({ verdict: "pass", summary: "seen", criteria });
  process.exit(0);
}
for (const command of ${JSON.stringify(commands)}) {
  const { stdout, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  console.log(command + ": " + (stdout + stderr).trim());
}
${work}
reply({ status: "done", summary: "done" });
`;

const rules = "node_modules/\n.venv\ntarget/\n.env\n*.db\n/linked\n";
const ignored: Readonly<Record<string, string>> = {
  "node_modules/left/index.js": "module.exports = 1;\n",
  "node_modules/.bin/tool": "#!/bin/sh\n",
  ".venv/lib/site.py": "x = 1\n",
  "target/debug/build": "built",
  "packages/inner/node_modules/deep.js": "1\n",
  "src/cache.db": "rows",
  ".env": "KEY=person\n",
};

type Settings = Readonly<Record<string, object | string>> & { readonly maker?: object };

function open(commands: readonly string[], place: "here" | "default" = "here", settings: Settings = {}): Project {
  const { maker: ofMaker, ...yaml } = settings;
  const files = sampleFiles([], [feature("F001")], { ".gitignore": rules, "packages/inner/a.js": "" });
  const opened = new Project(files, { place });
  const maker = { kind: "command", command: ["node", "agent.cjs"], cost_usd: 0, ...ofMaker };
  const checks = [{ name: "test", run: "sh run-tests.sh", timeout_s: 60 }];
  const text = JSON.stringify({ version: 1, agents: { maker }, checks, limits: { rework: 1 }, ...yaml });
  opened.write({ "agent.cjs": agent(commands), "loop.yaml": text });
  opened.git("rm", "--quiet", "rehearsal.json");
  opened.git("add", "--all");
  opened.git("commit", "--quiet", "--message", "agent");
  opened.write(ignored);
  fs.symlinkSync("node_modules", join(opened.root, "linked"));
  project = opened;
  return opened;
}

const loop = (opened: Project, ...args: string[]): Promise<Ended> =>
  ended(opened.start(args, { LOOPWRIGHT_SANDBOX: "" }));

function now(opened: Project): Record<string, string | null> {
  const paths = Object.keys(ignored);
  return Object.fromEntries(paths.map((path) => [path, opened.exists(path) ? opened.read(path) : null]));
}

function said(opened: Project): string {
  const sessions = join(opened.runs().at(-1) ?? "", "sessions");
  const [first = ""] = fs.readdirSync(sessions).sort();
  return fs.readFileSync(join(sessions, first, "stdout-1"), "utf8");
}

function saidByAll(opened: Project): string {
  const sessions = join(opened.runs().at(-1) ?? "", "sessions");
  const files = fs.readdirSync(sessions, { recursive: true, encoding: "utf8" }).sort();
  const outputs = files.filter((path) => /\/stdout-\d+$/.test(path));
  return outputs.map((path) => fs.readFileSync(join(sessions, path), "utf8")).join("\n");
}

const store = fs.mkdtempSync(join(tmpdir(), "loop-store-"));
const works = walls.works && (await tryLayers(walls.program, tmpdir(), store)).works;

describe.skipIf(!works)("with --here, inside walls", () => {
  test.each([
    { what: "git clean -fdx", commands: ["git clean -fdx"] },
    { what: "rm -rf of each", commands: ["rm -rf node_modules .venv target packages/inner/node_modules linked"] },
    {
      what: "writing over them",
      commands: ["for f in $(find node_modules .venv target -type f) .env src/cache.db; do echo evil > $f; done"],
    },
    { what: "moving them", commands: ["mv node_modules/left node_modules/right; mv target/debug /tmp; mv .env env"] },
    { what: "removing what it is allowed to chmod", commands: ["chmod 000 node_modules; rm -f .env src/cache.db"] },
  ])("$what costs the person nothing, and the feature is built", { timeout: 120_000 }, async ({ commands }) => {
    const opened = open(commands);
    const { stderr } = await loop(opened, "run");
    expect(now(opened)).toEqual(ignored);
    expect(fs.readlinkSync(join(opened.root, "linked"))).toBe("node_modules");
    expect(fs.statSync(join(opened.root, "node_modules")).mode & 0o777).toBe(0o755);
    expect(opened.git("log", "--format=%s"), stderr).toContain("F001");
    expect(opened.git("status", "--porcelain", "--", "src", "test", "packages")).toBe("");
  });

  test("what the agent wrote there can be recovered, and the run log says so", { timeout: 120_000 }, async () => {
    const opened = open(["echo KEY=agent > .env", "echo 2 > node_modules/left/index.js", "rm node_modules/.bin/tool"]);
    await loop(opened, "run");
    expect(opened.read("docs/loop-run-log.md")).toContain(
      "The agent changed ignored files in its own copies; yours were left alone: node_modules/left/index.js, .env.",
    );
    const listed = (await loop(opened, "recover")).stdout;
    const id = /(q\d+-[0-9a-f]+).*\n?.*an agent wrote these ignored files/.exec(listed)?.[1] ?? listed;
    const to = join(opened.dir, "back");
    await loop(opened, "recover", id, "--to", to);
    expect(fs.readFileSync(join(to, ".env"), "utf8")).toBe("KEY=agent\n");
    expect(fs.readFileSync(join(to, "node_modules/left/index.js"), "utf8")).toBe("2\n");
  });

  test("a later session of the run finds what an earlier one installed", { timeout: 120_000 }, async () => {
    const once = "test -e node_modules/new && echo found || { mkdir node_modules/new; echo x > test/old.test.js; }";
    const opened = open([once, "cat .env; echo KEY=agent > .env"]);
    await loop(opened, "run");
    expect(saidByAll(opened)).toMatch(/found\ncat .*: KEY=agent/);
    expect(opened.exists("node_modules/new")).toBe(false);
  });

  test("after a commit that changes a lockfile, the ending names the command for the person's folder", {
    timeout: 120_000,
  }, async () => {
    const opened = open(["echo '# more' >> yarn.lock; echo new > node_modules/new.js"], "here", {
      setup: "mkdir -p node_modules",
    });
    opened.write({ "yarn.lock": "# yarn lockfile v1\n" });
    opened.git("add", "yarn.lock");
    opened.git("commit", "--quiet", "--message", "lock");
    const { stdout, stderr } = await loop(opened, "run");
    expect(stdout + stderr).toContain("yarn.lock changed. In your folder: mkdir -p node_modules");
    expect(opened.exists("node_modules/new.js")).toBe(false);
    expect(now(opened)).toEqual(ignored);
  });

  test("holes, pipes and depth among ignored files cost nothing, and the feature is completed", {
    timeout: 120_000,
  }, async () => {
    const deep =
      'for (let at = 0; at < 4000; at += 1) { fs.mkdirSync("d", { recursive: true }); process.chdir("d"); } fs.writeFileSync("x", "x")';
    const opened = open([
      "truncate -s 1T .env node_modules/big src/cache.db; mkfifo src/.gitignore node_modules/pipe",
      `cd node_modules && node --eval '${deep}'`,
    ]);
    const { code, stdout, stderr } = await loop(opened, "run");
    expect(code, stdout + stderr).toBe(0);
    expect(now(opened)).toEqual(ignored);
    expect(stderr).toContain("src/.gitignore was moved to quarantine: it is a pipe, a socket or a device.");
  });

  test("holes and pipes in a folder that the agent no longer ignores are moved to quarantine", {
    timeout: 120_000,
  }, async () => {
    const opened = open([
      "sed -i '/target/d; /env/d' .gitignore; truncate -s 1T target/big .env; mkfifo target/pipe; echo x > target/more",
    ]);
    const { code, stdout, stderr } = await loop(opened, "run");
    // The change of .gitignore has to be agreed to.
    expect(code, stdout + stderr).toBe(7);
    const log = opened.read("docs/loop-run-log.md");
    expect(log).toContain("target/big was moved to quarantine: it has 1100 GB, and limits.disk_gb allows 20 GB.");
    expect(log).toContain("target/pipe was moved to quarantine: it is a pipe, a socket or a device.");
    expect(now(opened)).toEqual(ignored);
  });

  test("a folder that the agent no longer ignores becomes part of its work", { timeout: 120_000 }, async () => {
    const opened = open(["sed -i /target/d .gitignore", "echo new > target/debug/build; echo x > target/more"]);
    await loop(opened, "run");
    expect(opened.read("target/more")).toBe("x\n");
    expect(opened.read("target/debug/build")).toBe("new\n");
    expect((await loop(opened, "recover")).stdout).toContain("no longer ignores it");
  });

  test("nothing is written through a link of the person's when a folder is no longer ignored", {
    timeout: 120_000,
  }, async () => {
    const opened = open([
      "rm target/out; mkdir target/out; echo evil > target/out/file",
      "mv packages packages-2; ln -s ../elsewhere packages",
      "sed -i /target/d .gitignore",
    ]);
    fs.mkdirSync(join(opened.dir, "elsewhere"));
    fs.symlinkSync(join(opened.dir, "elsewhere"), join(opened.root, "target", "out"));
    fs.symlinkSync("a.js", join(opened.root, "packages", "inner", "linked.db"));
    await loop(opened, "run");
    expect(fs.readdirSync(join(opened.dir, "elsewhere"))).toEqual([]);
    expect(opened.read("target/debug/build")).toBe("built");
  });

  test("a folder with only ignored files that is not ignored itself takes new files", {
    timeout: 120_000,
  }, async () => {
    const opened = open(["echo 1 > data/README.md; rm data/old.db"]);
    opened.write({ "data/old.db": "rows" });
    await loop(opened, "run");
    expect(opened.read("data/README.md")).toBe("1\n");
    expect(opened.read("data/old.db")).toBe("rows");
  });

  test("kill -9 of the loop while an agent works on layers: nothing is left, and the next session finds what it wrote", {
    timeout: 240_000,
  }, async () => {
    const seconds = `1000.${process.pid}${Date.now() % 100_000}`;
    const first = `echo KEY=killed > .env; rm -rf target; touch node_modules/first at-work; exec sleep ${seconds}`;
    const opened = open([`test -e node_modules/first || { ${first}; }; rm -f at-work; find target`], "here", {
      maker: { network: "model", sandbox: "require" },
    });
    const env = { LOOPWRIGHT_SANDBOX: "", ANTHROPIC_API_KEY: "the-real-key" };
    const killed = opened.start(["run"], env);
    const end = ended(killed);
    await until("the agent's command", () => opened.exists("at-work") || killed.exitCode !== null, 120_000);
    const [socket = "/none"] = socketsOf(killed.pid ?? 0);
    expect(await answers(socket)).toBe(true);
    const mounted = opened.strays().filter((pid) => mountsOf(pid).includes(join(opened.root, "node_modules")));
    expect(mounted).not.toEqual([]);
    killed.kill("SIGKILL");
    await end;
    await until("the end of all", () => opened.strays().length === 0);
    expect(await answers(socket)).toBe(false);
    expect(mountsOf("self")).not.toContain(opened.dir);
    expect(now(opened)).toEqual(ignored);

    const { code, stdout, stderr } = await ended(opened.start(["continue"], env));
    expect(code, stdout + stderr).toBe(0);
    expect(opened.git("log", "--format=%s")).toContain("F001");
    expect(now(opened)).toEqual(ignored);
    expect(saidByAll(opened)).toMatch(/find target: target$/m);
    const listed = (await loop(opened, "recover")).stdout;
    const id = /(q\d+-[0-9a-f]+).*\n?.*an agent wrote these ignored files/.exec(listed)?.[1] ?? listed;
    const to = join(opened.dir, "back");
    await loop(opened, "recover", id, "--to", to);
    expect(fs.readFileSync(join(to, ".env"), "utf8")).toBe("KEY=killed\n");
  });

  test("what an agent writes to a layer counts against limits.disk_gb", { timeout: 240_000 }, async () => {
    const more = "head -c 4194304 /dev/zero >> node_modules/big; sleep 0.02";
    const opened = open([`for i in $(seq 512); do ${more}; done`], "here", { limits: { disk_gb: 0.1, rework: 0 } });
    await loop(opened, "run");
    const endings = opened.events().filter(({ type }) => type === "session-ended");
    expect(JSON.stringify(endings)).toMatch(/It had written 0\.\d GB, and was ended \(limits\.disk_gb\)\./);
    await until("every process is gone", () => opened.strays().length === 0);
    expect(now(opened)).toEqual(ignored);
    expect(opened.exists("node_modules/big")).toBe(false);
  });
});

/** A bubblewrap that starts in no namespace but this one, and knows no layers, as version 0.8 in a container. */
function withoutLayers(opened: Project): Record<string, string> {
  const bin = join(opened.dir, "bin");
  fs.mkdirSync(bin);
  const script = `#!/bin/sh
options=$(mktemp '${opened.dir}/options-XXXXXX')
test ! -e /proc/self/fd/3 || cat <&3 > "$options"
test "$(readlink /proc/self/ns/user)" = '${fs.readlinkSync("/proc/self/ns/user")}' || { echo 'bwrap: no namespaces here' >&2; exit 1; }
! grep -q -e --overlay "$options" || { echo 'bwrap: Unknown option --overlay-src' >&2; exit 1; }
exec '${walls.works ? walls.program : ""}' "$@" 3< "$options"
`;
  fs.writeFileSync(join(bin, "bwrap"), script, { mode: 0o755 });
  return { PATH: `${bin}:${opened.env["PATH"]}`, LOOPWRIGHT_SANDBOX: "" };
}

test.skipIf(!walls.works)(
  "where walls stand but no layers can be laid, the run says so and has its walls",
  {
    timeout: 120_000,
  },
  async () => {
    const opened = open(["test -e ~/mine || echo no home; echo KEY=agent > .env"]);
    fs.writeFileSync(join(opened.home, "mine"), "");
    const { stderr } = await ended(opened.start(["run"], withoutLayers(opened)));
    expect(stderr.replace(/\s+/g, " ")).toContain(
      "with --here they can change your ignored files (bwrap: no namespaces here)",
    );
    expect(opened.git("log", "--format=%s"), stderr).toContain("F001");
    expect(said(opened)).toContain(": no home\n");
    expect(opened.read(".env")).toBe("KEY=agent\n");
  },
);

const mountsOf = (pid: number | "self"): string => {
  try {
    return fs.readFileSync(`/proc/${pid}/mountinfo`, "utf8");
  } catch {
    return "";
  }
};

describe("in the worktree of a run", () => {
  test.each(["auto", "off"])(
    "git clean -fdx costs the person nothing, with walls %s",
    {
      timeout: 120_000,
    },
    async (sandbox) => {
      const opened = open(["ls -a; git clean -fdx; rm -rf node_modules .env"], "default");
      await loop(opened, "run", "--sandbox", sandbox);
      expect(now(opened)).toEqual(ignored);
      expect(said(opened)).toContain("node_modules");
    },
  );
});
