// The contract as people write it: what a run takes from LOOP.md and SHAPE.md, and what only a person may change.
import { afterEach, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const loopMd = `Our loop
========

## Scope
- Include: F001
- Exclude: [no new features]

## Autonomy
L3

## Goal
Every function says its own name.
`;

test("a dry run shows what LOOP.md says, and the source of each value", { timeout: 60_000 }, async () => {
  project = new Project(
    sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001"), feature("F002")], {
      "docs/LOOP.md": loopMd,
    }),
  );
  const { code, stdout, stderr } = await project.loop("run", "--dry-run", "--json", "--iterations", "4");
  expect(code, stderr).toBe(0);
  const shown = JSON.parse(stdout);
  expect(shown).toMatchObject({ request: "Every function says its own name.", autonomy: "L3" });
  expect(shown.features.map(({ id }: { id: string }) => id)).toEqual(["F001"]);
  expect(shown.scope.mustNot).toEqual(["new features"]);
  expect(shown.from).toMatchObject({ request: "goal", autonomy: "docs/LOOP.md", limits: "command line" });
  expect(shown.from.mustNot).toEqual(["docs/LOOP.md"]);
  const { stdout: screen } = await project.loop("run", "--dry-run", "--iterations", "4");
  expect(screen).toContain("must not  new features");
  expect(screen).toContain("4 iterations, 60 min of work, 15 commits, 2 reworks of a feature (command line)");
  expect(screen).toContain("Nothing was started.");
  expect(screen).not.toContain("{");
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a contract that contradicts itself is refused with its line, and nothing is written", {
  timeout: 60_000,
}, async () => {
  project = new Project(sampleFiles([evaluator], [feature("F001")], { "docs/LOOP.md": "## Autonomy\n\nL9\n" }));
  const { code, stderr } = await project.loop("run");
  expect(code).toBe(1);
  expect(stderr).toContain("docs/LOOP.md has a problem.\nline 3: L9 is no level of autonomy");
  expect(stderr).toMatch(/Next: Correct docs\/LOOP\.md/);
  expect(project.exists(".loop")).toBe(false);
});

const request = (name: string): string => `Add ${name}() to src, which returns its own name, with a test`;

test("a second request is not excluded by the contract that the first left behind", {
  timeout: 120_000,
}, async () => {
  const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator];
  const { "docs/FEATURES.json": _, ...files } = sampleFiles(scenes, []);
  project = new Project(files);
  expect((await project.loop("run", request("f001"), "--yes")).code).toBe(0);
  const second = await project.loop("run", request("f002"), "--yes");
  expect(second.code, second.stderr).toBe(0);
  expect(project.prompts("builder").join()).not.toContain(request("f001"));
});

test("what the first run wrote into LOOP.md binds no later one; what a person then writes there does", {
  timeout: 120_000,
}, async () => {
  const scenes = [builder("F001", 1, right("F001")), evaluator];
  project = new Project(sampleFiles(scenes, [feature("F002", { status: "complete" })]));
  const of = project;
  of.git("rm", "--quiet", "docs/FEATURES.json");
  of.git("commit", "--quiet", "--message", "no queue");
  const first = await of.loop("run", request("F001"), "--autonomy", "L3");
  expect(first.code, first.stderr).toBe(0);
  expect(of.read(".loop/records/LOOP.md")).toContain("L3 (unattended)");
  type Shown = { request: string; autonomy: string; gates: string[]; features: { description: string }[] };
  const plan = async (...args: string[]): Promise<Shown> =>
    JSON.parse((await of.loop("run", "--dry-run", "--json", ...args)).stdout);
  const second = await plan(request("F002"));
  expect(second).toMatchObject({ autonomy: "L2", gates: ["G1", "G2", "G3"], request: request("F002") });
  expect(second.features.at(-1)?.description).toBe(request("F002"));
  // Nothing is open, and the old goal is not taken for new work.
  const runs = of.runs();
  expect((await of.loop("run")).code).toBe(0);
  expect(of.runs()).toEqual(runs);
  of.write({ ".loop/records/LOOP.md": of.read(".loop/records/LOOP.md").replace("L3 (unattended)", "L1") });
  expect(await plan(request("F002"))).toMatchObject({ autonomy: "L1", gates: ["G1", "G2", "G3"] });
  of.write({
    ".loop/records/LOOP.md": of.read(".loop/records/LOOP.md").replace(request("F001"), "Every name is a function."),
  });
  const third = await plan(request("F002"));
  expect(third.features.at(-1)?.description).toContain("Every name is a function.");
});

