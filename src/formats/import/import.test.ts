// Other tools' files become features, and nothing in them is lost.
import { describe, expect, test } from "vitest";
import { importFeatures } from "./index.ts";

const read = (path: string, content: unknown, format: Parameters<typeof importFeatures>[2] = null) =>
  importFeatures(path, typeof content === "string" ? content : JSON.stringify(content), format);
const brief = ({ features }: ReturnType<typeof read>) =>
  features.map(({ id, name, status, criteria, dependencies }) => ({ id, name, status, criteria, dependencies }));

describe("feature_list.json", () => {
  const list = [
    {
      category: "functional",
      description: "New chat button makes a chat",
      steps: ["Click it", "See a chat"],
      passes: false,
    },
    { category: "style", description: "Buttons are blue", steps: ["Look"], passes: true },
  ];

  test("is a list without ids, numbered in order; items that pass are existing here, not complete", () => {
    const imported = read("feature_list.json", list);
    expect(imported.format).toBe("feature-list");
    expect(brief(imported)).toEqual([
      {
        id: "F001",
        name: "New chat button makes a chat",
        status: "not-started",
        criteria: ["Click it", "See a chat"],
        dependencies: [],
      },
      { id: "F002", name: "Buttons are blue", status: "existing", criteria: ["Look"], dependencies: [] },
    ]);
    expect(imported.warnings.join("\n")).toMatch(/existing: F002/);
  });

  test("keeps data that has no place, with the feature and in the warnings", () => {
    const imported = read("feature_list.json", list);
    expect(JSON.parse(imported.text).features[0].imported).toEqual({ category: "functional" });
    expect(imported.kept).toContainEqual({ of: "F001", keys: ["category"] });
    expect(imported.warnings.join("\n")).toMatch(/F001: category/);
  });

  test("turns steps in the form of data into sentences", () => {
    const steps = [
      { step: 1, action: "goto", target: "/login" },
      { action: "assert_url", expected: "/home" },
    ];
    const [feature] = read("feature_list.json", {
      features: [{ id: "F007", name: "Login", steps, passes: false }],
    }).features;
    expect(feature?.criteria).toEqual(["goto /login", "assert_url, expected: /home"]);
    expect(feature?.id).toBe("F007");
  });
});

describe("prd.json", () => {
  test("keeps the stories' numbers, and uses them in dependencies", () => {
    const imported = read("prd.json", {
      project: "App",
      branchName: "ralph/status",
      description: "Tasks have a status",
      userStories: [
        {
          id: "US-001",
          title: "Add a column",
          acceptanceCriteria: ["It is there"],
          priority: 1,
          passes: true,
          notes: "n",
        },
        {
          id: "US-002",
          title: "Show it",
          acceptanceCriteria: ["A badge"],
          priority: 2,
          passes: false,
          blockedBy: ["us-001"],
        },
      ],
    });
    expect(imported.format).toBe("prd-json");
    expect(imported.goal).toBe("Tasks have a status");
    expect(brief(imported)).toEqual([
      { id: "F001", name: "Add a column", status: "existing", criteria: ["It is there"], dependencies: [] },
      { id: "F002", name: "Show it", status: "not-started", criteria: ["A badge"], dependencies: ["F001"] },
    ]);
    const file = JSON.parse(imported.text);
    expect(file.imported).toMatchObject({ project: "App", branchName: "ralph/status" });
    expect(file.features[0].imported).toEqual({ id: "US-001", notes: "n" });
    expect(imported.warnings.join("\n")).toMatch(/US-001 is F001/);
  });

  test("of the other kind has stories with acceptance and blockedBy", () => {
    const stories = [
      { id: "a", title: "First", description: "d", acceptance: ["x"], blockedBy: [], passes: false, completedAt: null },
      { id: "b", title: "Second", acceptance: ["y"], blockedBy: ["a"], passes: false },
    ];
    expect(brief(read("prd.json", { feature: "Login", branch: "b", stories }))).toMatchObject([
      { id: "F001", name: "First" },
      { id: "F002", dependencies: ["F001"] },
    ]);
  });
});

