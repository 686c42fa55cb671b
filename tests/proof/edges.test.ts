// Edges of what is read: diffs, manifests, counts and the evidence itself.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Bug } from "../../src/core/errors.ts";
import { checkpointId, featureId } from "../../src/core/ids.ts";
import type { Candidate, Work } from "../../src/core/run.ts";
import type { Counts, TestEnd } from "../../src/formats/test-report/counts.ts";
import type { RunFiles } from "../../src/runtime/ports.ts";
import { addedLines, linesOfDiff } from "../../src/runtime/proof/added-lines.ts";
import { countCauses, countsOf, progress } from "../../src/runtime/proof/counting.ts";
import { dependenciesIn, newDependencies } from "../../src/runtime/proof/dependencies.ts";
import { type Evidence, keepEvidence, readEvidence, sealProof } from "../../src/runtime/proof/proof-file.ts";
import type { Change, Workspace } from "../../src/workspace/workspace.ts";
import { judged } from "./scripted.ts";
import { check, tree, workspace } from "./trees.ts";

describe("a diff", () => {
  const found = (diff: string): unknown[] => linesOfDiff(diff).map(({ path, line, text }) => [path, line, text]);

  test("that says a line end is missing is numbered all the same", () => {
    expect(found("+++ b/a\n@@ -1 +1,2 @@\n-x\n\\ No newline at end of file\n+x\n+y")).toEqual([
      ["a", 1, "x"],
      ["a", 2, "y"],
    ]);
    expect(found("+++ b/a\n@@ -1,2 +1,3 @@\n x\n+y\n ends in \\\n")).toEqual([["a", 2, "y"]]);
  });

  test("with long hunks is read to their ends", () => {
    const context = Array.from({ length: 12 }, (_, at) => ` ${at}`).join("\n");
    expect(found(`+++ b/a\n@@ -1,12 +1,13 @@\n${context}\n+new`)).toEqual([["a", 13, "new"]]);
  });

  test("of two new files is of two files", () => {
    expect(found("+++ b/a\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ b/c\n@@ -0,0 +1 @@\n+y")).toEqual([
      ["a", 1, "x"],
      ["c", 1, "y"],
    ]);
  });

  test("of a file whose name looks like a hunk is no hunk", () => {
    expect(found("diff --git a/@@ -1 +5 @@ b/x\n+++ b/x\n@@ -0,0 +1 @@\n+y")).toEqual([["x", 1, "y"]]);
  });

  test.each([
    ["web/x.js", "web/x.js"],
    ['"web/\\303\\244.js"', "web/ä.js"],
    ['"b/web/b/\\303\\244.js"', "web/b/ä.js"],
  ])("of %s is of %s", (heading, path) => {
    expect(found(`+++ ${heading}\n@@ -0,0 +1 @@\n+x`)).toEqual([[path, 1, "x"]]);
  });

  test("has at most a hundred files looked into that call themselves binary", async () => {
    const names = Array.from({ length: 101 }, (_, at) => `f${at}`);
    const changes = names.map((path): Change => ({ path, kind: "added", binary: true, lines: 0 }));
    const to = tree(Object.fromEntries(names.map((name) => [name, "x"])));
    const { lines } = await addedLines({ ...workspace, diff: async () => "" } as Workspace, { from: to, to }, changes);
    expect(lines).toHaveLength(100);
  });
});

describe("a manifest", () => {
  test.each<[string, string, string[]]>([
    ["pyproject.toml", '[tool.poetry.dependencies] # ours\nhttpx="^1"\n', ["httpx"]],
    ["pyproject.toml", '["tool".poetry . dependencies]\nhttpx = "^1"\n', ["httpx"]],
    ["pyproject.toml", '[tool.poetry.dependencies]\nhttpx = { version = "1", extras=["http2"] }\n', ["httpx"]],
    ["pyproject.toml", '[tool.pdm.dev-dependencies]\ntest = ["pytest>=6", "tox"]\n', ["pytest", "tox"]],
    ["pyproject.toml", '["dependency-groups"]\ndev = ["ruff"]\n', ["ruff"]],
    ["pyproject.toml", '[project.scripts]\nrun = ["a"]\n[tool.project]\nx = ["b"]\n', []],
    ["pyproject.toml", '[dependency-groups-old]\nx = ["a"]\n[tool.dependency-groups]\nx = ["b"]\n', []],
    ["pyproject.toml", '[tool.poetry.dependencies-old]\na = "1"\n[my.tool.poetry.dependencies]\nb = "1"\n', []],
    ["pyproject.toml", '[my.tool.pdm.dev-dependencies]\na = ["b"]\n[tool.pdm.dev-dependencies-old]\nc = ["d"]\n', []],
    ["pyproject.toml", 'early = ["a"]\n[project]\ndependencies = [ "b [x] >= 1" ]\n[tool.black]\nc = ["d"]\n', ["b"]],
    ["Pipfile", '[packages] # all\nflask={version = "*", extras=["x"]}\n', ["flask"]],
    ["Pipfile", '[my-packages]\na = "1"\n[packages-old]\nb = "1"\n', []],
    ["Cargo.toml", '[dependencies]\nserde={ version = "1", features=["derive"] }\n', ["serde"]],
    ["Cargo.toml", "[target.'cfg(unix)'.dependencies.nix]\nversion = \"1\"\n# [dependencies.no]\n", ["nix"]],
  ])("%s with %j names %j", (path, text, names) => {
    expect(dependenciesIn(path, text)).toEqual(names);
  });

  test("is one of at most fifty", async () => {
    const names = Array.from({ length: 51 }, (_, at) => `p${at}/package.json`);
    const to = tree(Object.fromEntries(names.map((name) => [name, '{"dependencies":{"a":"1"}}'])));
    const changes = names.map((path): Change => ({ path, kind: "added", binary: false, lines: 1 }));
    expect(await newDependencies(workspace, { from: tree({}), to }, changes)).toHaveLength(50);
  });
});

