// From one sentence to a finished task, in a script: nothing ever blocks, and every ending has its exit code.
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { lastLine, type Project } from "../support/project.ts";
import { sentence, sentenceProject } from "./sentence.ts";

vi.setConfig({ testTimeout: 240_000 });

let project: Project;
afterEach(() => project.remove());

const json = (text: string) => lastLine(text) as Record<string, unknown>;

describe("one sentence, headless", () => {
  test("at L3: planned, built, audited, followed up, and done with exit code 0", async () => {
    project = sentenceProject();
    const ended = await project.loop("run", sentence, "--autonomy", "L3", "--json");
    expect(ended.code, ended.stderr).toBe(0);
    const answer = json(ended.stdout);
    // The answer counts what the follow-up did; the ledger has both runs.
    expect(answer).toMatchObject({ exitCode: 0, outcome: { kind: "success" }, done: 1, total: 1 });
    expect(answer["follows"]).toHaveLength(1);
    expect(project.git("log", "--format=%s", "--reverse").split("\n")).toEqual([
      "start",
      "feat(F001): Add shout",
      "feat(F002): Add count",
      "feat(F003): Add reverse",
      "feat(F004): README.md lists shout, count and reverse",
    ]);
    expect(project.git("status", "--porcelain")).toBe("");
    const [first, second] = project.runs();
    const artifacts = join(first ?? "", "artifacts");
    expect(fs.readFileSync(join(artifacts, "audit", "revised_request.md"), "utf8")).toContain("List shout");
    expect(fs.existsSync(join(artifacts, "plan", "1-planner.json"))).toBe(true);
    const child = JSON.parse(fs.readFileSync(join(second ?? "", "plan.json"), "utf8"));
    expect(child.contract.followUp).toMatchObject({ depth: 1, depthMax: 3 });
    expect(child.contract.request).toBe(sentence);
    // The budget belongs to the task: the follow-up gets what was left.
    expect(child.contract.limits.costUsdMax).toBeCloseTo(25 - 0.1, 5);
    const ledger = JSON.parse(project.read(`.loop/tasks/${child.task}/ledger.json`));
    expect(ledger).toMatchObject({
      runs: [
        { run: basename(first ?? ""), follow_up_of: null, outcome: "followup", features: { done: 3, total: 3 } },
        { run: basename(second ?? ""), follow_up_of: basename(first ?? ""), outcome: "success" },
      ],
      spent: { commits: 4 },
    });
    expect(ledger.spent.costUsd).toBeCloseTo(ledger.runs[0].spent.costUsd + ledger.runs[1].spent.costUsd, 5);
  });

  test("with gates and no terminal: pauses at each with exit code 6, and an answer resumes it", async () => {
    project = sentenceProject({ loopYaml: "autonomy: L1\n" });
    const begun = await project.loop("run", sentence, "--json");
    expect(begun.code).toBe(6);
    expect(json(begun.stdout)).toMatchObject({ outcome: { kind: "needs-person", gate: { name: "G1" } }, done: 0 });
    expect(project.git("log", "--format=%s")).toBe("start");
    const continued = await project.loop("continue", "--json");
    expect(continued.code, "going on does not pass a gate").toBe(6);
    const wrong = await project.loop("approve", "--tree", "0000000000");
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("The gate G1 shows the tree")]);
    const codes: (number | null)[] = [];
    const gates: unknown[] = [];
    for (let at = 0; at < 8; at++) {
      const { code, stdout } = await project.loop("approve", "--json");
      codes.push(code);
      const outcome = json(stdout)["outcome"] as { gate?: { name: string } };
      gates.push(outcome.gate?.name ?? "none");
      if (code !== 6) break;
    }
    expect(gates).toEqual(["G2", "G2", "G2", "G2", "G3", "none"]);
    expect(codes.at(-1)).toBe(0);
    expect((await project.loop("approve")).code).toBe(1);
  });

  test("a plan that a person rejects is made again, with the reason", async () => {
    project = sentenceProject({ loopYaml: "gates: [G1]\n" });
    expect((await project.loop("run", sentence)).code).toBe(6);
    const rejected = await project.loop("reject", "--reason", "Three is too many.", "--json");
    expect(rejected.code).toBe(6);
    const prompts = project.prompts("planner");
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain("Three is too many.");
    expect(prompts[0]).not.toContain("too many");
  });
});
