// The only way to call git: its output, its failures, and a git that cannot be started.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { makeRepository, removeTemporaryFolders, temporaryFolder, write } from "../../testing/workspace-rig.ts";
import { fields, GitFailed, line, makeGit } from "./git.ts";

afterAll(removeTemporaryFolders);

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("a git that could not be started fails, and leaves no timer that keeps the process alive", async () => {
  const git = makeGit(tmpdir());
  const before = timers();
  await expect(git(["status"], { workTree: join(tmpdir(), "no-such-folder-here") })).rejects.toThrow(/ENOENT/);
  expect(timers()).toBe(before);
});

describe("the output", () => {
  const root = makeRepository();
  const at = { gitDir: join(root, ".git") };
  const git = makeGit(temporaryFolder());

  test("is complete, as bytes, fields or a line", async () => {
    const listed = await git(["ls-tree", "-r", "-z", "--name-only", "HEAD"], at);
    expect(listed).toMatchObject({ code: 0, cut: false });
    expect(fields(listed)).toEqual([".gitignore", "README.md", "src/lib/add.js", "src/main.js", "test/add.test.js"]);
    expect(line(await git(["rev-parse", "--abbrev-ref", "HEAD"], at))).toBe("main");
  });

  test("with an expected exit code is returned; any other code is a failure that names it", async () => {
    const args = ["cat-file", "-e", "no-such-object"];
    expect(await git(args, { ...at, codes: [1, 128] })).toMatchObject({ code: 128 });
    const failure = await git(args, { ...at, codes: [1] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GitFailed);
    expect(failure).toMatchObject({ code: 128, args, stderr: expect.stringContaining("no-such-object") });
    await expect(git(args, at)).rejects.toBeInstanceOf(GitFailed);
  });

  test.each([
    { given: "text", options: { input: "from text" } },
    { given: "bytes", options: { input: Buffer.from("from bytes") } },
    { given: "a file", options: { inputFile: join(root, "README.md") } },
    { given: "nothing", options: {} },
  ])("reflects the whole input, given as $given", async ({ given, options }) => {
    const id = line(await git(["hash-object", "-w", "--stdin"], { ...at, ...options }));
    const is = { text: "from text", bytes: "from bytes", "a file": "# Project\n", nothing: "" }[given];
    expect((await git(["cat-file", "blob", id], at)).stdout.toString()).toBe(is);
  });

  test.each([
    { bytesMax: 9, is: "# Project", cut: true },
    { bytesMax: 10, is: "# Project\n", cut: false },
    { bytesMax: 11, is: "# Project\n", cut: false },
  ])("of 10 bytes is cut after $bytesMax: $cut", async ({ bytesMax, is, cut }) => {
    const { stdout, ...rest } = await git(["cat-file", "blob", "HEAD:README.md"], { ...at, bytesMax });
    expect(stdout.toString()).toBe(is);
    expect(rest).toMatchObject({ code: 0, cut });
  });

  test("that exceeds the limit ends git, without a failure", async () => {
    const input = randomBytes(5_000_000);
    const id = line(await git(["hash-object", "-w", "--stdin"], { ...at, input }));
    const { stdout, ...rest } = await git(["cat-file", "blob", id], { ...at, bytesMax: 100_000 });
    expect(stdout.equals(input.subarray(0, 100_000))).toBe(true);
    expect(rest).toMatchObject({ code: 0, cut: true });
  });

  test("of a failure is included up to a limit", () => {
    const { message } = new GitFailed(["x".repeat(500)], 1, ` ${"y".repeat(5000)}\n`);
    expect(message).toBe(`git ${"x".repeat(200)} ended with 1: ${"y".repeat(2000)}`);
  });

  test.each([{}, { bytesMax: 10 }])("that takes too long is a failure, with %j too", async (given) => {
    const pipe = join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const open = fs.openSync(pipe, "r+"); // Git waits for input that never arrives.
    try {
      const asked = git(["cat-file", "--batch-check"], { ...at, ...given, inputFile: pipe, timeoutMs: 300 });
      await expect(asked).rejects.toMatchObject({ code: -1, stderr: expect.stringContaining("SIGKILL") });
    } finally {
      fs.closeSync(open);
    }
  });

  test("depends on the given settings, and on the person's only when asked as the person", async () => {
    const home = temporaryFolder();
    write(home, { ".gitconfig": "[my]\n\tsetting = theirs\n" });
    const saved = { HOME: process.env["HOME"], XDG_CONFIG_HOME: process.env["XDG_CONFIG_HOME"] };
    process.env["HOME"] = home;
    delete process.env["XDG_CONFIG_HOME"];
    try {
      const asked = (options: object) => git(["config", "my.setting"], { ...at, codes: [1], ...options }).then(line);
      expect(await asked({})).toBe("");
      expect(await asked({ config: ["my.setting=given"] })).toBe("given");
      expect(await asked({ asThePerson: true })).toBe("theirs");
      const path = () => git(["config", "core.hooksPath"], { ...at, codes: [1] }).then(line);
      expect(await path()).toBe("/dev/null");
      const hers = git(["config", "core.hooksPath"], { ...at, codes: [1], asThePerson: true }).then(line);
      expect(await hers).toBe("");
    } finally {
      for (const [name, value] of Object.entries(saved))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });
});

test("git gets a clean environment: no home, no system or global settings, no prompt, nothing inherited", async () => {
  const home = temporaryFolder();
  const { stdout } = await makeGit(home)(["env"], { config: ["alias.env=!env"], env: { GIVEN: "x" } });
  const lines = stdout.toString().split("\n");
  const expected = {
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "/bin/false",
    GIT_SSH_COMMAND: "/bin/false",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIVEN: "x",
  };
  expect(lines).toEqual(expect.arrayContaining(Object.entries(expected).map(([name, value]) => `${name}=${value}`)));
  expect(lines.filter((text) => /^(?:TMPDIR|GIT_DIR|GIT_WORK_TREE|GIT_INDEX_FILE|VITEST)=/.test(text))).toEqual([]);
});

describe("git itself", () => {
  const path = process.env["PATH"];
  afterEach(() => {
    process.env["PATH"] = path;
  });
  function folderWithGit(name: string): string {
    const dir = join(temporaryFolder(), name);
    write(dir, { git: "#!/bin/sh\necho a git of its own\n" });
    fs.chmodSync(join(dir, "git"), 0o755);
    return dir;
  }

  test("is never taken from a folder that an agent can write to, or from a relative one", async () => {
    process.env["PATH"] = [folderWithGit("node_modules/.bin"), "bin", path].join(delimiter);
    expect(line(await makeGit(temporaryFolder())(["--version"]))).toMatch(/^git version/);
  });

  test("is the first executable on the path", async () => {
    const other = folderWithGit("bin");
    const cannot = folderWithGit("bin");
    fs.chmodSync(join(cannot, "git"), 0o644);
    process.env["PATH"] = [cannot, other, path].join(delimiter);
    expect(line(await makeGit(temporaryFolder())(["--version"]))).toBe("a git of its own");
  });

  test.each(["/nonexistent", ""])("is found in a system folder with the path %j", async (empty) => {
    process.env["PATH"] = empty;
    expect(line(await makeGit(temporaryFolder())(["--version"]))).toMatch(/^git version/);
  });

  test("missing everywhere asks the person to install it", () => {
    expect(() => makeGit(tmpdir(), null)).toThrow(expect.objectContaining({ code: "git-not-found" }));
  });
});
