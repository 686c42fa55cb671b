// The examples of the four documents that Loopwright brings together: they are read, and what the loop writes has their
// form. docs/ORIGINS.md says where it differs, and why.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runId, taskId } from "../../src/core/ids.ts";
import { limitsFrom } from "../../src/core/limits.ts";
import { progresses } from "../../src/core/progresses.ts";
import { begin, newProgress } from "../../src/core/run.ts";
import { readAutoloop } from "../../src/formats/autoloop-yaml.ts";
import { selects } from "../../src/formats/feature-selector.ts";
import { afterIteration, beforeIteration, complete, statusBlock } from "../../src/formats/hope-forms.ts";
import { importFeatures } from "../../src/formats/import/index.ts";
import { draftLoopMd, readLoopMd, setInbox } from "../../src/formats/loop-md.ts";
import { findStatusBlock } from "../../src/formats/status-block.ts";
import { intake } from "../../src/intake/intake.ts";
import { emptyChronicle } from "../../src/report/chronicle.ts";
import { budgetText } from "../../src/report/markdown/budget.ts";
import { progressText } from "../../src/report/markdown/progress.ts";
import { runLogText } from "../../src/report/markdown/run-log.ts";
import { overview } from "../../src/report/overview.ts";
import { stateText } from "../../src/report/state-json.ts";
import { follow, newStory } from "../../src/report/story.ts";
import { checkpointed, observed, prepared } from "../../src/testing/world/by-hand.ts";
import { contractOf, feature } from "../../src/testing/world/contracts.ts";

const example = (name: string): string => readFileSync(new URL(`files/${name}`, import.meta.url), "utf8");
const linesOf = (text: string, pattern: RegExp): string[] =>
  text.split("\n").flatMap((line) => pattern.exec(line)?.slice(0, 1) ?? []);

describe("solution-harness", () => {
  const template = example("LOOP.md");
  const defaults = contractOf([feature("F001")], { limits: limitsFrom({}) });

  test("its contract is read, and its inbox is filled without touching the rest", () => {
    const { goal, include, autonomy } = readLoopMd(template);
    expect(goal).toContain("the full test suite is green");
    expect(autonomy).toBe("L1");
    const ids = ["F001", "F006", "F007", "R001"].filter((id) => include?.some((selector) => selects(selector, id)));
    expect(ids).toEqual(["F001", "F006"]);
    expect(setInbox(template, ["F002: fails twice"])).toBe(template.replace("(empty)", "- F002: fails twice"));
  });

  test("the contract that the loop writes has its headings, in its order, and one more", () => {
    const draft = draftLoopMd({
      goal: "g",
      include: [],
      exclude: [],
      autonomy: "L2",
      checks: [],
      limits: limitsFrom({}),
    });
    const heading = /^#+ .*/;
    expect(linesOf(draft, heading).filter((line) => line !== "## Limits")).toEqual(linesOf(template, heading));
    const memory = /^- docs\/.*/;
    expect(linesOf(draft, memory)).toEqual(linesOf(template, memory));
  });

  test("the budget has its rows and its rule, byte for byte; the wall clock has no cap of its own", () => {
    const written = budgetText(overview(newStory(defaults), { isDriven: false })).split("\n");
    const lines = example("loop-budget.md").split("\n");
    const [title = "", ...rest] = lines.filter((line) => !line.startsWith("| Wall-clock"));
    expect(written[0]?.startsWith(title.replace("[ISO timestamp]", ""))).toBe(true);
    expect(rest.filter((line) => !written.includes(line))).toEqual([]);
    expect(written.findIndex((line) => line.startsWith("| Wall-clock (min) |"))).toBe(7);
  });

  test.each([
    ["an iteration in the run log", "loop-run-log.md", runLogText],
    ["the summary", "summary.md", progressText],
  ])("%s begins with its lines, in its order", (_, name, render) => {
    const begun = { type: "begun", task: taskId("t"), run: runId("r1"), contract: "h", version: "0" } as const;
    const story = [begun, prepared, observed, checkpointed("i1")]
      .map((event, at) => ({ ...event, at, sinceMs: 1, tookMs: 1 }))
      .reduce(follow, newStory(defaults));
    const label = /^- \*\*[^*]+\*\*/;
    const wanted = linesOf(example(name), label);
    expect(linesOf(render(overview(story, { isDriven: false })), label).slice(0, wanted.length)).toEqual(wanted);
  });
});