describe("counts", () => {
  const counts = (names: Record<string, TestEnd> | null, change: Partial<Counts> = {}): Counts => {
    const how = (end: TestEnd): number => Object.values(names ?? {}).filter((each) => each === end).length;
    const [passed, failed, skipped] = [how("passed"), how("failed"), how("skipped")];
    return { passed, failed, skipped, total: passed + failed + skipped, names, ...change };
  };
  const passing = (...names: string[]): Counts =>
    counts(Object.fromEntries(names.map((name): [string, TestEnd] => [name, "passed"])));
  const causes = (before: Counts, now: Counts, how: "green" | "red" = "green") =>
    countCauses([judged(check(), how, { counts: now })], {
      before: { test: { green: true, counts: before } },
      released: false,
    });

  test("are compared only where a check is green, and was seen before", () => {
    expect(causes(passing("a", "b"), passing("a"))).toHaveLength(1);
    expect(causes(passing("a", "b"), passing("a"), "red")).toEqual([]);
    expect(countCauses([judged(check(), "green", { counts: passing("a") })], { before: {}, released: false })).toEqual(
      [],
    );
  });

  test("that fell are told with the names that are gone, five at most", () => {
    const letters = [..."abcdefg"];
    const text = (gone: number): string | undefined =>
      causes(passing(...letters), passing(...letters.slice(gone)))[0]?.text;
    expect(text(2)).toMatch(/7 tests → 5 tests\. No longer passed: a; b$/);
    expect(text(5)).toMatch(/No longer passed: a; b; c; d; e$/);
    expect(text(6)).toMatch(/No longer passed: a; b; c; d; e; …$/);
    expect(causes(counts(null, { total: 3, passed: 3 }), passing("a"))[0]?.text).toMatch(/3 tests → 1 test$/);
  });

  test("without names before cannot excuse a skipped test", () => {
    const before = counts(null, { total: 1, passed: 1 });
    expect(causes(before, counts({ a: "passed", b: "skipped" }))).toHaveLength(1);
  });

  test.each<{ what: string; before: Counts; now: Counts | null; is: string }>([
    {
      what: "fewer pass, without names",
      before: counts(null, { passed: 3 }),
      now: counts(null, { passed: 2 }),
      is: "worse",
    },
    {
      what: "one is skipped and another passes",
      before: passing("a"),
      now: counts({ a: "skipped", b: "passed" }),
      is: "same",
    },
    {
      what: "one fails and two more pass",
      before: passing("a"),
      now: counts({ a: "failed", b: "passed", c: "passed" }),
      is: "worse",
    },
    { what: "nothing can be counted now", before: passing("a"), now: null, is: "unknown" },
  ])("are $is where $what", ({ before, now, is }) => {
    expect(progress(before, now)).toBe(is);
  });

  test("are read from reports alone, whatever lies beside them", () => {
    const dir = fs.mkdtempSync(join(tmpdir(), "loop-reports-"));
    try {
      const junit = (name: string): string => `<testsuite><testcase name="${name}"/></testsuite>`;
      for (const [name, text] of Object.entries({ "a.xml": junit("a"), "b.xml.bak": junit("b"), "c.txt": "words" }))
        fs.writeFileSync(join(dir, name), text);
      const found = countsOf(check({ report: "." }), { cwd: dir, output: join(dir, "none"), since: 1 });
      expect(found?.total).toBe(1);
    } finally {
      fs.rmSync(dir, { recursive: true });
    }
  });
});

describe("evidence", () => {
  const all = new Map<string, string>();
  const files: RunFiles = {
    path: (path) => path,
    read: (path) => all.get(path) ?? null,
    write: (path, text) => void all.set(path, text),
  };
  const [mine, other] = [tree({ a: "1" }), tree({ a: "2" })];
  const mark = { checkpoint: checkpointId("i1"), tree: other, head: null };
  const work: Work = { feature: featureId("F1"), iteration: 1, attempt: 1, stage: "implement", mark, base: mark };
  const kept = (candidate: string): Candidate => ({
    tree: mine,
    proof: keepEvidence(files, { candidate, grade: "strong" } as Evidence),
    grade: "weak",
  });
  all.set("verdicts/F1-i1.json", JSON.stringify({ tree: mine, reply: { pass: true } }));

  test("that is missing is a bug of ours", () => {
    expect(() => readEvidence(files, "nothing")).toThrow(Bug);
  });

  test("of another tree is no proof of this one, whatever the verdict is about", () => {
    expect(() => sealProof(files, work, kept(other))).toThrow(Bug);
  });

  test("becomes a proof with its verdict and the grade that came of it", () => {
    sealProof(files, work, kept(mine));
    expect(JSON.parse(files.read("proofs/F1-i1.json") ?? "")).toEqual({
      candidate: mine,
      grade: "weak",
      verdict: { tree: mine, reply: { pass: true } },
    });
  });
});
