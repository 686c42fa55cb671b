// What can be known of a change without running anything: secrets, dependencies, must-nots, scope, size; and the counts.
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { Counts } from "../../src/formats/test-report/index.ts";
import { linesOfDiff } from "../../src/runtime/proof/added-lines.ts";
import { countCauses, progress } from "../../src/runtime/proof/counting.ts";
import { dependenciesIn } from "../../src/runtime/proof/dependencies.ts";
import { lookUp } from "../../src/runtime/proof/found-again.ts";
import { hollowCauses } from "../../src/runtime/proof/hollow.ts";
import { mustNotCauses, untestable } from "../../src/runtime/proof/must-not.ts";
import type { Judged } from "../../src/runtime/proof/run-checks.ts";
import { scopeCauses } from "../../src/runtime/proof/scope.ts";
import { sealRule } from "../../src/runtime/proof/seal.ts";
import { findSecrets, secretCauses } from "../../src/runtime/proof/secrets.ts";
import { sizeCauses } from "../../src/runtime/proof/size.ts";
import { contractOf, feature } from "../../src/testing/world/contracts.ts";
import type { Change } from "../../src/workspace/workspace.ts";
import { check, scope, tree, workspace } from "./trees.ts";

const rule = sealRule({ checks: [check()], scope: scope() });

describe("secrets", () => {
  // Put together here, so that no tool which looks for secrets stops at this file.
  const drawn = "q7Zr2Lw9Xk4Vb8Nc3Ty6Hd1Jf5Gs0Pm8Qe2Rt4Yu6Wz9";
  const secrets: [string, string][] = [
    ["AWS access key", `key = "AKIA${"Q3EGNZX7LTB2WV5K"}"`],
    ["AWS secret key", `aws_secret_access_key = ${drawn.slice(0, 40)}`],
    ["GitHub token", `TOKEN=ghp_${drawn.slice(0, 36)}`],
    ["GitHub token", `github_pat_${drawn}_${drawn}`],
    ["GitLab token", `glpat-${drawn.slice(0, 20)}`],
    ["Slack token", `xoxb-${"172839405617"}-${drawn.slice(0, 24)}`],
    ["Anthropic key", `sk-ant-api03-${drawn}`],
    ["OpenAI key", `sk-proj-${drawn}`],
    ["Google API key", `AIza${drawn.slice(0, 35)}`],
    ["Stripe key", `sk_live_${drawn.slice(0, 24)}`],
    ["npm token", `//registry/:_authToken=npm_${drawn.slice(0, 36)}`],
    ["private key", "-----BEGIN RSA PRIVATE KEY-----"],
    ["private key", "-----BEGIN OPENSSH PRIVATE KEY-----"],
    ["JSON web token", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5OTg4In0.${drawn}`],
    ["password in an address", `postgres://app:${drawn.slice(0, 16)}@db.internal.net/x`],
    ["secret in an assignment", `const apiKey = "${drawn.slice(0, 32)}";`],
  ];
  test.each(secrets)("%s is found, and never repeated", (kind, text) => {
    const found = findSecrets([{ path: "src/a.js", line: 7, text }], rule);
    expect(found).toEqual([{ path: "src/a.js", line: 7, kind }]);
    const [cause] = secretCauses(found);
    expect(cause?.text).toContain(`${kind} in src/a.js:7`);
    expect(JSON.stringify(cause)).not.toContain(drawn.slice(0, 12));
  });

  test.each([
    "const key = process.env.API_KEY;",
    'aws_access_key_id = "AKIAIOSFODNN7EXAMPLE"',
    'token = "your-token-goes-here-please"',
    'const password = "correct-horse-battery-staple";',
    'secretName: "projects/my-project/secrets/database-password"',
    'const tokenUrl = "https://example.com/oauth/v2/token";',
    'token: "{{ secrets.GITHUB_TOKEN }}"',
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    '"integrity": "sha512-q7Zr2Lw9Xk4Vb8Nc3Ty6Hd1Jf5Gs0Pm8Qe2Rt4Yu6Wz9=="',
    "postgres://postgres:postgres@localhost:5432/test",
    'export type TokenKind = "identifier_or_keyword_token";',
  ])("%s is none", (text) => {
    expect(findSecrets([{ path: "src/a.js", line: 1, text }], rule)).toEqual([]);
  });

  test("a test may hold a key of its own, and not somebody's token", () => {
    const in_ = (text: string) => findSecrets([{ path: "test/a.test.js", line: 1, text }], rule).length;
    expect([in_("-----BEGIN PRIVATE KEY-----"), in_(`ghp_${drawn.slice(0, 36)}`)]).toEqual([0, 1]);
  });

  test("any text is read to its end", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (text) => void findSecrets([{ path: "a", line: 1, text }], rule)),
    );
    findSecrets([{ path: "a", line: 1, text: "aws secret key ".repeat(100_000) }], rule);
  });
});

