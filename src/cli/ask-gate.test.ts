// Who begins a run that answers questions itself is not there to answer one.
import { expect, test } from "vitest";
import { begin } from "../core/run.ts";
import { newStory } from "../report/story.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { questionFor } from "./ask-gate.ts";

test.each([
  [true, false],
  [false, true],
])("if a run answers its questions itself (%s), one that is left prompts: %s", (fullAutoAnswers, prompts) => {
  const contract = contractOf([feature("F1")], { fullAutoAnswers });
  const item = { feature: null, question: "Which?", supposition: "" } as const;
  const run = {
    ...begin(contract),
    inbox: [{ kind: "question", ...item }],
    now: { is: "resting", outcome: { kind: "needs-person", need: { about: "question", waiting: 1, ...item } } },
  };
  const asked = questionFor({ ...newStory(contract), run } as never, {} as never);
  expect(asked !== null).toBe(prompts);
});
