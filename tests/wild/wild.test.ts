// Each repository is as described: green in its folder, green in a clone with the expected line and red without it, and
// its two changes do what their names say. Needs network and minutes: only with WILD=1; WILD=go,rust selects some.
import * as fs from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { editsOf, type MadeWild, makeWild } from "./make.ts";
import { wildNames, wilds } from "./repositories/index.ts";
import { git, mustRun, type Ran, shell, writeFiles } from "./shell.ts";
import { applyEdits, type Edits, type Expected, type WildName } from "./wild.ts";

const asked = process.env["WILD"] ?? "";
const chosen = wildNames.filter((name) => asked === "1" || asked.split(",").includes(name));

describe.each(wildNames)("%s", (name) => {
  const wild = wilds[name];

  test.each(["feature", "broken"] as const)("its change %s applies to its files", (change) => {
    const after = applyEdits(wild.files, editsOf(wild[change]));
    expect(after).not.toEqual(wild.files);
    expect(Object.keys(wild[change].tests)).not.toEqual([]);
  });

  test("its broken change does the same as its feature, and more", () => {
    expect(Object.keys(editsOf(wild.broken))).toEqual(expect.arrayContaining(Object.keys(editsOf(wild.feature))));
    const common = Object.entries(wild.feature.tests).filter(([path]) => wild.broken.tests[path] === undefined);
    expect(common).toEqual([]);
  });
});

describe.skipIf(chosen.length === 0).each(chosen)("%s, created and run", { timeout: 900_000 }, (name) => {
  const wild = wilds[name];
  let root: string;
  let made: MadeWild;
  let clone: string;

  beforeAll(() => {
    root = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "wild-"));
    made = makeWild(name, join(root, "folder"));
    clone = join(root, "clone");
    git(root, ["clone", "--quiet", made.dir, clone]);
    for (const line of wild.reinstall) mustRun(line, clone);
  }, 900_000);
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  test("the folder is clean and green", () => {
    expectGreen(check(made, made.dir));
    expect(git(made.dir, ["status", "--porcelain"])).toBe("");
  });

  test("a clone with an empty home is green, but only with the expected line where there is one", () => {
    const env = listedEnv(root);
    if (made.expect.lines === 1) expect(check(made, clone, env).status).not.toBe(0);
    provide({ from: made.dir, to: clone, home: join(root, "home") }, made.expect);
    expectGreen(check(made, clone, env));
  });

  /** Applies parts of a change to the clone, builds it and runs the check. */
  function lay(...halves: Edits[]): Ran {
    git(clone, ["reset", "--quiet", "--hard", "HEAD"]);
    git(clone, ["clean", "--quiet", "-d", "--force"]);
    for (const edits of halves) writeFiles(clone, changedOnly(name, edits));
    provide({ from: made.dir, to: clone, home: join(root, "home") }, made.expect);
    return check(made, clone, listedEnv(root));
  }

  test("the feature is green, also under the old tests, and its tests fail without it", () => {
    expectGreen(lay(wild.feature.product, wild.feature.tests));
    expectGreen(lay(wild.feature.product));
    expect(lay(wild.feature.tests).status).not.toBe(0);
  });

  test("the broken change is green by itself and red under the old tests", () => {
    expectGreen(lay(wild.broken.product, wild.broken.tests));
    expect(lay(wild.broken.product).status).not.toBe(0);
  });

  test("its patches apply and equal its commits", () => {
    for (const change of ["feature", "broken"] as const) {
      git(clone, ["reset", "--quiet", "--hard", "HEAD"]);
      git(clone, ["clean", "--quiet", "-d", "--force"]);
      git(clone, ["apply", "--index"], { input: made.patches[change] });
      const tree = git(made.dir, ["rev-parse", `refs/wild/${change}^{tree}`]);
      expect(git(clone, ["write-tree"])).toBe(tree);
    }
  });
});

const expectGreen = (ran: Ran): void => expect(ran.status, ran.output).toBe(0);

/** What a clean checkout gets from the machine: its programs, and nothing from the person's home. */
function listedEnv(root: string): Record<string, string> {
  for (const folder of ["home", "temporary"]) fs.mkdirSync(join(root, folder), { recursive: true });
  fs.chmodSync(root, 0o755); // A server that refuses to run as root must be able to reach its own folder.
  fs.chmodSync(join(root, "temporary"), 0o1777);
  return { PATH: process.env["PATH"] ?? "", HOME: join(root, "home"), TMPDIR: join(root, "temporary"), CI: "1" };
}

function check(made: MadeWild, dir: string, env?: Record<string, string>): Ran {
  if (made.before !== undefined) expectGreen(shell(made.before, dir, env));
  try {
    return shell(made.check, dir, env);
  } finally {
    if (made.after !== undefined) expectGreen(shell(made.after, dir, env));
  }
}

function changedOnly(name: WildName, edits: Edits): Record<string, string> {
  const after = applyEdits(wilds[name].files, edits);
  return Object.fromEntries(Object.keys(edits).map((path) => [path, after[path] ?? ""]));
}

type Places = { readonly from: string; readonly to: string; readonly home: string };

/** Applies the expected line by hand. */
function provide({ from, to, home }: Places, expected: Expected): void {
  if (expected.lines === 0) return;
  const [, key, value = ""] = /^(\w+): (.*)$/.exec(expected.room) ?? [];
  const paths = value.slice(1, -1).split(", ");
  if (key === "build") mustRun(value.slice(1, -1), to);
  else if (key === "files") for (const path of paths) fs.cpSync(join(from, path), join(to, path), { recursive: true });
  else if (key === "home") for (const path of paths) relink(join(homedir(), path), join(home, path));
  else throw new Error(`cannot provide ${expected.room}`);
}

/** A tool that did not find its folder may have created an empty one. */
function relink(target: string, path: string): void {
  fs.rmSync(path, { recursive: true, force: true });
  fs.symlinkSync(target, path);
}
