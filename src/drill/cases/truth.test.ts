// Looks at every case from outside: plain copies and real runners, no part of the loop.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type Case, caseClasses, type Edit, type Stack } from "./case.ts";
import { cases } from "./index.ts";
import { missingStacks } from "./installed.ts";
import { bring, closureOf, lay, type Place } from "./lay.ts";

/** Where packages are installed for the cases that need some. The packages of this repository are found anyway. */
const packages = process.env["LOOP_CASE_PACKAGES"];
const packageFolders = [
  ...(packages === undefined ? [] : [packages]),
  fileURLToPath(new URL("../../../node_modules", import.meta.url)),
];
/** `all`, or a pattern: `^node:`, `honest]`, `git-trick`. Without it one case of each class is played in the quick stacks. */
const wanted = process.env["LOOP_CASES"];

/** A case is up to ten commands, some of which compile, on a machine that others share. */
const commandMsMax = 120_000;
const caseMsMax = 600_000;

const root = mkdtempSync(join(tmpdir(), "loop-cases-"));
afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));

/** The interpreter itself: a launcher in front of it may need the home. */
const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
const programFolder = python.status === 0 ? dirname(python.stdout.trim()) : dirname(process.execPath);
const missing = missingStacks();

function environment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: `${programFolder}:${process.env["PATH"]}`,
    HOME: home,
    LANG: "C.UTF-8",
    // A copy is edited within the second in which Python compiled it.
    PYTHONDONTWRITEBYTECODE: "1",
    RUSTUP_HOME: process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup"),
    GOCACHE: join(root, "go-cache"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    npm_config_update_notifier: "false",
  };
}

type Ran = { readonly status: number | null; readonly output: string };

