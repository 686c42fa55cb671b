import { expect, test } from "vitest";
import { UserError } from "../core/errors.ts";
import { begin } from "../core/run.ts";
import { F1 } from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { answerTo } from "./answers.ts";

const asking = {
  ...begin(contractOf([feature("F1")])),
  inbox: [{ kind: "question", feature: F1, question: "Second?", supposition: "" }] as const,
};

test.each([
  { shown: "Second?", taken: true },
  { shown: undefined, taken: true },
  { shown: "First?", taken: false },
])("an answer to the shown question $shown, while the second is open: taken $taken", ({ shown, taken }) => {
  const answering = () => answerTo(asking, { feature: F1, question: shown, answer: "a" });
  if (!taken) return expect(answering).toThrow(UserError);
  expect(answering()).toMatchObject({ type: "answered", feature: F1, question: "Second?", answer: "a" });
});
