import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultProofTerms } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import type { LoopYaml } from "../../formats/config/loop-yaml.ts";
import { type PlannedRun, planRun } from "../plan/plan-run.ts";

let dir = "";
const before = { ...process.env };
beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-inputs-")));
  process.env["XDG_CONFIG_HOME"] = join(dir, "config");
  process.env["XDG_STATE_HOME"] = join(dir, "state");
});
afterEach(() => {
  process.env = { ...before };
  fs.rmSync(dir, { recursive: true, force: true });
});

/** Clear enough to begin. */
const clear = "Add an about page in src/pages/about.js, with a test";
const yaml = "agents: { maker: rehearsal }\nchecks: [{ name: test, run: make test }]\n";
const entry = (id: string, status = "not-started") => ({
  id,
  name: id,
  status,
  acceptance_criteria: [`${id} is there`],
});
const queue = (...features: object[]) => JSON.stringify({ version: 1, features });

type Given = { files?: Record<string, string>; request?: string | null; flags?: LoopYaml; user?: string };

function plan({ files = {}, request = null, flags = {}, user }: Given): PlannedRun {
  const root = join(dir, "project");
  const all = { "loop.yaml": yaml, ...files };
  for (const [path, text] of Object.entries(all)) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), text);
  }
  if (user !== undefined) {
    fs.mkdirSync(join(dir, "config/loopwright"), { recursive: true });
    fs.writeFileSync(join(dir, "config/loopwright/loop.yaml"), user);
  }
  return planRun({ root, request, flags, highestUsed: 0 });
}

