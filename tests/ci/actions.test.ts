// The actions, step by step as a runner plays them, on the scripted agent.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles } from "../support/sample.ts";
import { play, readAction } from "./action.ts";

vi.setConfig({ testTimeout: 300_000 });
const [runAction, proveAction] = ["action.yml", ".github/actions/prove/action.yml"] as const;

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
    project = new Project(sampleFiles([builder("F001", 1, steps), evaluator], [feature("F001")]));
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
    const request = '--help; touch "$(pwd)/pwned" `touch pwned`\n$INPUT_BUDGET';
    const { code, outputs, summary } = play(runAction, jobOf(here, { request, fail: "false" }));
    // Too vague to begin, and nothing of it was run.
    expect([code, outputs["exit-code"], outputs["run"]]).toEqual([0, "5", ""]);
    expect(summary).toContain("did not begin");
    expect(here.exists("pwned")).toBe(false);
  });
});

describe("the action that proves", () => {
  test("proves the commits of a pull request, and fails when one does not hold", () => {
    const of = new Project(sampleFiles([], []));
    project = of;
    const base = of.git("rev-parse", "HEAD");
    const event = () => ({ "pull_request.base.sha": base, "pull_request.head.sha": of.git("rev-parse", "HEAD") });
    of.write({
      "src/F001.js": 'export const f001 = () => "F001";\n',
      "test/F001.test.js":
        'import assert from "node:assert/strict";\nimport { f001 } from "../src/F001.js";\nassert.equal(f001(), "F001");\n',
    });
    of.git("add", "--all");
    of.git("commit", "--quiet", "--message", "Add f001() that returns 'F001'");
    const good = play(proveAction, { ...jobOf(of), event: event() });
    expect(good.code, good.log).toBe(0);
    expect(good.outputs).toMatchObject({ "exit-code": "0", holding: "1", total: "1" });
    expect(good.summary).toContain("1 of 1 commits hold.");
    of.write({ "src/old.js": "export const old = () => 2;\n" });
    of.git("commit", "--all", "--quiet", "--message", "```</pre><b>Break it");
    const bad = play(proveAction, { ...jobOf(of), event: event() });
    expect([bad.code, bad.outputs["holding"], bad.outputs["total"]]).toEqual([1, "1", "2"]);
    expect(bad.summary).toMatch(/^ {4}[0-9a-f]{10} {2}refused {3}```<\/pre><b>Break it$/m);
    expect(bad.uploaded).toEqual({ "loop-proofs": ["proofs.json"] });
  });
});
