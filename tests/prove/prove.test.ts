// loop prove runs a past proof again from its commit, and reports a match only if it matches.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ended, type Files, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

/** Green, unless a variable that reaches the clean checkout says otherwise: red or one test fewer on the same tree. */
const moody = `test "$MOOD" = bad && exit 1
n=0
body=""
for file in test/*.test.js; do
  node "$file" || exit 1
  n=$((n + 1))
  body="$body<testcase classname='$file' name='passes'/>"
  test "$MOOD" = lazy && break
done
echo "<testsuite tests='$n'>$body</testsuite>" > report.xml
`;

/** Adds to an existing test, which is protected; run A uses the old version of it. */
const addsToATest = [
  { do: "append", path: "test/old.test.js", text: "assert.notEqual(old(), 2);\n" },
  ...right("F002"),
];

const settings = `version: 1
agents: { maker: { kind: rehearsal, script: rehearsal.json } }
checks: [{ name: test, run: sh run-tests.sh, timeout_s: 60, report: report.xml }]
room: { env: [MOOD] }
`;

const files = (extra: Files = {}): Files =>
  sampleFiles(
    [builder("F001", 1, right("F001")), builder("F002", 1, addsToATest), evaluator],
    [feature("F001"), feature("F002", { priority: 2 })],
    { "run-tests.sh": moody, "loop.yaml": settings, ...extra },
  );

let project: Project;
/** Each test runs the command line several times, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

beforeEach(async () => {
  project = new Project(files());
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
});
afterEach(() => project.remove());

type Answer = { matching: number; total: number; proofs: Proof[] };
type Proof = {
  commit: string;
  feature: string;
  result: string;
  differs: string[];
  notes: string[];
};

const prove = (...args: string[]): Promise<Answer & { code: number | null }> => proveWith({}, ...args);

async function proveWith(env: Record<string, string>, ...args: string[]): Promise<Answer & { code: number | null }> {
  const { code, stdout, stderr } = await ended(project.start(["prove", ...args, "--json"], env));
  if (stdout === "") throw new Error(stderr);
  return { code, ...(JSON.parse(stdout) as Answer) };
}

const commitOf = (id: string): string =>
  project.git("log", "--format=%H", `--grep=Loop-Feature: ${id}`, "--max-count=1");
const proofFile = (id: string): string => {
  const dir = join(project.runs().at(-1) ?? "", "proofs");
  return join(dir, fs.readdirSync(dir).find((name) => name.startsWith(id)) ?? "");
};

/** Every file in the workspace, its repository included. */
function everything(dir = project.root): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of fs.readdirSync(dir, { recursive: true, encoding: "utf8" })) {
    const path = join(dir, name);
    if (fs.lstatSync(path).isFile()) found[name] = createHash("sha1").update(fs.readFileSync(path)).digest("hex");
  }
  return found;
}

test("unchanged proofs match, run under the same conditions, and the workspace is not written to", async () => {
  const before = everything();
  const all = await prove();
  expect(all).toMatchObject({ code: 0, matching: 2, total: 2 });
  expect(all.proofs.map(({ result, differs, notes }) => ({ result, differs, notes }))).toEqual([
    { result: "match", differs: [], notes: [] },
    { result: "match", differs: [], notes: [] },
  ]);
  expect(everything()).toEqual(before);
  expect(fs.readdirSync(project.dir).filter((name) => name.startsWith("loop-prove-"))).toEqual([]);
  await until("nobody is left", () => project.strays().length === 0, 10_000);
});

test("takes a feature, a commit, a revision or --all; a commit without a proof is a usage error", async () => {
  const cases = [
    { args: ["F002"], features: ["F002"] },
    { args: [commitOf("F001")], features: ["F001"] },
    { args: [`${commitOf("F002")}~1`], features: ["F001"] },
    { args: ["--all"], features: ["F002", "F001"] },
  ];
  for (const { args, features } of cases) {
    const { code, proofs } = await prove(...args);
    expect({ code, features: proofs.map((proof) => proof.feature) }, args.join(" ")).toEqual({ code: 0, features });
  }
  for (const name of ["no-such-thing", "HEAD", "--output=x", "HEAD^{tree}"]) {
    const { code, stderr } = await project.loop("prove", "--", name);
    expect(code, stderr).toBe(64);
    expect(stderr).toContain("nothing to prove");
  }
});

test("a check with another result is a mismatch that says what differs", async () => {
  const { code, proofs } = await proveWith({ MOOD: "bad" }, "F001");
  expect(code).toBe(1);
  expect(proofs[0]).toMatchObject({ result: "mismatch", feature: "F001" });
  expect(proofs[0]?.differs[0]).toMatch(/^grade: strong, now weak\. /);
  expect(proofs[0]?.differs.join("\n")).toMatch(/^A test: was green .*, now red /m);
});