describe("added lines", () => {
  test("are read by what hunks state, so that content cannot pass for a heading", () => {
    const diff = [
      "diff --git a/x.js b/x.js",
      "--- a/x.js",
      "+++ b/x.js",
      "@@ -1,2 +1,4 @@",
      " one",
      "+++ b/other.js",
      "+two",
      " three",
      "\\ No newline at end of file",
      'diff --git "a/\\303\\244.js" "b/\\303\\244.js"',
      "--- /dev/null",
      '+++ "b/\\303\\244.js"',
      "@@ -0,0 +1 @@",
      "+new",
    ].join("\n");
    expect(linesOfDiff(diff)).toEqual([
      { path: "x.js", line: 2, text: "++ b/other.js" },
      { path: "x.js", line: 3, text: "two" },
      { path: "ä.js", line: 1, text: "new" },
    ]);
  });
});

describe("dependencies", () => {
  test.each([
    ["package.json", '{"dependencies":{"a":"1"},"devDependencies":{"b":"1"}}', ["a", "b"]],
    ["requirements-dev.txt", "# x\nflask==2\nPyYAML>=5 ; python_version>'3'\n-r other.txt\n", ["flask", "PyYAML"]],
    [
      "pyproject.toml",
      '[project]\nname = "x"\ndependencies = ["flask>=2", "rich"]\n[tool.poetry.dependencies]\nhttpx = "^1"\n',
      ["httpx", "flask", "rich"],
    ],
    [
      "go.mod",
      "module x\nrequire (\n\tgithub.com/a/b v1.0.0\n)\nrequire golang.org/x/net v0.1.0\n",
      ["github.com/a/b", "golang.org/x/net"],
    ],
    [
      "Cargo.toml",
      '[package]\nname = "x"\n[dependencies]\nserde = "1"\n[dev-dependencies]\nrand.workspace = true\n[dependencies.tokio]\nversion = "1"\n',
      ["serde", "rand", "tokio"],
    ],
    ["Gemfile", 'source "x"\ngem "rails", "~> 7"\n', ["rails"]],
    ["App.csproj", '<PackageReference Include="Serilog" Version="1" />', ["Serilog"]],
    ["pom.xml", "<dependency>\n<groupId>a.b</groupId>\n<artifactId>c</artifactId>", ["a.b:c"]],
    ["build.gradle", 'dependencies {\n  implementation "a.b:c:1"\n  testImplementation("d:e:2")\n}', ["a.b:c", "d:e"]],
    ["composer.json", '{"require":{"a/b":"1"}}', ["a/b"]],
  ])("%s names them", (path, text, names) => {
    expect(dependenciesIn(path, text)).toEqual(names);
  });
});

