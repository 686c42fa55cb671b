// What happens to a request that waits: replaced, added to, or answered where an agent asks.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { lastLine, type Project } from "../support/project.ts";
import { builder, right } from "../support/sample.ts";
import { clear, drafting } from "./drafting.ts";
import { sentence, sentenceProject } from "./sentence.ts";

vi.setConfig({ testTimeout: 240_000 });

let project: Project;
afterEach(() => project.remove());

const json = (text: string) => lastLine(text) as Record<string, unknown>;

describe("a request", () => {
  test("can be replaced while it waits: new text, a new feature, and the first request stays on record", async () => {
    project = drafting(builder("F002", 1, right("F002")));
    expect((await project.loop("run", clear)).code).toBe(6);
    const other = "Add f002() to src/F002.js, which returns its own name, with a test in test/F002.test.js";
    const changed = await project.loop("continue", "--intent", "replace", other, "--yes", "--json");
    expect(changed.code, changed.stderr + changed.stdout).toBe(0);
    expect(json(changed.stdout)).toMatchObject({ request: other, done: 1, total: 1 });
    const [run = ""] = project.runs();
    expect(fs.readFileSync(join(run, "request.md"), "utf8")).toBe(`${clear}\n`);
    expect(project.events().find(({ type }) => type === "amended")).toMatchObject({ mode: "replace", text: other });
  });

  test("can be added to: the first feature stays, and the addition becomes another one", async () => {
    project = drafting(builder("F001", 1, right("F001")), builder("F002", 1, right("F002")));
    expect((await project.loop("run", clear)).code).toBe(6);
    const more = "Also add f002() the same way";
    const changed = await project.loop("continue", "--intent", "append", more, "--yes", "--json");
    expect(changed.code, changed.stderr + changed.stdout).toBe(0);
    expect(json(changed.stdout)).toMatchObject({ request: `${clear}\n\n${more}`, done: 2, total: 2 });
  });

  const refused: [string[], RegExp][] = [
    [["continue", "more words"], /--intent append/],
    [["continue", "--intent", "rewrite", "x"], /There is no intent "rewrite"/],
    [["continue", "--intent", "append"], /The new request is empty/],
    [["reject"], /--reason/],
    [["reject", "--reason", " "], /There is no reason/],
    [["answer", "F001", "yes"], /No question is open/],
  ];
  test("is not changed by an invalid command, which is refused with what to do", async () => {
    project = drafting();
    await project.loop("run", clear);
    const before = project.events().length;
    for (const [args, says] of refused) {
      const { code, stderr } = await project.loop(...args);
      expect([1, 64], args.join(" ")).toContain(code);
      expect(stderr).toMatch(says);
      expect(project.events().length).toBe(before);
    }
  });
});

describe("a question", () => {
  const asks = {
    role: "builder",
    feature: "F001",
    steps: [
      {
        do: "reply",
        reply: { status: "question", summary: "", question: { text: "Which case?", best_supposition: "Upper case." } },
      },
    ],
  };
  const afterwards = {
    role: "builder",
    feature: "F001",
    where: "answered",
    steps: right("F001"),
  };

  test("waits with the agent's supposition, is answered from the command line, and the answer reaches the next session", async () => {
    project = sentenceProject({
      scenes: [
        {
          role: "planner",
          where: "asked.txt",
          steps: [
            {
              do: "reply",
              reply: { status: "question", features: [], question: { text: "How loud?", best_supposition: "Very." } },
            },
          ],
        },
      ],
    });
    project.write({ "asked.txt": "" });
    project.git("add", "--all");
    project.git("commit", "--quiet", "--message", "something to ask about");
    const asked = await project.loop("run", sentence, "--json");
    expect(asked.code, asked.stderr).toBe(6);
    expect((await project.loop("inbox")).stdout).toMatch(/How loud\?[\s\S]*loop answer/);
    const of = project;
    // At once, from two terminals: only the first counts.
    const said = ["As loud as you can", "Quietly"];
    const answers = await Promise.all(said.map((each) => of.loop("answer", ...each.split(" "), "--no-continue")));
    const taken = said.filter((_, at) => answers[at]?.code === 0).map((each) => `How loud? → ${each}`);
    await project.loop("continue", "--json");
    const prompt = project.prompts("planner").at(-1) ?? "";
    expect(taken.filter((each) => prompt.includes(each))).toHaveLength(1);
  });

  test("with --overnight is answered with its own supposition, which is shown in the morning", async () => {
    project = drafting(afterwards, asks);
    const night = await project.loop("run", clear, "--overnight", "--unconfined", "--iterations", "1");
    const shown = "F001: Which case? → Upper case. (the agent's supposition)";
    expect(night.stderr).toMatch(/suppose +Upper case\./);
    expect(night.stdout).toContain(shown);
    expect((await project.loop("report")).stdout).toContain(shown);
    expect((await project.loop()).stdout).toMatch(/Answered for you\n +F001: Which case\? → Upper case\./);
  });

  test("with full_auto_answers is answered with its own supposition, which is recorded", async () => {
    project = drafting(afterwards, asks);
    project.write({ "loop.yaml": `${project.read("loop.yaml")}full_auto_answers: true\n` });
    project.git("commit", "--quiet", "--all", "--message", "answers");
    await project.loop("run", clear, "--yes", "--iterations", "1");
    const prompts = project.prompts("builder");
    expect(prompts.length).toBeGreaterThan(1);
    expect(prompts[1]).toContain("Which case? → Upper case. (supposed)");
    const decisions = fs
      .readdirSync(join(project.root, ".loop/tasks"), { recursive: true, encoding: "utf8" })
      .find((path) => path.endsWith("decisions.txt"));
    expect(project.read(join(".loop/tasks", decisions ?? ""))).toContain("A (supposition): Upper case.");
  });
});
