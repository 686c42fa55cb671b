// Walls around workspaces of every shape: behind a link, a linked worktree, an ordinary user's, one that is only read.
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { acpAgent } from "../../src/agents/acp/acp.ts";
import type { SessionRequest } from "../../src/agents/agent.ts";
import { commandAgent } from "../../src/agents/command/command.ts";
import { runSession, type SessionOptions, type SessionResult } from "../../src/agents/session/session.ts";
import { aRequest } from "../../src/testing/agent-suite.ts";
import { walls } from "./rig.ts";

let dir = "";
beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-places-")));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const identity = ["-c", "user.name=T", "-c", "user.email=t@t.invalid"];
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", env: { PATH: process.env["PATH"], HOME: dir } });

/** Runs a shell command as an agent inside walls, and returns what it printed. */
async function inside(
  root: string,
  command: string,
  changes: Partial<SessionRequest> = {},
  reads: readonly string[] = [],
): Promise<string> {
  const script = `(${command}) 2>&1; echo '{"status":"done"}' > "$LOOP_REPLY_FILE"`;
  const request = aRequest(dir, { cwd: root, ...changes });
  const result: SessionResult = await runSession(
    commandAgent({ kind: "command", command: ["sh", "-c", script] }),
    request,
    options(root, reads),
  );
  expect(result.how).toBe("replied");
  return fs.readFileSync(join(request.folder, "stdout-1"), "utf8");
}

function options(root: string, reads: readonly string[] = []): SessionOptions {
  if (!walls.works) throw new Error("there are no walls here");
  const around = {
    confine: walls.confine,
    root,
    state: join(dir, "state"),
    hides: [],
    network: "none",
    reads,
  } as const;
  return { signal: new AbortController().signal, walls: around };
}

/** Just enough of the protocol. */
const acpProgram = `
import { createInterface } from "node:readline";
import { reply } from "./reply.mjs";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  "session/new": () => ({ sessionId: "s" }),
  "session/prompt": () => {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: reply } };
    send({ method: "session/update", params: { sessionId: "s", update } });
    return { stopReason: "end_turn" };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && method !== undefined) send({ id, result: answers[method]?.(params) ?? {} });
}
`;

