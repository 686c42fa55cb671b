// The lock, contested by real processes that die without cleaning up.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { compileForTests } from "../../../tests/support/compile.ts";
import { UserError } from "../../core/errors.ts";
import { acquireLock, type LockOptions, whoHolds } from "./lock.ts";
import { type Owner, thisProcess } from "./owner.ts";

const linux = process.platform === "linux";
const kinds = linux ? (["socket", "file"] as const) : (["file"] as const);
let compiled = "";
const children: ChildProcess[] = [];
const dirs: string[] = [];

beforeAll(() => {
  compiled = compileForTests("host/lock/lock.ts");
});
afterAll(() => fs.rmSync(dirname(compiled), { recursive: true, force: true }));
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const dir of dirs.splice(0)) fs.rmSync(dir, { recursive: true, force: true });
});

function options(by: "socket" | "file"): LockOptions & { by: "socket" | "file" } {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-lock-"));
  dirs.push(dir);
  // Abstract sockets are shared by the whole machine, so each test has its own key.
  return { dir, key: `/repo/${randomBytes(8).toString("hex")}`, about: "run r1", by };
}

const infoPath = ({ dir, key }: LockOptions) => join(dir, `${createHash("sha256").update(key).digest("hex")}.json`);

function start(script: string): ChildProcess {
  const imports = `import { acquireLock } from ${JSON.stringify(`${compiled}/host/lock/lock.js`)};\n`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", imports + script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

async function holder(given: LockOptions, andThen = ""): Promise<ChildProcess> {
  const child = start(
    `await acquireLock(${JSON.stringify(given)}); ${andThen}; process.stdout.write("held"); setInterval(() => {}, 1000);`,
  );
  if (child.stdout !== null) await once(child.stdout, "data");
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

const refusal = (given: LockOptions): Promise<UserError> =>
  acquireLock(given).then(
    () => Promise.reject(new Error("the lock was given")),
    (error: UserError) => error,
  );

describe.each(kinds)("a lock by %s", (by) => {
  test("is granted once, and again after release", async () => {
    const given = options(by);
    const lock = await acquireLock(given);
    expect(lock.notices).toEqual([]);
    expect((await refusal(given)).code).toBe("workspace-locked");
    await lock.release();
    await lock.release();
    expect(fs.readdirSync(given.dir)).toEqual([]);
    await (await acquireLock(given)).release();
  });

  test("does not block another key", async () => {
    const given = options(by);
    const one = await acquireLock(given);
    const other = await acquireLock({ ...given, key: `${given.key}-b` });
    await Promise.all([one.release(), other.release()]);
  });

  test("held by another process is refused with pid, start time and activity, and exit code 1", async () => {
    const given = options(by);
    const child = await holder(given);
    const error = await refusal(given);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ code: "workspace-locked", exitCode: 1 });
    expect(error.why).toMatch(new RegExp(`Process ${child.pid} .* since \\d{4}-\\d\\d-\\d\\dT.* \\(run r1\\)`));
    expect(await whoHolds(given)).toMatchObject({ where: "here", owner: { pid: child.pid, about: "run r1" } });
  });

  test.each([
    { about: "run r1", what: /^A run is already active in /, next: /^See it: loop status\. Stop it: loop pause/ },
    { about: "loop undo F001", what: /^Another process works in /, next: /^Wait until it has ended/ },
  ])("held for $about, is refused with what can be done about that", async ({ about, what, next }) => {
    const given = { ...options(by), about };
    await holder(given);
    expect(await refusal(given)).toMatchObject({
      what: expect.stringMatching(what),
      next: expect.stringMatching(next),
    });
  });

  test("is free after kill -9 of its holder, and names the previous holder", async () => {
    const given = options(by);
    const child = await holder(given);
    await killed(child);
    expect(await whoHolds(given)).toBeNull();
    const lock = await acquireLock(given);
    expect(lock.notices).toMatchObject([{ kind: "stale-lock-taken-over" }]);
    expect(lock.notices[0]?.text).toContain(String(child.pid));
    expect(await whoHolds(given)).toMatchObject({ owner: { pid: process.pid } });
    await lock.release();
  });

  test.runIf(linux)("is free after kill -9 of its holder, even while a child of the holder is alive", async () => {
    const given = options(by);
    const sleep =
      'const c = (await import("node:child_process")).spawn("sleep", ["20"], { stdio: "ignore", detached: true })';
    const child = await holder(given, `${sleep}; process.stdout.write(c.pid + " ")`);
    const sleeper = Number(
      fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ")[0],
    );
    try {
      await killed(child);
      expect(() => process.kill(sleeper, 0)).not.toThrow();
      await (await acquireLock(given)).release();
    } finally {
      process.kill(sleeper, "SIGKILL");
    }
  });

  test("of a stopped holder is not taken, even with steal", async () => {
    const given = options(by);
    const child = await holder(given);
    child.kill("SIGSTOP");
    expect((await refusal(given)).code).toBe("workspace-locked");
    expect((await refusal({ ...given, steal: true })).code).toBe("workspace-locked");
    expect(await whoHolds(given)).toMatchObject({ owner: { pid: child.pid } });
  });

  test("does not keep its process alive", async () => {
    const child = start(`await acquireLock(${JSON.stringify(options(by))});`);
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("is never held by two of six processes that compete for it and die holding it", async () => {
    const given = options(by);
    const log = join(given.dir, "log");
    const fighters = Array.from({ length: 6 }, (_, at) => fight(given, log, at));
    await Promise.all(fighters);
    const held = fs.readFileSync(log, "utf8").trim().split("\n");
    expect(held.filter((line) => line.startsWith("in")).length).toBeGreaterThan(3);
    expect(held.filter((line) => line.startsWith("VIOLATION"))).toEqual([]);
    expect(fs.readdirSync(given.dir).filter((name) => name.includes(".heir-")).length).toBeLessThan(3);
  });
});

/** Runs one contender after another for five seconds; about half of them kill themselves while holding the lock. */
async function fight(given: LockOptions, log: string, seed: number): Promise<void> {
  const end = Date.now() + 5000;
  while (Date.now() < end) {
    const child = start(`
      import * as fs from "node:fs";
      const given = ${JSON.stringify(given)}, log = ${JSON.stringify(log)}, inside = log + ".inside", end = ${end};
      const wait = (ms) => new Promise((done) => setTimeout(done, ms));
      while (Date.now() < end) {
        let lock;
        try { lock = await acquireLock(given); }
        catch (error) { if (error.code !== "workspace-locked" && error.code !== "lock-not-written") throw error; await wait(1); continue; }
        // Whoever is inside leaves its pid; another's pid, alive, means two holders.
        let before = null; try { before = Number(fs.readFileSync(inside, "utf8")); } catch {}
        fs.writeFileSync(inside, String(process.pid));
        let alive = false;
        try { alive = before !== null && before !== process.pid && !/\\) [ZX] /.test(fs.readFileSync("/proc/" + before + "/stat", "utf8")); } catch {}
        fs.appendFileSync(log, (alive ? "VIOLATION " : "in ") + process.pid + "\\n");
        await wait(Math.random() * 3);
        if (fs.readFileSync(inside, "utf8") !== String(process.pid)) fs.appendFileSync(log, "VIOLATION, another came in: " + process.pid + "\\n");
        // Out of the room before it dies: the kernel frees the lock a moment before /proc says that its holder is gone.
        fs.rmSync(inside);
        if (Math.random() < 0.2) process.kill(process.pid, "SIGKILL");
        await lock.release();
        await wait(Math.random() * 3);
      } // ${seed}`);
    await once(child, "exit");
  }
}

describe("an info file that was left behind", () => {
  const leave = (given: LockOptions, change: Partial<Owner>): void =>
    fs.writeFileSync(infoPath(given), JSON.stringify({ ...thisProcess("run r0"), ...change }));

  test.each([
    { whose: "a reused pid, by its start", change: { pid: process.ppid, start: "1" } },
    { whose: "a pid that is nobody's", change: { pid: 2 ** 22 + 7 } },
    ...(linux ? [{ whose: "an earlier boot of this machine", change: { boot: "0000", pid: process.ppid } }] : []),
  ])("of $whose is stale, by either kind of lock", async ({ change }) => {
    for (const by of kinds) {
      const given = options(by);
      leave(given, change);
      expect(await whoHolds(given)).toBeNull();
      const lock = await acquireLock(given);
      expect(lock.notices).toMatchObject([{ kind: "stale-lock-taken-over" }]);
      await lock.release();
    }
  });

  test.each([
    { whose: "another machine", change: { host: "elsewhere", boot: "0000" } },
    ...(linux
      ? [
          { whose: "another container", change: { pidNamespace: "pid:[1]", netNamespace: "net:[1]" } },
          { whose: "a living process in another network namespace", change: { netNamespace: "net:[1]" } },
        ]
      : []),
  ])("of $whose refuses, until a person says steal", async ({ change }) => {
    const given = options(linux ? "socket" : "file");
    leave(given, change);
    const before = fs.readFileSync(infoPath(given), "utf8");
    const error = await refusal(given);
    expect(error.code).toBe("lock-held-elsewhere");
    expect(error.next).toContain("--steal-lock");
    expect(fs.readFileSync(infoPath(given), "utf8")).toBe(before);
    expect(await whoHolds(given)).toMatchObject({ where: "elsewhere" });
    const lock = await acquireLock({ ...given, steal: true });
    expect(lock.notices).toMatchObject([{ kind: "lock-stolen" }]);
    await lock.release();
  });

  test.runIf(linux)("of a dead process in another network namespace is stale", async () => {
    const given = options("socket");
    leave(given, { netNamespace: "net:[1]", start: "1" });
    await (await acquireLock(given)).release();
  });

  test.each(["", "garbage", "null", "[]", '{"pid":1}'])("that reads %j is taken over", async (text) => {
    const given = options(linux ? "socket" : "file");
    fs.writeFileSync(infoPath(given), text);
    const lock = await acquireLock(given);
    expect(lock.notices).toHaveLength(1);
    await lock.release();
  });

  test("whose heir died during the takeover is taken over anyway", async () => {
    const given = options("file");
    leave(given, { pid: 2 ** 22 + 7 });
    const dead = createHash("sha256")
      .update(fs.readFileSync(infoPath(given)))
      .digest("hex")
      .slice(0, 16);
    fs.writeFileSync(`${infoPath(given)}.heir-${dead}`, JSON.stringify({ ...thisProcess("heir"), pid: 2 ** 22 + 8 }));
    const lock = await acquireLock(given);
    await lock.release();
    expect(fs.readdirSync(given.dir)).toEqual([]);
  });
});

test("reports a folder that is not writable, and does not keep the lock", async () => {
  const given = options(linux ? "socket" : "file");
  fs.writeFileSync(join(given.dir, "file"), "");
  expect((await refusal({ ...given, dir: join(given.dir, "file/below") })).code).toBe("lock-not-written");
  await (await acquireLock(given)).release();
});

test.runIf(linux)("a socket whose holder left no info file is refused without a name", async () => {
  const given = options("socket");
  const child = await holder(given);
  fs.rmSync(infoPath(given));
  const error = await refusal(given);
  expect(error.code).toBe("workspace-locked");
  expect(error.why).toContain("has not said who it is");
  expect(child.exitCode).toBeNull();
});