describe("must-nots", () => {
  const changes: Change[] = [
    { path: "src/legacy/a.js", kind: "modified", binary: false, lines: 1 },
    { path: "src/new.js", kind: "added", binary: false, lines: 1 },
    { path: "logo.png", kind: "added", binary: true, lines: 0 },
    { path: "old.js", kind: "deleted", binary: false, lines: 1 },
    { path: "package.json", kind: "modified", binary: false, lines: 1 },
  ];
  const facts = {
    changes,
    lines: [{ path: "src/new.js", line: 3, text: "console.log(1); // TODO eval(x)" }],
    dependencies: [{ path: "package.json", name: "left-pad" }],
  };
  test.each([
    ["no new dependency", "left-pad in package.json"],
    ["No new dependencies.", "left-pad"],
    ["must not add any new npm packages", "left-pad"],
    ["a dependency is added", "left-pad"],
    ["no new files", "src/new.js, logo.png"],
    ["no deletions", "old.js"],
    ["do not delete files", "old.js"],
    ["no binary files", "logo.png"],
    ["no changes to package.json", "package.json"],
    ["do not touch src/legacy", "src/legacy/a.js"],
    ["never change anything under src/legacy/", "src/legacy/a.js"],
    ["don't edit `src/**/*.js`", "src/legacy/a.js, src/new.js"],
    ["modify docs/, package.json and old.js", "package.json"],
    ["touch the src/legacy folder", "src/legacy/a.js"],
    ["no console.log", "src/new.js:3"],
    ["no TODO comments", "src/new.js:3"],
    ["do not use `eval`", "src/new.js:3"],
  ])("%s: a rule sees it", (text, told) => {
    const [cause] = mustNotCauses([text], facts);
    expect(cause?.kind).toBe("must-not");
    expect(cause?.text).toContain(told);
    expect(mustNotCauses([text], { changes: [], lines: [], dependencies: [] })).toEqual([]);
    expect(untestable([text])).toEqual([]);
  });

  test.each([
    "break the public API",
    "no change in behaviour",
    "slow down the start",
    "do not change the tests",
    "no breaking changes",
    "leak personal data",
    "use a library in the wrong way",
  ])("%s: no rule can see it, so it is left to the evaluator", (text) => {
    expect(untestable([text])).toEqual([text]);
    expect(mustNotCauses([text], facts)).toEqual([]);
  });
});

describe("scope and size", () => {
  const changed = (path: string, kind: Change["kind"] = "modified", more: Partial<Change> = {}): Change => ({
    path,
    kind,
    binary: false,
    lines: 1,
    ...more,
  });
  const touched = (changes: Change[], mayTouch: string[] = [], welcome: string[] = []) => ({
    contract: contractOf([], { scope: { ...scope(), mayTouch } }),
    feature: feature("F001"),
    changes,
    rule,
    seal: { welcome },
  });

  test.each([
    { what: "another path", change: changed("lib/a.js"), isOut: true },
    { what: "its own path", change: changed("src/a.js"), isOut: false },
    { what: "a new test", change: changed("test/new.test.js", "added"), isOut: false },
    { what: "a test that was there", change: changed("test/old.test.js"), isOut: true },
    { what: "a lockfile alone", change: changed("package-lock.json"), isOut: true },
  ])("where only src/** may be touched: $what", ({ change, isOut }) => {
    expect(scopeCauses(touched([change], ["src/**"])).length).toBe(isOut ? 1 : 0);
  });

  test("a test that was only added to is in scope", () => {
    expect(scopeCauses(touched([changed("test/old.test.js")], ["src/**"], ["test/old.test.js"]))).toEqual([]);
  });

  test.each([
    ".claude/settings.json",
    "CLAUDE.md",
    "pkg/AGENTS.md",
    ".cursorrules",
    ".cursor/rules/a.mdc",
    ".github/copilot-instructions.md",
    ".vscode/tasks.json",
    ".husky/pre-commit",
    ".mcp.json",
    "loop.yaml",
    ".envrc",
  ])("%s steers, so that it has to be named", (path) => {
    expect(scopeCauses(touched([changed(path, "added")]))[0]?.text).toContain(path);
    expect(scopeCauses(touched([changed(path, "added")], ["**"]))[0]?.text).toContain(path);
    expect(scopeCauses(touched([changed(path, "added")], ["src/**", path]))).toEqual([]);
  });

  const candidate = tree({ "a.bin": "MZ\0", "b.bin": "\0".repeat(2 << 20), "c.png": "\0png" });
  const binary = (path: string) => changed(path, "added", { binary: true, lines: 0 });
  test("a change that is too large, a program, and a large blob are for a person to look at", async () => {
    const of = (...changes: Change[]) => sizeCauses(workspace, candidate, touched(changes));
    expect((await of(changed("a.js", "added", { lines: 6000 })))[0]?.text).toContain("6000 lines in 1 files");
    expect(await of(changed("package-lock.json", "modified", { lines: 60_000 }))).toEqual([]);
    expect(await of(...Array.from({ length: 201 }, (_, at) => changed(`f${at}`)))).toHaveLength(1);
    expect((await of(binary("a.bin"), binary("b.bin"), binary("c.png")))[0]?.text).toMatch(
      /a\.bin \(a program\), b\.bin \(2\.0 MB\)\n/,
    );
    expect(
      await sizeCauses(workspace, candidate, touched([changed("gen/a.js", "added", { lines: 6000 })], ["gen/**"])),
    ).toEqual([]);
  });
});

