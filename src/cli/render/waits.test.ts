// One who looks at a run that waits for a usage limit is told so, and until when.
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { begin, type Run } from "../../core/run.ts";
import { overview } from "../../report/overview.ts";
import { newStory, type Story } from "../../report/story.ts";
import { contractOf, feature } from "../../testing/world/contracts.ts";
import { Screen } from "../screen.ts";
import { painter } from "./paint.ts";
import { whereText } from "./where.ts";

const paint = painter(false);
const until = Date.UTC(2026, 10, 19, 5);
const contract = contractOf([feature("F1")]);
const now: Run["now"] = {
  is: "waiting",
  until,
  because: "The plan's five hours are used up.",
  resume: { is: "between" },
};
const story: Story = { ...newStory(contract), run: { ...begin(contract), now } };

test.each([true, false])("loop alone says so, also of one run of several (driven: %s)", (isDriven) => {
  const run = overview(story, { isDriven });
  const rest = {
    since: 0,
    waiting: [],
    unbegun: [],
    open: { features: [], goalIn: null, path: "", problem: null },
    next: null,
  };
  for (const runs of [[run], [run, run]])
    expect(whereText({ ...rest, runs, none: "" }, paint)).toMatch(/[Ww]ait\w* until 2026-11-19T05:00:00Z/);
});

test.each([true, false])("a pipe that joins it prints one line (loop watch: %s)", (joins) => {
  const out = new PassThrough();
  const screen = new Screen({ out: out as never, paint, mode: "lines", joins });
  screen.show({ type: "story", story, seq: 1 }, story);
  expect(String(out.read()).trim()).toMatch(/^wait +until 2026-11-19T05:00:00Z: The plan's five hours are used up\.$/m);
});
