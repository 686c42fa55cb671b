// What the seal says of a change, whole: each list of the report, and what is remembered for the features after it.
import { describe, expect, test } from "vitest";
import { sealRule } from "../../src/runtime/proof/seal.ts";
import type { LaidFile } from "../../src/workspace/workspace.ts";
import { untouched } from "./scripted.ts";
import { change, check, type Files, scope, tree } from "./trees.ts";

const suite = "check(1);\ncheck(2);\n";
const before: Files = {
  "src/a.js": "code",
  "test/a.test.js": suite,
  "test/b.test.js": "check(b);\n",
  "package.json": "{}",
};
const laid = (lay: readonly LaidFile[]) =>
  lay.map(({ path, content }) => [path, content === null ? null : String(content)]);

describe("the report", () => {
  test("of a change that leaves tests alone is empty", async () => {
    expect(await change(before, { "src/a.js": "more", "src/b.js": "new" })).toEqual(untouched);
    expect(await change(before, {})).toEqual(untouched);
  });

  test("of a rewritten test lays it back, and remembers it", async () => {
    const report = await change(before, { "test/a.test.js": "check(0);\n" });
    const kept = { path: "test/a.test.js", content: Buffer.from(suite) };
    expect(report).toEqual({
      ...untouched,
      lay: [kept],
      layWithTests: [kept],
      changed: ["test/a.test.js"],
      rewritten: ["test/a.test.js"],
      wornAfter: { files: [{ path: "test/a.test.js", tree: tree(before) }], added: [], since: tree(before) },
    });
  });

  test("of a test that was added to lays it back, welcomes it, and remembers nothing", async () => {
    const report = await change(before, { "test/a.test.js": `${suite}check(3);\n` });
    expect([report.changed, report.welcome, report.rewritten, report.wornAfter]).toEqual([
      ["test/a.test.js"],
      ["test/a.test.js"],
      [],
      null,
    ]);
    expect(laid(report.lay)).toEqual([["test/a.test.js", suite]]);
  });

  test("of a deleted test lays it back, and names it as deleted alone", async () => {
    const report = await change(before, { "test/a.test.js": null });
    expect([report.deleted, report.changed, report.welcome, report.wornAfter]).toEqual([
      ["test/a.test.js"],
      [],
      [],
      null,
    ]);
    expect(laid(report.lay)).toEqual([["test/a.test.js", suite]]);
  });

  test("of a moved test welcomes both names, and lays nothing back", async () => {
    const report = await change(before, { "test/a.test.js": null, "test/sub/a.test.js": suite });
    expect(report).toEqual({
      ...untouched,
      renamed: [{ from: "test/a.test.js", to: "test/sub/a.test.js" }],
      welcome: ["test/a.test.js", "test/sub/a.test.js"],
    });
  });

  test("of what may change names it, and nothing else", async () => {
    const released = {
      "test/a.test.js": "check(0);\n",
      "test/b.test.js": null,
      "test/new.test.js": "x",
      "package.json": '{"scripts":{"test":"true"}}',
    };
    const report = await change(before, released, { mayChange: ["test/**", "package.json"] });
    expect({ ...report, released: [...report.released].sort() }).toEqual({
      ...untouched,
      released: ["package.json", "test/a.test.js", "test/b.test.js", "test/new.test.js"],
    });
  });
});

describe("a file that is sealed in part", () => {
  const scripted = { ...before, "package.json": '{"scripts":{"test":"node --test"}}' };
  const loosened = '{"scripts":{"test":"true"},"dependencies":{"x":"1"}}';
  const put = '{\n  "scripts": {\n    "test": "node --test"\n  },\n  "dependencies": {\n    "x": "1"\n  }\n}\n';

  test("is laid back in that part, and told by it", async () => {
    const report = await change(scripted, { "package.json": loosened });
    expect(laid(report.lay)).toEqual([["package.json", put]]);
    expect([report.changed, report.rewritten, report.deleted]).toEqual([
      ["package.json (scripts.test)"],
      ["package.json (scripts.test)"],
      [],
    ]);
  });

  test("and is added, deleted or changed elsewhere is not", async () => {
    const { "package.json": _, ...none } = scripted;
    expect((await change(none, { "package.json": loosened })).lay).toEqual([]);
    expect((await change(scripted, { "package.json": null })).lay).toEqual([]);
    const elsewhere = { "package.json": '{"name":"x","scripts":{"test":"node --test"}}' };
    expect(await change(scripted, elsewhere)).toEqual(untouched);
  });

  test("and was worn by an earlier feature is laid back in that part, as long as it differs", async () => {
    const worn = { files: [{ path: "package.json", tree: tree(scripted) }], added: [], since: tree(scripted) };
    const now = { ...scripted, "package.json": loosened };
    expect(laid((await change(now, { "src/a.js": "more" }, { worn })).lay)).toEqual([["package.json", put]]);
    expect((await change(scripted, { "src/a.js": "more" }, { worn })).lay).toEqual([]);
  });
});

