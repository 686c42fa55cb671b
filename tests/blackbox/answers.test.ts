// Answers to a question: one is enough, and of several at the same moment the first counts.
import { afterEach, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => project?.remove());

const question = {
  do: "reply",
  reply: { status: "question", summary: "?", question: { text: "Loud or quiet?", best_supposition: "Quiet" } },
};
const endless = builder("F002", 1, [
  { do: "write", path: "src/half.js", text: "// half\n" },
  { do: "sleep", ms: 600_000 },
]);

test("an answer that is left behind another one for a busy process is refused", { timeout: 120_000 }, async () => {
  const scenes = [builder("F001", 1, [question]), endless, evaluator];
  const of = new Project(sampleFiles(scenes, [feature("F001"), feature("F002", { priority: 2 })]));
  project = of;
  const driving = of.start(["run"]);
  const over = ended(driving);
  await until("the second feature at work", () => of.exists("src/half.js"), 60_000);
  driving.kill("SIGSTOP");
  const first = of.loop("answer", "F001", "Loud");
  await until("the first answer in the box", () => of.signals().length === 1, 30_000);
  const second = of.loop("answer", "F001", "Quiet");
  expect(await first).toMatchObject({ code: 0, stdout: expect.stringContaining("is busy and takes it later") });
  expect((await second).stderr).toContain("Another answer came first: Loud");
  driving.kill("SIGCONT");
  await until("the answer taken", () => of.events().some(({ answer }) => answer === "Loud"), 30_000);
  await of.loop("cancel");
  await over;
});

test("of three answers to a run that rests, one counts, and no other is told that it does", {
  timeout: 120_000,
}, async () => {
  const of = new Project(sampleFiles([builder("F001", 1, [question]), evaluator], [feature("F001")]));
  project = of;
  expect((await of.loop("run")).code).toBe(6);
  const words = ["Loud", "Quiet", "Neither"];
  const said = await Promise.all(words.map((word) => of.loop("answer", "F001", word, "--no-continue")));
  const counted = words.indexOf(String(of.events().find(({ type }) => type === "answered")?.["answer"]));
  for (const [at, { code, stderr }] of said.entries())
    if (at === counted) expect([code, stderr]).toEqual([0, expect.not.stringContaining("Nothing was answered")]);
    else expect(stderr).toMatch(/Another answer came first|No question is open/);
});

test("a question after an iteration is answered once, and leaves no gate", { timeout: 120_000 }, async () => {
  const files = sampleFiles([builder("F001", 1, [question]), evaluator], [feature("F001")]);
  const of = new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}gates: [G2]\n` });
  project = of;
  const run = await of.loop("run");
  expect([run.code, run.stdout]).toEqual([6, expect.stringContaining('loop answer F001 "…"')]);
  const inbox = (await of.loop("inbox")).stdout;
  expect(inbox).toMatch(/^F001 \(question\)/);
  expect(inbox).not.toContain("(gate");
  expect((await of.loop("answer", "Loud", "--no-continue")).code).toBe(0);
  expect((await of.loop("approve")).stderr).toContain("The run does not wait at a gate.");
});