describe("fix_plan.md", () => {
  const plan = `# Fix plan

## High Priority
- [ ] Parse dates
  - accepts 2024-01-31
  - refuses 31.1.
- [x] Set up the project

## Low Priority
- [ ] Colours

## Notes
- Focus on the parser first
`;
  test("has items with boxes: their priority is the heading's, the indented text their criteria", () => {
    const imported = read("@fix_plan.md", plan);
    expect(imported.format).toBe("fix-plan");
    expect(brief(imported)).toMatchObject([
      { id: "F001", name: "Parse dates", status: "not-started", criteria: ["accepts 2024-01-31", "refuses 31.1."] },
      { id: "F002", name: "Set up the project", status: "existing" },
      { id: "F003", name: "Colours", criteria: ["Colours"] },
    ]);
    expect(imported.features.map(({ priority }) => priority)).toEqual([1, 1, 3]);
    expect(imported.goal).toBe("## Notes\n- Focus on the parser first");
    expect(imported.warnings.join("\n")).toMatch(/Without acceptance criteria.*F003/);
  });

  test("without any box is a to-do list", () => {
    expect(brief(read("fix_plan.md", "- fix the lexer\n- fix the parser\n")).map(({ name }) => name)).toEqual([
      "fix the lexer",
      "fix the parser",
    ]);
  });
});

test("phase_plan.yaml keeps scope, deliverables and risks in the description", () => {
  const imported = read(
    "phase_plan.yaml",
    `version: 1
task_id: t-1
request_snapshot_ref: runs/r/request.md
phases:
  - phase_id: schema
    title: Schema
    objective: Tables exist
    status: completed
    in_scope: [tables]
    out_of_scope: []
    dependencies: []
    acceptance_criteria: [{ id: AC-1, text: migrations run }]
    deliverables: [migrations/]
    risks: [locks]
  - phase_id: api
    title: API
    objective: Routes exist
    status: planned
    in_scope: [routes]
    dependencies: [schema]
    acceptance_criteria: [{ id: AC-1, text: GET /x answers 200 }]
    deliverables: [src/api]
`,
  );
  expect(imported.format).toBe("phase-plan");
  expect(brief(imported)).toMatchObject([
    { id: "F001", status: "existing", criteria: ["migrations run"] },
    { id: "F002", name: "API", dependencies: ["F001"], criteria: ["GET /x answers 200"] },
  ]);
  expect(imported.features[0]?.description).toBe(
    "Tables exist\n\nIn scope: tables\n\nDeliverables: migrations/\n\nRisks: locks",
  );
  expect(JSON.parse(imported.text).imported).toMatchObject({ task_id: "t-1" });
});

describe("tasks.json", () => {
  const tasks = [
    {
      id: 1,
      title: "Set up",
      description: "d",
      status: "done",
      dependencies: [],
      priority: "high",
      details: "x",
      testStrategy: "npm test is green",
      subtasks: [],
    },
    {
      id: 2,
      title: "Build",
      description: "b",
      status: "pending",
      dependencies: [1, 3],
      priority: "low",
      subtasks: [{ id: 1, title: "Half", status: "done" }],
    },
    { id: 3, title: "Never mind", status: "cancelled", dependencies: [] },
  ];

  test.each([
    ["a list of tasks", { tasks }],
    ["a list per tag", { master: { tasks, metadata: {} } }],
  ])("is %s; subtasks and the test strategy are criteria, cancelled tasks are skipped", (_, content) => {
    const imported = read("tasks.json", content);
    expect(imported.format).toBe("tasks-json");
    expect(brief(imported)).toEqual([
      { id: "F001", name: "Set up", status: "existing", criteria: ["npm test is green"], dependencies: [] },
      { id: "F002", name: "Build", status: "not-started", criteria: ["Half"], dependencies: ["F001"] },
    ]);
    expect(imported.features.map(({ priority }) => priority)).toEqual([1, 3]);
    expect(imported.warnings.join("\n")).toMatch(/Never mind.*cancelled/);
    expect(JSON.parse(imported.text).imported.cancelled).toHaveLength(1);
  });

  test("with several tags imports one, and names the others", () => {
    const imported = read("tasks.json", { dev: { tasks }, master: { tasks: tasks.slice(0, 1) } });
    expect(imported.features).toHaveLength(1);
    expect(imported.warnings.join("\n")).toMatch(/"dev" was left out/);
  });
});