describe("counts", () => {
  const counts = (passed: number, skipped = 0, failed = 0, names: Counts["names"] = null): Counts => ({
    passed,
    skipped,
    failed,
    total: passed + skipped + failed,
    names,
  });
  const judged = (now: Counts | null): Judged => ({
    spec: check(),
    how: "green",
    counts: now,
    result: { name: "test", how: "passed", exitCode: 0, ms: 1, tail: "", signature: "", leftBehind: 0 },
  });
  const causes = (before: Counts | null, now: Counts | null, released = false) =>
    countCauses([judged(now)], { before: { test: { green: true, counts: before } }, released });

  test.each([
    { what: "fewer tests", now: counts(2), key: "counts:test:fewer", says: "3 tests → 2 tests" },
    { what: "more skipped", now: counts(2, 1), key: "counts:test:skipped", says: "3 tests → 3 tests, 1 skipped" },
    { what: "none", now: counts(0), key: "counts:test:none", says: "no tests at all" },
    { what: "no report", now: null, key: "counts:test:none", says: "no report" },
    { what: "failures and exit code 0", now: counts(3, 0, 1), key: "counts:test:failed", says: "4 tests, 1 failed" },
  ])("$what is not green, whatever the exit code", ({ now, key, says }) => {
    const [cause] = causes(counts(3), now);
    expect(cause).toMatchObject({ kind: "tampering", key });
    expect(cause?.text).toContain(says);
  });

  test("as many tests or more are fine; so is a runner that could never be counted", () => {
    expect([
      ...causes(counts(3), counts(3)),
      ...causes(counts(3, 1), counts(9, 1)),
      ...causes(null, null),
      ...causes(counts(0), null),
    ]).toEqual([]);
  });

  test.each([
    { what: "a test that is new", now: { a: "passed", b: "passed", c: "skipped" }, is: 0 },
    { what: "a test that used to pass", now: { a: "passed", b: "skipped", c: "passed" }, is: 1 },
    {
      what: "a test that used to pass, by another name",
      now: { a: "passed", "b later": "skipped", c: "passed" },
      is: 1,
    },
    { what: "a test without a name", now: null, is: 1 },
  ] as const)("$what that is skipped: refused $is times", ({ now, is }) => {
    expect(causes(counts(2, 0, 0, { a: "passed", b: "passed" }), counts(2, 1, 0, now))).toHaveLength(is);
  });

  test.each([
    { what: "one report more", reports: 2, options: {}, is: 1 },
    { what: "as many reports", reports: 1, options: {}, is: 0 },
    { what: "one report more, with a manifest that came in", reports: 2, options: { manifests: true }, is: 0 },
    { what: "a runner that gives no such number", reports: undefined, options: {}, is: 0 },
  ])("$what: forged $is", ({ reports, options, is }) => {
    const now = judged({ ...counts(9), ...(reports === undefined ? {} : { reports }) });
    const before = { test: { green: true, counts: { ...counts(3), reports: 1 } } };
    const found = countCauses([now], { before, released: false, ...options });
    expect(found.map(({ key }) => key)).toEqual(is === 1 ? ["counts:test:forged"] : []);
  });

  test("where tests may change there may be fewer, and never none", () => {
    expect(causes(counts(3), counts(2), true)).toEqual([]);
    expect(causes(counts(3), counts(0), true)).toHaveLength(1);
  });

  test.each([
    {
      what: "a file with tests in it that is counted as one",
      before: { adds: "passed" },
      now: "/tmp/x/test/a.test.js",
      is: 1,
    },
    {
      what: "a file that failed to load before",
      before: { "/y/test/a.test.js": "failed" },
      now: "/tmp/x/test/a.test.js",
      is: 1,
    },
    {
      what: "a file that was counted so before",
      before: { "/y/test/a.test.js": "passed" },
      now: "/tmp/x/test/a.test.js",
      is: 0,
    },
    { what: "a file without tests of its own", before: { adds: "passed" }, now: "/tmp/x/test/plain.test.js", is: 0 },
    { what: "a test of another name", before: { adds: "passed" }, now: "adds numbers", is: 0 },
  ] as const)("$what: hollow $is", async ({ before, now, is }) => {
    const candidate = tree({ "test/a.test.js": 'test("adds", () => {});', "test/plain.test.js": "assert(true);" });
    const record = { test: { green: true, counts: counts(1, 0, 0, before) } };
    const found = await hollowCauses(workspace, candidate, [judged(counts(1, 0, 0, { [now]: "passed" }))], record);
    expect(found).toHaveLength(is);
  });

  test("a check that has yet to turn green is nearer with one more test passed, and worse with one that fails anew", () => {
    const before = counts(1, 0, 2, { a: "passed", b: "failed", c: "failed" });
    expect(progress(before, counts(2, 0, 1, { a: "passed", b: "passed", c: "failed" }))).toBe("nearer");
    expect(progress(before, counts(2, 0, 1, { a: "failed", b: "passed", c: "passed" }))).toBe("worse");
    expect(progress(before, before)).toBe("same");
    expect(progress(null, before)).toBe("unknown");
  });
});