test("a part of a file that this change puts right is laid back neither as it was made nor as it was", async () => {
  const scripts = (line: string): Files => ({ ...before, "package.json": `{"scripts":{"test":"${line}"}}` });
  const worn = {
    files: [{ path: "package.json", tree: tree(scripts("node --test")) }],
    added: [],
    since: tree(before),
  };
  const report = await change(scripts("true"), scripts("node --test"), { worn });
  expect([report.lay, report.changed]).toEqual([[], ["package.json (scripts.test)"]]);
});

describe("what earlier features did", () => {
  const worn = { ...before, "test/a.test.js": "check(0);\n" };

  test("is looked up where nobody remembers, and is not where somebody does", async () => {
    const looked = await change(worn, { "src/a.js": "more" }, { origin: before });
    const found = { files: [{ path: "test/a.test.js", tree: tree(before) }], added: [], since: tree(before) };
    expect([looked.worn, looked.wornAfter, laid(looked.lay)]).toEqual([found, found, [["test/a.test.js", suite]]]);
    expect(await change(worn, { "src/a.js": "more" }, { origin: before, worn: null })).toEqual(untouched);
  });

  test("is no wear where they only added", async () => {
    const more = { ...before, "test/a.test.js": `${suite}check(3);\n` };
    expect(await change(more, { "src/a.js": "more" }, { origin: before })).toEqual(untouched);
  });

  test("stays with the first of them, and what this one does comes to it", async () => {
    const files = [{ path: "test/a.test.js", tree: tree(before) }];
    const known = { files, added: ["test/late.test.js"], since: tree(before) };
    const now = { ...worn, "test/late.test.js": "x" };
    const report = await change(
      now,
      { "test/a.test.js": "check(9);\n", "test/b.test.js": "check(c);\n", "test/new.test.js": "y" },
      { worn: known },
    );
    expect(laid(report.lay)).toEqual([
      ["test/a.test.js", suite],
      ["test/b.test.js", "check(b);\n"],
      ["test/new.test.js", null],
      ["test/late.test.js", null],
    ]);
    expect(report.wornAfter).toEqual({
      files: [...files, { path: "test/b.test.js", tree: tree(now) }],
      added: ["test/late.test.js", "test/new.test.js"],
      since: tree(before),
    });
  });

  test("ends for a test that moved: it has to say the same, and is as old as it was", async () => {
    const known = {
      files: [{ path: "test/a.test.js", tree: tree(before) }],
      added: ["test/b.test.js"],
      since: tree(before),
    };
    const report = await change(
      worn,
      {
        "test/a.test.js": null,
        "test/sub/a.test.js": "check(0);\n",
        "test/b.test.js": null,
        "test/sub/b.test.js": "check(b);\n",
      },
      { worn: known },
    );
    expect(report.wornAfter).toEqual({
      files: [],
      added: ["test/b.test.js", "test/sub/b.test.js"],
      since: tree(before),
    });
    expect(laid(report.lay)).toEqual([]);
  });
});

describe("an added file", () => {
  test("that decides over old tests is left out, the other added tests with it, and then only it", async () => {
    const report = await change(before, { "test/conftest.py": "x", "test/new.test.js": "y", "src/new.js": "z" });
    expect([report.steering, report.added]).toEqual([["test/conftest.py"], ["test/conftest.py", "test/new.test.js"]]);
    expect(laid(report.lay)).toEqual([
      ["test/conftest.py", null],
      ["test/new.test.js", null],
    ]);
    expect(laid(report.layWithTests)).toEqual([["test/conftest.py", null]]);
  });

  test("decides over nothing in a folder that is new, unless it says so itself", async () => {
    const folder = { "new/conftest.py": "x", "new/test/a.js": "process.exit(0)" };
    expect((await change(before, folder)).steering).toEqual(["new/test/a.js"]);
  });
});