test("a check with the same result on fewer tests is a mismatch", async () => {
  const { code, proofs } = await proveWith({ MOOD: "lazy" }, "F001");
  expect(code).toBe(1);
  expect(proofs[0]).toMatchObject({ result: "mismatch", feature: "F001" });
  expect(proofs[0]?.differs.join("\n")).toContain("old.test.js");
});

test("an edited proof is reported as altered, and its checks are not run", async () => {
  const path = proofFile("F001");
  const text = fs.readFileSync(path, "utf8");
  fs.writeFileSync(path, text.replace(/"grade": "\w+"/, '"grade": "golden"'));
  expect(fs.readFileSync(path, "utf8")).not.toBe(text);
  expect(await prove("F001")).toMatchObject({ code: 1, proofs: [{ result: "altered", notes: [] }] });
});

test("a proof from an earlier version is reported as old, not as a match", async () => {
  const path = proofFile("F001");
  const text = fs.readFileSync(path, "utf8").replace(/"version": 2/, '"version": 1');
  fs.writeFileSync(path, text);
  const was = commitOf("F001");
  const message = project.git("log", "--format=%B", "--max-count=1", was);
  const proof = createHash("sha256").update(text).digest("hex");
  expect(message).toMatch(/^Loop-Proof: .*[0-9a-f]{64}$/m);
  const trailer = message.replace(/^(Loop-Proof: .*?)[0-9a-f]{64}$/m, `$1${proof}`);
  const commit = project.git("commit-tree", `${was}^{tree}`, "-p", `${was}~1`, "-m", trailer);
  const { code, proofs } = await prove(commit);
  expect(code).toBe(1);
  expect(proofs).toMatchObject([{ result: "old", feature: "F001", grade: "?" }]);
  expect(proofs[0]?.differs).toEqual(["An earlier version of Loopwright proved it in another way."]);
});

test("a commit with a proof's trailers but another tree is a mismatch", async () => {
  project.git("checkout", "--quiet", commitOf("F002"));
  project.write({ "src/old.js": "export const old = () => 1; // and more\n" });
  project.git("commit", "--quiet", "--all", "--amend", "--no-edit");
  const { code, proofs } = await prove("HEAD");
  expect(code).toBe(1);
  expect(proofs[0]).toMatchObject({ result: "mismatch", feature: "F002" });
  expect(proofs[0]?.differs[0]).toContain("another tree");
});

test("without the vault the mirror is used; without both, the proof is missing", async () => {
  fs.rmSync(join(project.home, "state"), { recursive: true });
  const mirrored = await prove();
  expect(mirrored).toMatchObject({ code: 0, matching: 2, total: 2 });
  expect(mirrored.proofs[0]?.notes).toEqual(["The code as it was before is taken from the parent commit."]);
  expect(fs.existsSync(join(project.home, "state"))).toBe(false);
  fs.rmSync(join(project.root, ".loop"), { recursive: true });
  expect(await prove("F001")).toMatchObject({ code: 1, proofs: [{ result: "missing" }] });
});

test("does not disturb an active run, and needs no lock", async () => {
  const slow = { ...builder("F003", 1, right("F003")), act: "slow", pace_ms: 1500 };
  const queue = JSON.parse(project.read("docs/FEATURES.json")) as { features: object[] };
  project.write({
    "docs/FEATURES.json": `${JSON.stringify({ ...queue, features: [...queue.features, feature("F003")] }, null, 2)}\n`,
    "rehearsal.json": JSON.stringify({ version: 1, scenes: [slow, evaluator] }),
  });
  project.git("commit", "--quiet", "--all", "--message", "more to do");
  const going = ended(project.start(["run"]));
  await until("the agent is at work", () => project.events().some(({ type }) => type === "session-reserved"));
  const answer = await prove("--all");
  expect(answer).toMatchObject({ code: 0, matching: 2, total: 2 });
  const { code, stderr } = await going;
  expect(code, stderr).toBe(0);
  expect(await prove("F003")).toMatchObject({ code: 0 });
});

test("an interrupt leaves no process and no folder behind", async () => {
  const child = project.start(["prove", "F001"]);
  const over = ended(child);
  await until("a check runs", () => project.strays().length > 2);
  child.kill("SIGINT");
  expect((await over).code).toBe(130);
  await until("nobody is left", () => project.strays().length === 0, 10_000);
  expect(fs.readdirSync(project.dir).filter((name) => name.startsWith("loop-prove-"))).toEqual([]);
});

test("a folder without git is proved again from the vault", async () => {
  project.remove();
  project = new Project(files(), { git: false });
  const { code, stderr } = await project.loop("run", "--no-git");
  expect(code, stderr).toBe(0);
  expect(await prove()).toMatchObject({ code: 0, matching: 2, total: 2 });
  expect(await prove("F001", "--all")).toMatchObject({ code: 0, total: 1 });
});