describe("evidence", () => {
  const candidate = tree({ "src/a.js": "one\ntwo\n", "test/a.test.js": "x" });
  const lookup = {
    workspace,
    candidate,
    base: tree({ "gone.js": "x" }),
    checks: [check({ run: "npm  test" }), check({ name: "later", run: "make e2e", must: "turn-green" })],
    seen: [
      { name: "test", command: "npm test", on: "candidate" as const, how: "green", exitCode: 0, output: "" },
      { name: "later", command: "make e2e", on: "candidate" as const, how: "failed", exitCode: 1, output: "" },
    ],
  };
  test.each([
    [{ file: "src/a.js", line: 2 }, "found"],
    [{ file: "./src/a.js", line: null }, "found"],
    [{ file: "src/a.js:2", line: null }, "found"],
    [{ file: "/vault/scratch/verify/src/a.js", line: 1 }, "found"],
    [{ file: "gone.js", line: 1 }, "found"],
    [{ file: "src/a.js", line: 99 }, "false"],
    [{ file: "src/b.js", line: 1 }, "false"],
    [{ file: "/etc/passwd", line: 1 }, "unverified"],
    [{ file: "dist/a.js", line: 1 }, "unverified"],
    [{ command: "npm test" }, "found"],
    [{ command: "test" }, "found"],
    [{ command: "make e2e" }, "false"],
    [{ command: "rm -rf /" }, "unverified"],
    [{ note: "trust me" }, "unverified"],
  ])("%j is %s", async (evidence, is) => {
    expect((await lookUp(evidence, lookup)).is).toBe(is);
  });
});
