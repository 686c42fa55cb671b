import { expect, test } from "vitest";
import { UserError } from "../core/errors.ts";
import { begin } from "../core/run.ts";
import { subjectId } from "../engines/first-answer.ts";
import { F1 } from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { answerTo } from "./answers.ts";

const asking = {
  ...begin(contractOf([feature("F1")])),
  inbox: [{ kind: "question", feature: F1, question: "Second?", supposition: "" }] as const,
};

const idOf = (question: string): string => subjectId({ feature: F1, question });

test.each([
  { named: "by its id", shown: idOf("Second?"), taken: true },
  { named: "not at all", shown: undefined, taken: true },
  { named: "by the id of another one", shown: idOf("First?"), taken: false },
  { named: "by its text, as it is displayed", shown: "Second?", taken: false },
])("an answer that names the open question $named is taken: $taken", ({ shown, taken }) => {
  const answering = () => answerTo(asking, { feature: F1, question: shown, answer: "a" });
  if (!taken) return expect(answering).toThrow(UserError);
  expect(answering()).toMatchObject({ type: "answered", feature: F1, question: "Second?", answer: "a" });
});