describe(".loop/state.json", () => {
  test("is one feature with all criteria, and the steps in its description", () => {
    const imported = read(".loop/state.json", {
      spec: "Refactor all routes",
      criteria: ["tests pass"],
      criteriaStatus: { "tests pass": false, "lint clean": { met: true, verification: "execution output" } },
      exit_signal: false,
      steps: ["a", "b"],
      completedSteps: ["a"],
      iteration: 2,
      status: "in_progress",
    });
    expect(imported.format).toBe("state-json");
    expect(imported.goal).toBe("Refactor all routes");
    expect(brief(imported)).toMatchObject([
      { id: "F001", status: "not-started", criteria: ["tests pass", "lint clean"] },
    ]);
    expect(imported.features[0]?.description).toContain("- b");
  });

  test("in PRD mode has a feature per task", () => {
    const tasks = {
      "T-001": { status: "completed", criteria: ["x"] },
      "T-002": { status: "pending", criteria: { y: false } },
    };
    expect(
      brief(read("state.json", { spec: "s", mode: "prd", prdPath: "p.md", tasks, criteriaStatus: {} })),
    ).toMatchObject([
      { id: "F001", status: "existing", criteria: ["x"] },
      { id: "F002", status: "not-started", criteria: ["y"] },
    ]);
  });

  test("written by the loop itself is refused", () => {
    expect(() => read(".loop/state.json", { version: 1, phase: "between", spec: "s", criteriaStatus: {} })).toThrow(
      /written by Loopwright itself/,
    );
  });
});

test("a foreign FEATURES.json keeps every byte except the complete statuses", () => {
  const raw =
    '{ "project_type": "cli", "features": [ {"id":"F002","name":"n","status":"complete","acceptance_criteria":["a"],"quality":3} ] }';
  const imported = read("docs/FEATURES.json", raw);
  expect(imported.text).toBe(raw.replace('"complete"', '"existing"'));
  expect(imported.warnings.join()).toMatch(/not proved here/);
});

describe("contradictory and dangling input", () => {
  const stories = (...list: object[]) => ({
    userStories: list.map((each) => ({ acceptanceCriteria: ["a"], ...each })),
  });

  test("an unknown dependency is kept in the description, with the closest id", () => {
    const imported = read(
      "prd.json",
      stories({ id: "US-001", title: "a" }, { id: "US-002", title: "b", blockedBy: ["US-01"] }),
    );
    expect(imported.features[1]?.dependencies).toEqual([]);
    expect(imported.features[1]?.description).toMatch(/US-01/);
    expect(imported.warnings.join("\n")).toMatch(/unknown feature "US-01".*Did you mean F001/);
  });

  test("cyclic dependencies are refused, and the cycle is named", () => {
    const circle = stories(
      { id: "F001", title: "a", blockedBy: ["F002"] },
      { id: "F002", title: "b", blockedBy: ["F001"] },
    );
    expect(() => read("prd.json", circle)).toThrow(/F001 → F002 → F001/);
  });

  test("a duplicate id is refused", () => {
    expect(() => read("prd.json", stories({ id: "F001", title: "a" }, { id: "F001", title: "b" }))).toThrow(
      /duplicate id F001/,
    );
  });

  test("legal ids stay, others get free numbers", () => {
    const imported = read(
      "prd.json",
      stories({ id: "login", title: "a" }, { id: "F001", title: "b" }, { id: "R002", title: "c" }),
    );
    expect(imported.features.map(({ id }) => id)).toEqual(["F002", "F001", "R002"]);
  });

  test.each([
    ["prd.json", "{", /cannot be read[\s\S]*line 1/],
    ["prd.json", '{"userStories": []}', /no feature in it/],
    ["thing.json", '{"a": 1}', /no format that is known/],
    ["notes.md", "# Hello\n\nworld\n", /heading with an id/],
    ["phase_plan.yaml", "phases: [*a]\n", /cannot be read/],
    ["x.json", "null", /no format that is known/],
    ["prd.json", `${"[".repeat(100)}${"]".repeat(100)}`, /nested deeper/],
  ])("%s with %s is refused", (path, text, says) => {
    expect(() => read(path, text)).toThrow(says);
  });

  test("control characters in a name and a path outside the workspace are harmless", () => {
    const [feature] = read("prd.json", stories({ id: "../../etc", title: "a\u001b[31m\nb" })).features;
    expect(feature).toMatchObject({ id: "F001", name: "a [31m b" });
  });
});
