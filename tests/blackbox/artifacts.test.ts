// What a run leaves below .loop/: the files that autoloop names, by stage and phase.
import { afterEach, expect, test } from "vitest";
import { lastLine, Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles, usage } from "../support/sample.ts";

let project: Project;
afterEach(() => project.remove());

const replies = (role: string, reply: object) => ({ role, steps: [{ do: "reply", reply }], usage });
const more = `import assert from "node:assert/strict";
import { f001 } from "../src/F001.js";
assert.equal(f001().length, 4);
`;

test.each([{ place: "here" }, { place: "default" }] as const)(
  "log, events, request, phases and sessions are where autoloop puts them, with place $place",
  {
    timeout: 180_000,
  },
  async ({ place }) => {
    const agreed = { verdict: "pass", summary: "Nothing against it.", findings: [] };
    const tester = {
      role: "tester",
      steps: [
        { do: "write", path: "test/F001-more.test.js", text: more },
        { do: "reply", reply: { status: "done", summary: "Length tested." } },
      ],
      usage,
    };
    const scenes = [
      builder("F001", 1, right("F001")),
      evaluator,
      tester,
      { ...evaluator, role: "test-verifier" },
      replies("auditor", { status: "passed", summary: "All there.", gaps: [] }),
      replies("audit-verifier", agreed),
    ];
    const files = sampleFiles(scenes, [feature("F001")]);
    const stages = `${files["loop.yaml"]}stages: [implement, test, audit]\n`;
    project = new Project({ ...files, "loop.yaml": stages }, { place });
    const run = await project.loop("--task", "sample", "run", "--json");
    expect(run).toMatchObject({ code: 0 });
    const below = `.loop/tasks/sample/runs/${lastLine(run.stdout)["run"]}`;
    const wanted = [
      "raw_phase_log.md",
      "events.jsonl",
      "request.md",
      "run.json",
      "decisions.txt",
      "artifacts/implement/phases/F001/i1-builder.json",
      "artifacts/implement/phases/F001/i1-evaluator.json",
      "artifacts/test/phases/F001/i1-tester.json",
      "artifacts/test/phases/F001/i1-test-verifier.json",
      "artifacts/audit/1-auditor.json",
    ];
    expect(wanted.filter((path) => !project.exists(`${below}/${path}`))).toEqual([]);
    expect(project.read(`${below}/raw_phase_log.md`)).toMatch(
      /## test · phase F001 .*tester[\s\S]*Length tested\.[\s\S]*## audit/,
    );
    expect(JSON.parse(project.read(`${below}/run.json`)).phases).toEqual([
      { phase_id: "F001", title: "Add f001()", status: "complete" },
    ]);
  },
);