function refused(given: Given): UserError {
  try {
    plan(given);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

const features = { "docs/FEATURES.json": queue(entry("F001"), entry("F002"), entry("F003"), entry("B001")) };

test("each open feature of a queue is classified by its own words, and a request by its own alone", () => {
  const told = [
    { ...entry("F001"), name: "Fix the failing parser" },
    { ...entry("F002"), name: "Migrate the users table", description: "Drop the column email from production." },
    entry("F003", "complete"),
  ];
  const files = { "docs/FEATURES.json": queue(...told) };
  expect(plan({ files }).contract.notes).toEqual([
    { feature: "F001", workflow: "debug", reversibility: expect.stringMatching(/^2/) },
    { feature: "F002", workflow: "refactor", reversibility: "1" },
  ]);
  expect(plan({ request: clear }).contract).not.toHaveProperty("notes");
});

describe("how work is proved", () => {
  test("every key of loop.yaml reaches the contract", () => {
    const { contract } = plan({
      files: {
        ...features,
        "loop.yaml": [
          "agents: { maker: rehearsal }",
          "checks: [{ name: test, run: make test, before: make up, after: make down }]",
          "product: [src/**]",
          "setup: { run: npm ci, env: [NPM_TOKEN], home: [.npmrc] }",
          "build: ''",
          "room: { files: [.env.test], env: [DATABASE_URL], home: [.config/tool], outside: [../shared] }",
          "proof: { depth: quick, strength: 0.8 }",
          "allow: never",
          "limits: { check_minutes: 90 }",
        ].join("\n"),
      },
    });
    expect(contract.proof).toEqual({
      depth: "quick",
      strength: 0.8,
      allow: "never",
      product: ["src/**"],
      setup: { run: "npm ci", env: ["NPM_TOKEN"], home: [".npmrc"] },
      build: "",
      room: { files: [".env.test"], env: ["DATABASE_URL"], home: [".config/tool"], outside: ["../shared"] },
    });
    expect(contract.checks).toMatchObject([{ name: "test", before: "make up", after: "make down" }]);
    expect(contract.limits.checkMsMax).toBe(90 * 60_000);
  });

  test("without a key the defaults apply, and checks have no time limit", () => {
    const { contract } = plan({ files: features });
    expect(contract.proof).toEqual(defaultProofTerms);
    expect(contract.limits.checkMsMax).toBeNull();
  });

  test("a feature's own terms override the scope, which is their default", () => {
    const own = { kind: "keep", may_change: ["test/a.test.js > adds"], enough: "review" };
    const { contract } = plan({
      files: {
        "loop.yaml": `${yaml}scope: { may_change: ["test/old/**"] }\n`,
        "docs/FEATURES.json": queue({ ...entry("F001"), ...own }, entry("F002")),
      },
    });
    expect(contract.features).toMatchObject([
      { id: "F001", kind: "keep", mayChange: ["test/a.test.js > adds"], enough: "review" },
      { id: "F002", kind: "change", mayChange: ["test/old/**"], enough: "proof" },
    ]);
  });
});

describe("the goal of LOOP.md", () => {
  const goal = "## Goal\nEvery page in src/pages.js loads in at most 100 ms.\n";

  test.each([
    {
      name: "without a request, is the request",
      request: null,
      files: {},
      is: "Every page in src/pages.js loads in at most 100 ms.",
      asked: "goal",
    },
    { name: "never replaces a request", request: clear, files: {}, is: clear, asked: "request" },
    {
      name: "is the request for open features",
      request: null,
      files: features,
      is: "Every page in src/pages.js loads in at most 100 ms.",
      asked: "goal",
    },
  ])("$name", ({ request, files, is, asked }) => {
    const { contract, from } = plan({ request, files: { "docs/LOOP.md": goal, ...files } });
    expect(contract.request).toBe(is);
    expect(from.request).toBe(asked);
  });

  test("is context for a feature made from another request", () => {
    const { contract } = plan({ request: clear, files: { "docs/LOOP.md": goal } });
    expect(contract.features[0]?.description).toContain("Every page in src/pages.js loads in at most 100 ms.");
    expect(contract.features[0]?.criteria).toEqual([clear]);
  });

  test("begins nothing if all its features are complete", () => {
    const files = { "docs/LOOP.md": goal, "docs/FEATURES.json": queue(entry("F001", "complete")) };
    expect(refused({ files })).toMatchObject({ code: "nothing-to-do", exitCode: 64 });
  });

  const vague = "## Goal\nMake it better.\n";
  test("that cannot be judged is refused as a request is, and names the file", () => {
    expect(() => plan({ files: { "docs/LOOP.md": vague } })).toThrow(
      expect.objectContaining({ code: "too-vague", message: expect.stringContaining("The goal in docs/LOOP.md") }),
    );
  });

  test("that is still the template's example is none", () => {
    const template =
      '## Goal\n<!-- NOT "make it better". -->\ne.g. "All F-prefixed features are `complete`, and the\nevaluator returns PASS for each."\n';
    expect(() => plan({ files: { "docs/LOOP.md": template } })).toThrow(
      expect.objectContaining({ code: "nothing-to-do" }),
    );
    const { contract, from } = plan({ files: { ...features, "docs/LOOP.md": template } });
    expect([contract.request.includes("e.g."), from.request]).toEqual([false, "features"]);
  });

  test("that cannot be judged is no obstacle to features, which have criteria of their own", () => {
    expect(plan({ files: { ...features, "docs/LOOP.md": vague } }).contract.request).toBe("Make it better.");
  });
});

describe("the scope of LOOP.md", () => {
  test("begins nothing if all features in scope are complete, and others are open", () => {
    const files = {
      "docs/FEATURES.json": queue(entry("F001", "complete"), entry("F002")),
      "docs/LOOP.md": "## Scope\n- Include: [F001]\n",
    };
    expect(refused({ files })).toMatchObject({ code: "nothing-to-do", why: expect.stringContaining("in scope") });
  });

  test("that leaves out what a feature needs is named as the file to correct", () => {
    const needs = { ...entry("F002"), dependencies: ["F001"] };
    const files = {
      "docs/FEATURES.json": queue(entry("F001"), needs),
      "docs/LOOP.md": "## Scope\n- Include: [F002]\n",
    };
    expect(refused({ files })).toMatchObject({ next: "Correct docs/FEATURES.json, or the scope in docs/LOOP.md." });
  });

  test.each([
    { scope: "- Include: F001–F002", ids: ["F001", "F002"] },
    { scope: "- Include: all F\n- Exclude: F002", ids: ["F001", "F003"] },
    { scope: "- Exclude: B001, refactoring", ids: ["F001", "F002", "F003"] },
    { scope: "- Include: all", ids: ["F001", "F002", "F003", "B001"] },
  ])("$scope leaves $ids", ({ scope, ids }) => {
    const { contract } = plan({ files: { ...features, "docs/LOOP.md": `## Scope\n${scope}\n` } });
    expect(contract.features.map(({ id }) => id)).toEqual(ids);
  });

  test("without a level of autonomy means L1, unless a file or a flag names one", () => {
    expect(plan({ files: features }).contract.autonomy).toBe("L2");
    const files = { ...features, "docs/LOOP.md": "## Scope\n- Include: F001\n" };
    const { contract, from } = plan({ files });
    expect(contract).toMatchObject({ autonomy: "L1", gates: ["G1", "G2", "G3"] });
    expect(from.autonomy).toBe("docs/LOOP.md, which names no level");
    expect(plan({ files: { ...files, "loop.yaml": `${yaml}autonomy: L3\n` } }).contract.autonomy).toBe("L3");
  });

  test("is overridden by loop.yaml, and a notice says so", () => {
    const files = {
      ...features,
      "loop.yaml": `${yaml}scope: { features: { include: [B001] } }\n`,
      "docs/LOOP.md": "## Scope\n- Include: F001\n",
    };
    const { contract, from } = plan({ files });
    expect(contract.features.map(({ id }) => id)).toEqual(["B001"]);
    expect(from.include).toBe("loop.yaml");
  });

  test("does not exclude the feature made from a request", () => {
    const files = {
      "docs/FEATURES.json": queue(entry("F001", "complete")),
      "docs/LOOP.md": "## Scope\n- Include: F001\n",
    };
    const { contract, notices } = plan({ files, request: clear });
    expect(contract.features.map(({ id }) => id)).toContain("F002");
    expect(notices.join()).toContain("does not apply");
  });

  test.each([
    {
      text: "# A\n\n## Scope\n- Include: F001, F009\n",
      why: /line 4: F009 is no feature of this workspace; did you mean F00/,
    },
    { text: "## Scope\n- Exclude: F0010\n", why: /line 2: F0010 is no feature/ },
    { text: "## Scope\n- Include: the login page\n", why: /line 2: "the login page" names no feature/ },
    { text: "## Autonomy\n\nL9, of course\n", why: /line 3: L9 is no level/ },
    { text: "Autonomy\n---\nL2 or L4\n", why: /line 3: L4 is no level/ },
    { text: "## Scope\n- Include: X7\n## Autonomy\nL0", why: /line 4: L0[\s\S]*line 2: X7/ },
  ])("$text is refused, with the line", ({ text, why }) => {
    const error = refused({ files: { ...features, "docs/LOOP.md": text } });
    expect(error.code).toBe("bad-contract");
    expect(error.what).toContain("docs/LOOP.md");
    expect(error.why).toMatch(why);
  });
});

describe("autonomy", () => {
  test.each([
    { md: undefined, workspace: "", user: undefined, flags: {}, is: "L2", by: "default" },
    { md: undefined, workspace: "", user: "L1", flags: {}, is: "L1", by: /config\/loopwright\/loop\.yaml$/ },
    { md: "L1", workspace: "", user: "L3", flags: {}, is: "L1", by: "docs/LOOP.md" },
    { md: "L1", workspace: "L3", user: undefined, flags: {}, is: "L3", by: "loop.yaml" },
    { md: "L1", workspace: "L3", user: "L1", flags: { autonomy: "L2" as const }, is: "L2", by: "command line" },
  ])("LOOP.md $md, loop.yaml $workspace, user $user: $is by $by", ({ md, workspace, user, flags, is, by }) => {
    const { contract, from } = plan({
      files: {
        ...features,
        ...(md === undefined ? {} : { "docs/LOOP.md": `## Autonomy\n${md}\n` }),
        "loop.yaml": yaml + (workspace === "" ? "" : `autonomy: ${workspace}\n`),
      },
      flags,
      ...(user === undefined ? {} : { user: `autonomy: ${user}\n` }),
    });
    expect(contract.autonomy).toBe(is);
    expect(from.autonomy).toEqual(typeof by === "string" ? by : expect.stringMatching(by));
  });
});

describe("must-nots", () => {
  test("come from loop.yaml, from prohibitions in LOOP.md and from SHAPE.md, each once, with the origin", () => {
    const { contract, from, notices } = plan({
      files: {
        ...features,
        "loop.yaml": `${yaml}scope: { must_not: ["no new dependency"] }\n`,
        "docs/LOOP.md":
          "## Scope\n- Exclude: [anything not listed; no new features; do not rename and move files; No new dependency]\n",
        ".loop/shape/SHAPE.md": "mustNot:\n- break the API\n- no new features\n",
      },
    });
    const all = ["new dependency", "new features", "rename and move files", "break the API"];
    expect(contract.scope.mustNot).toEqual(all);
    expect(from.mustNot).toEqual(["loop.yaml", "docs/LOOP.md", "docs/LOOP.md", ".loop/shape/SHAPE.md"]);
    expect(notices.join()).toContain("anything not listed");
  });

  test("of a SHAPE.md lose a negation that a rule knows to forbid, and keep any other", () => {
    const shape = "mustNot:\n- no new dependency\n- no message is shown\n";
    const { contract } = plan({ files: { ...features, ".loop/shape/SHAPE.md": shape } });
    expect(contract.scope.mustNot).toEqual(["new dependency", "no message is shown"]);
  });

  test("leave nothing to say about features that a list leaves out", () => {
    const loopMd = "## Scope\n- Include: [F001]\n- Exclude: [anything not listed; no new features]\n";
    const { contract, notices } = plan({ files: { ...features, "loop.yaml": yaml, "docs/LOOP.md": loopMd } });
    expect(contract.scope.mustNot).toEqual(["new features"]);
    expect(notices.join()).not.toContain("anything not listed");
  });
});

describe("SHAPE.md", () => {
  const shape = "## Criteria\n- tests pass (execution output)\n- it is pretty (assumption)\n- it is fast\n";

  test("adds its criteria to a feature made from the request, with their verification", () => {
    const { contract } = plan({ request: clear, files: { ".loop/shape/SHAPE.md": shape } });
    expect(contract.features[0]?.criteria).toEqual([
      clear,
      "tests pass (verified by execution output)",
      "it is pretty (verified by assumption)",
      "it is fast",
    ]);
  });

  test("leaves the criteria of FEATURES.json alone, and is available to the auditor", () => {
    const { contract, inputs } = plan({ files: { ...features, ".loop/shape/SHAPE.md": shape } });
    expect(contract.features[0]?.criteria).toEqual(["F001 is there"]);
    expect(inputs.shape?.says.criteria).toHaveLength(3);
  });

  test("without content gives a notice", () => {
    const { notices } = plan({ request: clear, files: { ".loop/shape/SHAPE.md": "make it nice\n" } });
    expect(notices).toEqual([expect.stringContaining("says nothing")]);
  });
});

test.each(["docs/LOOP.md", "docs/FEATURES.json", ".loop/records/PROGRESS.md", ".loop/shape/SHAPE.md"])(
  "%s in another encoding is refused before anything could be lost",
  (path) => {
    plan({ request: clear });
    fs.mkdirSync(dirname(join(dir, "project", path)), { recursive: true });
    fs.writeFileSync(join(dir, "project", path), Buffer.from("caf\u00e9", "latin1"));
    expect(refused({ request: clear })).toMatchObject({ code: "not-utf8", what: `${path} cannot be read.` });
  },
);

test("a replacement character that a person really wrote is not another encoding", () => {
  expect(plan({ request: clear, files: { "docs/LOOP.md": "## Goal\nno \ufffd signs\n" } }).contract.request).toBe(
    clear,
  );
});

describe("caps in docs/", () => {
  const budget = (iterations: string) =>
    `# Loop Budget — run started now\n\n| Control | Cap | Used |\n|---|---|---|\n| Iterations | ${iterations} | 0 |\n`;
  const limitsMd = (items: string) => `## Autonomy Level\nL2\n\n## Limits\n${items}\n`;

  test.each([
    { what: "the budget's", files: { "docs/loop-budget.md": budget("1") }, most: 1, from: "docs/loop-budget.md" },
    { what: "the contract's", files: { "docs/LOOP.md": limitsMd("- iterations: 2") }, most: 2, from: "docs/LOOP.md" },
    {
      what: "the lowest of both",
      files: { "docs/LOOP.md": limitsMd("- iterations: 4"), "docs/loop-budget.md": budget("3") },
      ...{ most: 3, from: "docs/loop-budget.md" },
    },
    {
      what: "a lower one than in loop.yaml",
      files: { "docs/loop-budget.md": budget("3"), "loop.yaml": `${yaml}limits: { iterations: 5 }\n` },
      ...{ most: 3, from: "loop.yaml, docs/loop-budget.md" },
    },
    {
      what: "not a higher one than in loop.yaml",
      files: { "docs/loop-budget.md": budget("7"), "loop.yaml": `${yaml}limits: { iterations: 5 }\n` },
      ...{ most: 5, from: "loop.yaml" },
    },
    { what: "a higher one than the default", files: { "docs/loop-budget.md": budget("20") }, most: 20 },
  ])("$what holds", ({ files, most, from }) => {
    const planned = plan({ files: { ...features, ...files } });
    expect(planned.contract.limits.iterationsMax).toBe(most);
    if (from !== undefined) expect(planned.from.limits).toBe(from);
  });

  test("holds for a request in a repository that has only a budget", () => {
    const planned = plan({ request: clear, files: { "docs/loop-budget.md": budget("1") } });
    expect(planned.contract.limits.iterationsMax).toBe(1);
    expect(planned.contract.recordsDir).toBe("docs");
  });

  test("gives way to a flag, and is refused over the ceiling or when it cannot be read", () => {
    const files = { ...features, "docs/loop-budget.md": budget("1") };
    expect(plan({ files, flags: { limits: { iterations: 6 } } }).contract.limits.iterationsMax).toBe(6);
    expect(refused({ files: { ...features, "docs/loop-budget.md": budget("500") } }).code).toBe("limit-too-high");
    expect(refused({ files: { ...features, "docs/loop-budget.md": budget("ten") } }).why).toContain('line 5: "ten"');
  });

  test("what a section only describes is named with the place that sets it", () => {
    const { notices } = plan({
      files: {
        ...features,
        "docs/LOOP.md": `${limitsMd("- files: 3")}
## Verification
- Independent evaluator verdict (PASS/FAIL per feature)
- test (stay-green): \`make test\`
- lint (stay-green): \`npm run lint\`

## Memory
- docs/FEATURES.json — work queue + status

## Escalation
- A dependency is blocked or unmet
- A feature fails evaluation once
`,
      },
    });
    expect(notices).toEqual([
      'docs/LOOP.md says "files: 3", which has no effect there. It is set by limits in loop.yaml, as far as there is such a limit.',
      'docs/LOOP.md says "lint (stay-green): `npm run lint`", which has no effect there. It is set by checks in loop.yaml.',
      'docs/LOOP.md says "A feature fails evaluation once", which has no effect there. It is set by limits.rework and gates in loop.yaml, or autonomy.',
    ]);
  });
});

test("a request that says to proceed without confirmation is asked about, and the start names the flag", () => {
  const request = "Fix the failing rounding in src/one.js.";
  const before = plan({ request });
  const planned = plan({ request: `${request} Proceed without confirmation.` });
  expect(planned.contract.gates).toEqual(["G1", "G2", "G3"]);
  expect(planned.intake?.score).toBe(before.intake?.score);
  expect(planned.notices.join()).toContain("G1, G2, G3 will ask. To skip them: --yes");
});

test("a scope that leaves nothing names the file that has it", () => {
  const files = { "docs/FEATURES.json": queue(entry("F001")), "docs/LOOP.md": "## Scope\n- Exclude: F001\n" };
  expect(refused({ files }).next).toBe("Widen the scope in docs/LOOP.md.");
});
