// The actions, step by step as a runner plays them, on the scripted agent.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Files, Project } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles } from "../support/sample.ts";
import { play, readAction } from "./action.ts";

vi.setConfig({ testTimeout: 300_000 });
const [runAction, proveAction] = ["action.yml", ".github/actions/prove/action.yml"] as const;

/** The same steps, with fewer proofs. */
const quick = (files: Files): Files => ({ ...files, "loop.yaml": `${files["loop.yaml"]}proof: { depth: quick }\n` });

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

function jobOf(of: Project, inputs: Record<string, string> = {}) {
  const temp = join(of.dir, "temp");
  fs.mkdirSync(temp, { recursive: true });
  return { workspace: of.root, temp, env: of.env, inputs };
}

describe.each([runAction, proveAction])("%s", (path) => {
  const { inputs, runs } = readAction(path);

  test("never puts an input into the text of a script", () => {
    for (const { run } of runs.steps) expect(run ?? "").not.toContain("${{");
  });

  test("uses every input, and no other", () => {
    const text = JSON.stringify(runs);
    for (const name of Object.keys(inputs)) expect(text).toContain(`inputs.${name} `);
    for (const [, name = ""] of text.matchAll(/inputs\.([\w-]+)/g)) expect(Object.keys(inputs)).toContain(name);
  });
});

describe("the action that runs", () => {
  const of = (steps = right("F001")) => {
    project = new Project(quick(sampleFiles([builder("F001", 1, steps), evaluator], [feature("F001")])));
    return project;
  };

  test("works on the open features within its caps, and keeps the report and the proofs", () => {
    const here = of();
    const { code, log, outputs, summary, uploaded } = play(runAction, jobOf(here, { budget: "3", iterations: "4" }));
    expect(code, log).toBe(0);
    expect(outputs).toMatchObject({ "exit-code": "0", outcome: "success", "cost-usd": "0.02" });
    expect(here.git("ls-files", "src/F001.js")).toBe("src/F001.js");
    expect(summary).toContain("F001");
    expect(uploaded["loop-report"]).toEqual(
      expect.arrayContaining(["proofs/F001-i1.json", "report.html", "report.md", "run.json"]),
    );
    const { limits } = JSON.parse(fs.readFileSync(join(outputs["files"] ?? "", "run.json"), "utf8"));
    expect(limits).toMatchObject({ costUsdMax: 3, iterationsMax: 4 });
  });

  test("fails with the run's exit code where the contract is not met, after the report is kept", () => {
    const { code, outputs, uploaded } = play(runAction, jobOf(of(lie), { iterations: "1" }));
    expect([code, outputs["exit-code"]]).toEqual([3, "3"]);
    expect(uploaded["loop-report"]).toContain("report.html");
  });

  test("takes a request as text, whatever is in it", () => {
    const here = of();
    const request = `--help; touch "$(pwd)/pwned" \`touch pwned\` '; touch pwned; '\n$INPUT_BUDGET`;
    const { code, outputs } = play(runAction, jobOf(here, { request, iterations: "1", fail: "false" }));
    expect(code).toBe(0);
    const answer = JSON.parse(fs.readFileSync(join(outputs["files"] ?? "", "run.json"), "utf8"));
    expect(answer.request).toBe(request);
    expect(here.exists("pwned")).toBe(false);
  });

  test("says so when a run does not begin", () => {
    const { code, outputs, summary } = play(runAction, jobOf(of(), { budget: "a lot" }));
    expect([code, outputs["exit-code"], outputs["run"]]).toEqual([64, "64", ""]);
    expect(summary).toContain("did not begin (exit code 64)");
  });
});

describe("the action that proves", () => {
  test("proves the commits of a pull request, and fails when one does not hold", () => {
    const of = new Project(quick(sampleFiles([], [])));
    project = of;
    const base = of.git("rev-parse", "HEAD");
    of.write({
      "src/F001.js": 'export const f001 = () => "F001";\n',
      "test/F001.test.js":
        'import assert from "node:assert/strict";\nimport { f001 } from "../src/F001.js";\nassert.equal(f001(), "F001");\n',
    });
    of.git("add", "--all");
    of.git("commit", "--quiet", "--message", "Add f001() that returns 'F001'");
    of.write({ "src/old.js": "export const old = () => 2;\n" });
    of.git("commit", "--all", "--quiet", "--message", "```</pre><b>Break it");
    const event = { "pull_request.base.sha": base, "pull_request.head.sha": of.git("rev-parse", "HEAD") };
    const { code, outputs, summary, uploaded } = play(proveAction, { ...jobOf(of), event });
    expect([code, outputs["exit-code"], outputs["holding"], outputs["total"]]).toEqual([1, "1", "1", "2"]);
    expect(summary).toContain("1 of 2 commits hold.");
    expect(summary).toMatch(/^ {4}[0-9a-f]{10} {2}proved {4}Add f001\(\)/m);
    expect(summary).toMatch(/^ {4}[0-9a-f]{10} {2}refused {3}```<\/pre><b>Break it$/m);
    expect(uploaded).toEqual({ "loop-proofs": ["proofs.json"] });
  });
});
