// Broken or missing inputs of a proof lead to a clear message, a weaker grade or a pause, and nothing is lost.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Files, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
let server: Server | null = null;
afterEach(() => {
  project?.remove();
  project = null;
  server?.close();
  server = null;
});

const yaml = (check: string): string =>
  `version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\nchecks: [{ name: test, ${check} }]\nlimits: { rework: 0 }\n`;
const make = (check: string, extra: Files = {}, steps = right("F001")): Project =>
  new Project(
    sampleFiles([{ ...builder("F001", 1, steps), attempt: undefined }, evaluator], [feature("F001")], {
      "loop.yaml": yaml(check),
      ...extra,
    }),
  );
const sessionsOf = (of: Project): number => of.events().filter(({ type }) => type === "session-reserved").length;

describe("no test names", () => {
  test.each([
    {
      why: "because the runner is not known",
      check: "run: sh run-tests.sh",
      says: "test (sh run-tests.sh) gives no test names: only its exit code is compared.",
    },
    {
      why: "because the report was not written",
      check: "run: sh run-tests.sh, report: out.xml",
      says: "The report that the check names is missing, so only its exit code counts.",
    },
  ])("$why: reported before anything is spent, and exit codes decide", { timeout: 120_000 }, async (one) => {
    project = make(one.check);
    const { code, stdout, stderr } = await project.loop("run");
    expect(code, stdout + stderr).toBe(0);
    expect(stderr.slice(0, stderr.indexOf("F001 Add f001()"))).toContain(one.says);
  });
});

test("a check in watch mode is killed with all its processes, and the report says why it is red", {
  timeout: 60_000,
}, async () => {
  project = make('run: "node --test --watch", timeout_s: 3');
  const of = project;
  const { code, stdout } = await of.loop("run");
  expect(code).toBe(1);
  expect(stdout).toContain("It did not end within 3 s, and the loop ended it.");
  expect(stdout).toContain("leave out a watch mode, or raise its timeout_s");
  expect(sessionsOf(of)).toBe(0);
  await until("no process left", () => of.strays().length === 0, 10_000);
});

describe("an unreadable lockfile", () => {
  const broken = '<<<<<<< HEAD\n{ "name": "sample" }\n=======\n';
  const lock = '{ "name": "sample", "lockfileVersion": 3, "packages": { "": { "name": "sample" } } }\n';

  test("that no one touches does not matter", { timeout: 120_000 }, async () => {
    project = make("run: sh run-tests.sh", { "package-lock.json": broken });
    const { code, stdout } = await project.loop("run");
    expect(code, stdout).toBe(0);
  });

  test("that the agent broke is refused with the installer's error, and the work is kept", {
    timeout: 120_000,
  }, async () => {
    const breaks = [{ do: "write", path: "package-lock.json", text: broken }, ...right("F001")];
    project = make("run: sh run-tests.sh", { "package-lock.json": lock }, breaks);
    const { code, stdout } = await project.loop("run");
    expect(code).toBe(7);
    expect(stdout).toMatch(/loop recover q/);
    const inbox = (await project.loop("inbox")).stdout;
    expect(inbox).toContain("its clean checkout could not be prepared");
    expect(inbox).toContain("Installing the dependencies failed in the clean checkout:");
    expect(inbox).toMatch(/npm error later to generate a package-lock.json file/);
    expect(project.read("package-lock.json")).toBe(lock);
  });
});

describe("a check that needs an outside service", () => {
  const needy = { "ask.mjs": 'await fetch("http://127.0.0.1:" + process.argv[2]);\n' };
  const listen = async (port = 0): Promise<number> => {
    const made = createServer((_, answer) => answer.end());
    server = made;
    await new Promise<void>((resolve) => made.listen(port, "127.0.0.1", resolve));
    return (made.address() as AddressInfo).port;
  };
  const closed = (): Promise<void> =>
    new Promise((resolve) => {
      server?.closeAllConnections();
      server?.close(() => resolve());
      server = null;
    });

  test("is red before any work while the service is missing, and green once it is back and the run resumes", {
    timeout: 120_000,
  }, async () => {
    const port = await listen();
    await closed();
    project = make(`run: "node ask.mjs ${port} && sh run-tests.sh"`, needy);
    const of = project;
    const down = await of.loop("run");
    expect([down.code, sessionsOf(of)]).toEqual([1, 0]);
    expect(down.stdout).toMatch(/is red before any work, in a clean checkout[\s\S]*ECONNREFUSED/);
    await listen(port);
    const up = await of.loop("continue");
    expect(up.code, up.stdout).toBe(0);
  });

  test("pauses the run when the service goes down after the work, and the same work counts once it is back", {
    timeout: 120_000,
  }, async () => {
    const port = await listen();
    const bye = { do: "run", command: `node ask.mjs ${port}/bye` };
    server?.on("request", ({ url }) => {
      if (url === "/bye") closed();
    });
    project = make(`run: "node ask.mjs ${port} && sh run-tests.sh"`, needy, [bye, ...right("F001")]);
    const of = project;
    const gone = await of.loop("run");
    expect(gone.code, gone.stdout).toBe(1);
    expect(gone.stdout).toContain("was green on the code as it was, and fails on the same code now: something that it");
    expect(gone.stdout).toContain("Next: Bring back what the check needs (a server, a service, the network), then:");
    expect([sessionsOf(of), of.exists("src/F001.js")]).toEqual([1, true]);
    await listen(port);
    const back = await of.loop("continue");
    expect(back.code, back.stdout).toBe(0);
    expect(sessionsOf(of)).toBe(2);
  });
});