describe("a lockfile that changed", () => {
  const all = {
    "package-lock.json": "1",
    "package.json": "{}",
    "sub/package-lock.json": "1",
    "sub/package.json": "{}",
    "packages.lock.json": "1",
    "App.csproj": "<a/>",
    "pnpm-lock.yaml": "1",
    "pnpm-workspace.yaml": "a",
  };
  test.each<{ what: string; change: Record<string, string | null>; mayChange?: string[]; is: string[] }>([
    { what: "alone", change: { "package-lock.json": "2" }, is: ["package-lock.json"] },
    { what: "with its manifest", change: { "package-lock.json": "2", "package.json": '{"name":"a"}' }, is: [] },
    {
      what: "with another folder's",
      change: { "package-lock.json": "2", "sub/package.json": '{"name":"a"}' },
      is: ["package-lock.json"],
    },
    {
      what: "below, with the one above",
      change: { "sub/package-lock.json": "2", "package.json": '{"name":"a"}' },
      is: ["sub/package-lock.json"],
    },
    {
      what: "below, with its own",
      change: { "sub/package-lock.json": "2", "sub/package.json": '{"name":"a"}' },
      is: [],
    },
    { what: "with a manifest of any name", change: { "packages.lock.json": "2", "App.csproj": "<b/>" }, is: [] },
    {
      what: "with a file that only sounds like one",
      change: { "packages.lock.json": "2", csproj: "x" },
      is: ["packages.lock.json"],
    },
    { what: "with the second of its manifests", change: { "pnpm-lock.yaml": "2", "pnpm-workspace.yaml": "b" }, is: [] },
    { what: "and is gone", change: { "package-lock.json": null }, is: ["package-lock.json"] },
    { what: "and is new", change: { "yarn.lock": "1" }, is: [] },
    { what: "and may change", change: { "package-lock.json": "2" }, mayChange: ["*.json"], is: [] },
  ])("$what: $is", async ({ change: now, mayChange = [], is }) => {
    expect((await change(all, now, { mayChange })).locks).toEqual(is);
  });
});

describe("the rule", () => {
  const rule = () =>
    sealRule({
      checks: [check({ run: "cd sub && ./run.sh" }), check({ name: "own", run: "node own.mjs", tests: ["own/**"] })],
      scope: scope(["test/free.js", "free/package.json", "yarn.lock"]),
    });
  test.each<[string, string | null]>([
    ["own/a.js", "tests of the check own"],
    ["own.mjs", "named by the command of own"],
    ["sub/run.sh", "named by the command of test"],
    ["pytest.ini", "test and build configuration"],
    ["test/a.js", "tests, fixtures and snapshots"],
    [".gitlab-ci.yml", "CI file"],
    ["package-lock.json", "lockfile: follows its manifest"],
    ["deep/in/Cargo.lock", "lockfile: follows its manifest"],
    ["package.json", "in part: scripts and test settings"],
    ["test/free.js", null],
    ["free/package.json", null],
    ["yarn.lock", null],
    ["src/a.js", null],
    ["run.sh", null],
  ])("%s is sealed: %s", (path, why) => {
    expect(rule().reason(path)).toBe(why);
    const isPart = why !== null && /^(?:lockfile|in part)/.test(why);
    expect(rule().isSealed(path)).toBe(why !== null && !isPart);
  });

  test("knows tests, configuration, lockfiles and what is released", () => {
    const paths = ["test/a.js", "own/a.js", "pytest.ini", "a/yarn.lock", "test/free.js"];
    expect(paths.map(rule().isTest)).toEqual([true, true, false, false, true]);
    expect(paths.map(rule().isConfiguration)).toEqual([false, false, true, false, false]);
    expect(paths.map(rule().isLockfile)).toEqual([false, false, false, true, false]);
    expect(paths.map(rule().isReleased)).toEqual([false, false, false, false, true]);
  });

  test("is the usual one without checks, and not where each check names its own tests", () => {
    expect(sealRule({ checks: [], scope: scope() }).isTest("test/a.js")).toBe(true);
    expect(sealRule({ checks: [check({ tests: ["own/**"] })], scope: scope() }).isTest("test/a.js")).toBe(false);
  });
});