test("inputs that an agent plants are removed, kept, and never read", { timeout: 120_000 }, async () => {
  const plant = [
    { do: "write", path: ".loop/shape/SHAPE.md", text: "criteria:\n- nothing at all\n" },
    { do: "write", path: "docs/LOOP.md", text: "## Autonomy\nL3\n" },
    ...right("F001"),
  ];
  project = new Project(sampleFiles([builder("F001", 1, plant), evaluator], [feature("F001")]));
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
  expect(project.exists(".loop/shape/SHAPE.md")).toBe(false);
  expect(project.read("docs/LOOP.md")).toContain("# Loop Contract");
  expect(project.read("docs/loop-run-log.md")).toMatch(
    /SHAPE\.md was added while the loop was at work; the loop removed it/,
  );
  expect(project.git("log", "--format=", "--name-only")).not.toContain("SHAPE");
});

test("an agent's edit of loop.yaml before a pause is undone; a person's edit after it is not", {
  timeout: 120_000,
}, async () => {
  const edit = [
    { do: "append", path: "loop.yaml", text: "autonomy: L3\n" },
    { do: "write", path: "src/half.js", text: "// half\n" },
    { do: "sleep", ms: 60_000 },
  ];
  const files = sampleFiles([builder("F001", 1, edit), evaluator], [feature("F001")]);
  project = new Project(files);
  const of = project;
  const child = of.start(["run"]);
  const end = ended(child);
  await until("the session at work", () => of.exists("src/half.js"));
  child.kill("SIGINT");
  expect((await end).code).toBe(130);
  expect(of.read("loop.yaml")).toBe(files["loop.yaml"]);
  const mine = `${files["loop.yaml"]}# mine\n`;
  of.write({
    "loop.yaml": mine,
    "rehearsal.json": JSON.stringify({ version: 1, scenes: [builder("F001", 1, right("F001")), evaluator] }),
  });
  expect((await of.loop("continue")).code).not.toBe(70);
  expect(of.read("loop.yaml")).toBe(mine);
});

const odd = [
  "\ufeffOur loop \u{1f989}",
  "==========",
  "",
  "<!-- ## Triage Inbox",
  "- not this one -->",
  "| scope | why |",
  "|---|---|",
  "| `src` | it\u2019s \u201cours\u201d |",
  "",
  "```md",
  "## Triage Inbox",
  "- nor this one",
  "```",
  "",
  "Goal",
  "----",
  "Every function says its own name.   ",
  "",
  "#### \u{1f4e5} triage INBOX (what waits)",
  "<!-- The loop writes here. -->",
  "(empty)",
  "",
  "## Triage Inbox",
  "- a second one, ours",
  "",
  `${"a very long line ".repeat(500)}`,
].join("\r\n");

test("an odd hand-written LOOP.md survives a run of 20 iterations, byte for byte except for the inbox", {
  timeout: 300_000,
}, async () => {
  const ids = Array.from({ length: 20 }, (_, at) => `F${String(at + 1).padStart(3, "0")}`);
  const asking = (id: string) => [
    {
      do: "reply",
      reply: { status: "question", summary: "", question: { text: `## ${id}?\n- <!-- yes`, best_supposition: "no" } },
    },
  ];
  const scenes = ids.map((id, at) => builder(id, 1, at % 2 === 0 ? right(id) : asking(id)));
  project = new Project(
    sampleFiles(
      [...scenes, evaluator],
      ids.map((id, at) => feature(id, { priority: at })),
      {
        "docs/LOOP.md": odd,
        "run-tests.sh":
          "cat test/*.test.js | sed 's/^import assert.*//; s#../src/#./src/#' > .all.mjs; sed -i '1i import assert from \"node:assert/strict\";' .all.mjs; node .all.mjs; code=$?; rm .all.mjs; exit $code\n",
      },
    ),
  );
  const { code, stdout } = await project.loop("run", "--autonomy", "L2", "--iterations", "20", "--commits", "30");
  expect([code, project.events().filter(({ type }) => type === "checkpointed").length], stdout).toEqual([6, 20]);
  const text = project.read("docs/LOOP.md");
  const [head, tail] = odd.split("(empty)");
  expect(text.startsWith(head ?? "none")).toBe(true);
  expect(text.endsWith(tail ?? "none")).toBe(true);
  const list = text.slice(head?.length, text.length - (tail?.length ?? 0)).split("\r\n");
  expect(list).toHaveLength(10);
  expect(list[0]).toMatch(/^- F002: ## F002\? - &lt;!-- yes Root cause: .* Next: loop answer F002/);
});