test("packages that cannot be fetched pause the run, and the work stays", { timeout: 120_000 }, async () => {
  const lock = (more: string): string =>
    `{ "name": "sample", "lockfileVersion": 3, ${more}"packages": { "": { "name": "sample" } } }\n`;
  const setup =
    'test -f network.txt || grep -q requires package-lock.json || { echo "npm error code ENOTFOUND" >&2; exit 1; }';
  project = make("run: sh run-tests.sh", { "package-lock.json": lock('"requires": true, ') }, [
    { do: "write", path: "package-lock.json", text: lock("") },
    ...right("F001"),
  ]);
  project.write({ "loop.yaml": `${project.read("loop.yaml")}setup: '${setup}'\n` });
  project.git("commit", "--quiet", "--all", "--message", "settings");
  const gone = await project.loop("run");
  expect(gone.code, gone.stdout).toBe(1);
  expect(gone.stdout).toContain("they cannot be installed without the network");
  expect(gone.stdout).toContain("Next: Bring back the network, then: loop continue");
  expect([sessionsOf(project), project.exists("src/F001.js")]).toEqual([1, true]);
});

describe("a baseline that is red in the folder as well", () => {
  const red: Files = { "src/old.js": "export const old = () => 2;\n" };
  const green: Files = { "src/old.js": "export const old = () => 1;\n" };

  test("is green once a person has fixed it and the run resumes", { timeout: 120_000 }, async () => {
    project = make("run: sh run-tests.sh", red);
    expect((await project.loop("run")).stdout).toContain("make it green, then: loop continue");
    project.write(green);
    project.git("commit", "--quiet", "--all", "--message", "green");
    const { code, stdout } = await project.loop("continue");
    expect(code, stdout).toBe(0);
    expect(project.git("show", "HEAD:src/old.js")).toBe(green["src/old.js"]?.trimEnd());
  });

  test("and was fixed without a commit keeps the fix, and the run says what to do", {
    timeout: 120_000,
  }, async () => {
    project = make("run: sh run-tests.sh", red);
    expect((await project.loop("run")).code).toBe(1);
    project.write(green);
    const { code, stdout } = await project.loop("continue");
    expect([code, project.read("src/old.js")]).toEqual([1, green["src/old.js"]]);
    expect(stdout).toMatch(/uncommitted changes[\s\S]*src\/old\.js[\s\S]*Commit or stash them/);
  });
});

const mayMount = ((): boolean => {
  try {
    execFileSync("unshare", ["-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!mayMount)(
  "a disk that is full when a clean checkout is built (skipped where mounting is not allowed)",
  () => {
    test.each([
      { when: "before any work", size: 6_000, sessions: "0 sessions" },
      { when: "for the work", size: 18_000, sessions: "1 session " },
    ])(
      "$when: the run pauses with the reason, and resumes once there is space",
      { timeout: 180_000 },
      async ({ size, sessions }) => {
        // The files fit into the vault, but not a second time into a clean checkout.
        const big = randomBytes(3 << 20).toString("base64");
        const steps = [{ do: "write", path: "src/big.txt", text: big }, ...right("F001")];
        project = make("run: sh run-tests.sh", {}, steps);
        const { home, root, env } = project;
        const state = join(home, "state");
        fs.mkdirSync(state);
        const cli = new URL("../../dist/cli/main.js", import.meta.url).pathname;
        const loop = `"${process.execPath}" "${cli}" --trust`;
        const script = [
          `mount -t tmpfs -o size=${size}k tmpfs ${state}`,
          `cd ${root}`,
          `${loop} run 2>&1; echo "first $?"`,
          `mount -o remount,size=200m ${state}`,
          `${loop} continue 2>&1; echo "then $?"`,
        ].join("\n");
        const said = execFileSync("unshare", ["-m", "sh", "-c", script], { env, encoding: "utf8" });
        expect(said).toMatch(/first 1\n/);
        expect(said.slice(0, said.indexOf("first 1"))).toContain(sessions);
        expect(said).toMatch(
          /Nothing is lost\. (?:The disk is full|A file could not be written; most often the disk is full)\./,
        );
        expect(said).toMatch(/Next: [^\n]*space[^\n]*loop continue/);
        expect(said).not.toContain("A bug in Loopwright");
        expect(said).toMatch(/then 0\n/);
        expect(project.git("log", "--format=%s")).toContain("F001");
      },
    );
  },
);