describe("autoloop", () => {
  test("its configuration is read", () => {
    expect(readAutoloop(example("autoloop.yaml"), "autoloop.yaml")).toEqual({
      agents: { maker: { kind: "codex", model: "gpt-5.4" } },
      stages: ["plan", "implement", "test", "audit"],
      limits: { rounds: 15 },
      full_auto_answers: false,
      follow_up_depth: 3,
    });
  });
});

describe("hope loop", () => {
  test("its request has its score, point by point, and its kind of work", () => {
    const found = intake("refactor all API routes to use validation middleware");
    expect(found.dimensions.map(({ name, score }) => [name, score])).toEqual([
      ["outcome", 2],
      ["scope", 2],
      ["constraints", 1],
      ["success", 1],
      ["done", 1],
    ]);
    expect(found).toMatchObject({ score: 7, shape: "colleague", workflow: "refactor" });
  });

  test("the state of its example is what the loop writes for the same run, and can be imported", () => {
    const wanted = JSON.parse(example("state.json"));
    const run = begin(
      contractOf(
        [
          feature("step1", { criteria: ["no lint errors"] }),
          feature("step2", { criteria: ["tests pass"] }),
          feature("step3", { criteria: ["all routes refactored"] }),
        ],
        { request: wanted.spec },
      ),
    );
    const [step1, step2, step3] = run.contract.features.map(({ id }) => id);
    if (step1 === undefined || step2 === undefined || step3 === undefined) throw new Error("three steps");
    const progress = progresses([
      [step1, newProgress("complete")],
      [step2, newProgress("not-started")],
      [step3, newProgress("not-started")],
    ]);
    const state = JSON.parse(stateText({ ...run, progress, spent: { ...run.spent, iterations: 2 } }, emptyChronicle));
    const { criteria, ...rest } = wanted;
    expect(state).toMatchObject(rest);
    expect(state.criteria.toSorted()).toEqual(criteria.toSorted());
    expect(Object.keys(state).filter((key) => key in wanted)).toEqual(Object.keys(wanted));
    const [imported] = importFeatures(".loop/state.json", example("state.json"), null).features;
    expect(imported?.criteria).toEqual(criteria);
  });

  test("its status blocks, announcements and completion are written byte for byte, and read back", () => {
    const users = "/api/users refactored";
    const auth = "/api/auth refactored";
    const going = { [users]: true, [auth]: false, "tests pass": false };
    const met = { [users]: true, [auth]: true, "tests pass": true };
    const status = statusBlock({ exitSignal: false, criteria: going, stuckCount: 0, next: "Refactor /api/auth" });
    expect(`${status}\n`).toBe(example("status.txt"));
    expect(`${statusBlock({ exitSignal: true, criteria: met, stuckCount: 0, next: "none" })}\n`).toBe(
      example("done.txt"),
    );
    expect(findStatusBlock(example("done.txt"))?.value).toMatchObject({ exit_signal: true, criteria: met });
    const before = beforeIteration({ number: 1, most: 10, cost: "$0.50/$25", step: "Refactor /api/users" });
    const after = afterIteration({ step: "/api/users", done: 1, total: 4, next: "/api/auth" });
    expect(`${before}\n${after}\n`).toBe(example("announcements.txt"));
    const all = [users, auth, "/api/products refactored", "/api/orders refactored", "All tests pass"];
    expect(`${complete(all)}\n`).toBe(example("complete.txt"));
  });
});