describe.skipIf(!walls.works)("inside walls", () => {
  test("a workspace behind a link can be changed under both of its names", async () => {
    const [real, link] = [join(dir, "real"), join(dir, "link")];
    fs.mkdirSync(real);
    fs.symlinkSync(real, link);
    await inside(link, `touch a '${real}/b'`);
    expect(fs.readdirSync(real).sort()).toEqual(["a", "b"]);
  });

  test("a linked worktree has its history, and cannot change it", async () => {
    const [main, tree] = [join(dir, "main"), join(dir, "tree")];
    fs.mkdirSync(main);
    git(main, "init", "--quiet");
    git(main, "commit", "--quiet", "--allow-empty", "--message", "the first");
    git(main, "worktree", "add", "--quiet", tree);
    fs.writeFileSync(join(main, "secret"), "of the other tree");
    const said = await inside(
      tree,
      `git log --format=%s; git commit --quiet --allow-empty --message x; cat '${main}/secret'`,
    );
    expect(said).toContain("the first");
    expect(said).not.toContain("of the other tree");
    expect(git(tree, "log", "--format=%s")).toBe("the first\n");
  });

  test("folders at the top that are not the system's are empty, and toolchains in them are there", async () => {
    const root = join(dir, "root");
    fs.mkdirSync(root);
    const system = /^(?:bin|boot|dev|etc|gnu|lib\w*|nix|opt|proc|sbin|snap|sys|usr|var)$/;
    const used = [dir, homedir(), process.execPath, ...(process.env["PATH"] ?? "").split(":"), "/tmp", "/run"];
    const others = fs
      .readdirSync("/", { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !system.test(entry.name))
      .map(({ name }) => `/${name}`)
      .filter((path) => !used.some((each) => `${each}/`.startsWith(`${path}/`)));
    expect(others).not.toEqual([]);
    expect(await inside(root, `ls -A ${others.map((path) => `'${path}/'`).join(" ")} | grep -v -e ':$' -e '^$'`)).toBe(
      "",
    );
    const said = await inside(root, others.map((path) => `: > '${path}/loop-left' && echo written`).join("; "));
    expect(said).not.toMatch(/^written/m);
    expect(await inside(root, "node --version")).toBe(`${process.version}\n`);
  });

  test("what a person lets an agent read is there, wherever it is", async () => {
    const [root, other] = [join(dir, "root"), join(dir, "other")];
    for (const each of [root, other]) fs.mkdirSync(each);
    fs.writeFileSync(join(other, "a"), "of the other folder");
    expect(await inside(root, `cat '${other}/a'`)).toContain("No such file");
    expect(await inside(root, `cat '${other}/a'`, {}, [other])).toBe("of the other folder");
  });

  test("a session that judges cannot change the workspace, and can change its checkout", async () => {
    const [root, checkout] = [join(dir, "root"), join(dir, "checkout")];
    for (const each of [root, checkout]) fs.mkdirSync(each);
    fs.writeFileSync(join(root, "code"), "1");
    const said = await inside(root, `cat '${root}/code'; echo 2 > '${root}/code'; echo x > x`, {
      cwd: checkout,
      mayWrite: false,
    });
    expect(said).toMatch(/^1/);
    expect(fs.readFileSync(join(root, "code"), "utf8")).toBe("1");
    expect(fs.existsSync(join(checkout, "x"))).toBe(true);
  });

  test("what a session leaves in its home or in /tmp is gone with it", async () => {
    const root = join(dir, "root");
    fs.mkdirSync(root);
    await inside(root, 'touch "$HOME/loop-left" /tmp/loop-left "$TMPDIR/loop-left"');
    expect(await inside(root, 'ls "$HOME" /tmp "$TMPDIR"')).not.toContain("loop-left");
  });

  test("an ACP agent outside of the workspace is started, with the files next to it", async () => {
    const [root, program] = [join(dir, "root"), join(dir, "acp", "agent.mjs")];
    for (const each of [root, join(dir, "acp")]) fs.mkdirSync(each);
    fs.writeFileSync(join(dir, "acp", "reply.mjs"), `export const reply = '{"status":"done"}';`);
    fs.writeFileSync(program, acpProgram);
    const agent = acpAgent({ kind: "acp", command: [process.execPath, program] });
    const result = await runSession(agent, aRequest(dir, { cwd: root }), options(root));
    expect(result).toMatchObject({ how: "replied", reply: { status: "done" } });
  });

  const isRoot = process.getuid?.() === 0;
  test.skipIf(!isRoot || spawnSync("setpriv", ["--version"]).status !== 0)(
    "an ordinary user has walls and layers too",
    () => {
      const dist = fileURLToPath(new URL("../../dist", import.meta.url));
      // A copy that this user can reach.
      const [own, copy] = [join(dir, "own"), join(dir, "dist")];
      fs.cpSync(join(dist, "host"), join(copy, "host"), { recursive: true });
      fs.cpSync(join(dist, "core"), join(copy, "core"), { recursive: true });
      fs.cpSync(join(dist, "formats"), join(copy, "formats"), { recursive: true });
      fs.writeFileSync(join(dir, "package.json"), '{ "type": "module" }');
      fs.symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(dir, "node_modules"));
      fs.mkdirSync(own);
      fs.chownSync(own, 65534, 65534);
      fs.chmodSync(dir, 0o755);
      const code = `const { tryWalls } = await import("${copy}/host/confine/trial.js"); const t = await tryWalls("${own}/walls.json");
      const { tryLayers } = await import("${copy}/host/confine/layer-trial.js"); const l = await tryLayers(t.program, "${own}", "${own}/store");
      console.log(process.getuid(), t.works, t.why ?? "", l.works, l.why ?? "");`;
      const as = [
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        process.execPath,
        "--input-type=module",
        "--eval",
        code,
      ];
      const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: own, TMPDIR: own };
      expect(spawnSync("setpriv", as, { env, encoding: "utf8" }).stdout).toBe("65534 true  true \n");
    },
  );
});