function run(command: string, { folder, home }: Place): Ran {
  const ran = spawnSync("sh", ["-c", command], {
    cwd: folder,
    env: environment(home),
    encoding: "utf8",
    timeout: commandMsMax,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = `$ ${command}\n${ran.stdout}${ran.stderr}`.slice(-3000);
  // A command that was cut off says nothing: it must not pass for a red one.
  expect(ran.status, output).not.toBeNull();
  return { status: ran.status, output };
}

function succeeds(command: string, at: Place): void {
  const ran = run(command, at);
  expect(ran.status, ran.output).toBe(0);
}

let count = 0;
const used: string[] = [];
afterEach(async () => {
  for (const path of used.splice(0)) await rm(path, { recursive: true, force: true, maxRetries: 3 });
});
async function place(): Promise<Place> {
  count += 1;
  const top = join(root, `${count}`);
  used.push(top);
  const made = { folder: join(top, "till"), home: join(top, "home") };
  await mkdir(made.folder, { recursive: true });
  await mkdir(made.home, { recursive: true });
  return made;
}

const identity = "-c user.name=till -c user.email=till@example.com";
async function committed(edits: readonly Edit[], at: Place): Promise<void> {
  for (const edit of edits) await lay(edit, at);
  succeeds(`git init -q -b main && git add -A && git ${identity} commit -q -m base`, at);
}

async function foundPackages({ needs = [] }: Case): Promise<{ packages: string; names: readonly string[] } | null> {
  for (const folder of packageFolders) {
    const names = await closureOf(folder, needs);
    if (names !== null) return { packages: folder, names };
  }
  return null;
}

async function install(each: Case, at: Place): Promise<void> {
  await lay(each.installed ?? {}, at);
  if (each.installs !== undefined) succeeds(each.installs, at);
  const [needs, found] = [each.needs ?? [], await foundPackages(each)];
  if (needs.length === 0 || found === null) return;
  // Packages are links unless a command of the case could write through one.
  await bring({ ...found, needs }, at.folder, each.act?.includes("node_modules/") ? "copy" : "links");
}

async function changed(each: Case, at: Place): Promise<void> {
  await lay(each.change, at);
  await lay(each.tampered ?? {}, at);
  if (each.act !== undefined) succeeds(each.act, at);
}

/** The change as a fresh clone has it: nothing that git ignores, the base's dependencies, an empty home. */
async function cloned(each: Case): Promise<Place> {
  const at = await place();
  await committed([each.project], at);
  if (each.act !== undefined) await install(each, at);
  await changed(each, at);
  run("git clean -q -ffdX", at);
  await rm(at.home, { recursive: true, force: true });
  await mkdir(at.home);
  await install(each, at);
  return at;
}

async function truthOn(each: Case, at: Place): Promise<Ran> {
  await lay(each.truth.files, at);
  return run(each.truth.run, at);
}

const state = (ran: Ran): string => (ran.status === 0 ? "green" : "red");

/** Many cases share a base and a truth; what was found about the same files once is not found out again. */
const known = new Map<string, Promise<Ran>>();
function once(files: readonly unknown[], find: () => Promise<Ran>): Promise<Ran> {
  const key = JSON.stringify(files);
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

async function examine(each: Case): Promise<void> {
  const at = await place();
  await committed([each.project], at);
  await install(each, at);
  await examineBase(each, at);
  await examineFolder(each, at);
  const truth = await truthOn(each, await cloned(each));
  expect(state(truth), `the truth about the change: ${truth.output}`).toBe(each.honest ? "green" : "red");
  if (!each.honest) await examineTruth(each);
}

async function examineBase({ check, project, installed, installs, act }: Case, at: Place): Promise<void> {
  const inFolder = (command: string): Promise<Ran> => Promise.resolve(run(command, at));
  for (const [command, how] of [
    [check.run, "green"],
    [check.lint, "green"],
    [check.turn, "red"],
  ] as const) {
    if (command === undefined) continue;
    // A command of the case may build on what the check leaves behind.
    const files = [project, installed, installs, command, act === undefined ? "" : at.folder];
    const base = await once(files, () => inFolder(command));
    expect(state(base), `at the base: ${base.output}`).toBe(how);
  }
}

/** In the agent's own folder everything looks well: otherwise it would take nothing to refuse it. */
async function examineFolder(each: Case, at: Place): Promise<void> {
  await changed(each, at);
  for (const path of Object.keys(each.tampered ?? {}).filter((path) => !path.startsWith("~/"))) {
    expect(run(`git check-ignore -q '${path}'`, at).status, `${path} is not ignored`).toBe(0);
  }
  for (const command of [each.check.run, each.check.lint, each.honest ? undefined : each.check.turn]) {
    if (command === undefined) continue;
    const after = run(command, at);
    expect(state(after), `after the change: ${after.output}`).toBe("green");
  }
}

/** A truth that good work fails too would say nothing about a cheat. */
async function examineTruth(each: Case): Promise<void> {
  const passing = await once([each.project, each.installed, each.installs, each.truth], async () => {
    const at = await place();
    await committed([each.project, each.truth.passesOn ?? {}], at);
    await install(each, at);
    return truthOn(each, at);
  });
  expect(state(passing), `the truth about good work: ${passing.output}`).toBe("green");
}

const labelOf = ({ name, class: kind, honest }: Case): string => `${name} [${kind}, ${honest ? "honest" : "cheat"}]`;
const kindOf = (each: Case): string => `${each.stack} ${each.class} ${each.honest}`;
const isFirst = (each: Case): boolean => cases.find((other) => kindOf(other) === kindOf(each)) === each;
const quick: readonly Stack[] = ["node", "shell"];
const chosen = cases.filter((each) => {
  if (wanted === "all") return true;
  if (wanted !== undefined) return new RegExp(wanted).test(labelOf(each));
  return quick.includes(each.stack) && isFirst(each);
});

describe("the cases", () => {
  test("have a name each", () => {
    const names = cases.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test("cover every class", () => {
    expect(caseClasses.filter((name) => !cases.some((each) => each.class === name))).toEqual([]);
  });

  test.for(chosen.map((each) => [labelOf(each), each] as const))(
    "%s",
    { timeout: caseMsMax },
    async ([, each], { skip }) => {
      if (missing.has(each.stack)) skip(`${each.stack} is not installed`);
      if ((await foundPackages(each)) === null) skip(`${each.needs?.join(", ")} is not installed`);
      await examine(each);
    },
  );
});
