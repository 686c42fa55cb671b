// What waits for a person, of several runs.
import { expect, test } from "vitest";
import { update } from "../core/attempt.ts";
import { begin, type Run } from "../core/run.ts";
import { rest } from "../core/stop.ts";
import { newStory } from "../report/story.ts";
import { F1 } from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import type { Reading } from "./engine.ts";
import { everythingWaiting } from "./waiting.ts";

const contract = contractOf([feature("F1")]);
const asking: Run = rest(
  { ...begin(contract), inbox: [{ kind: "question", feature: F1, question: "Which?", supposition: "" }] },
  { kind: "needs-person", need: { about: "request-changed" } },
  { is: "between" },
);

/** Newest first. */
const over = (runs: Readonly<Record<string, Run>>) => ({
  runs: async () => Object.keys(runs),
  read: async (id: string) => ({ story: { ...newStory(contract), run: runs[id] }, isDriven: false }) as Reading,
});
const waitingIn = async (runs: Readonly<Record<string, Run>>) =>
  (await everythingWaiting(over(runs), undefined)).map(({ runId, kind, about }) => `${runId} ${kind} ${about}`);

test("of two runs that rest with the same question, both wait for an answer", async () => {
  expect(await waitingIn({ later: asking, earlier: asking })).toEqual(["later question F1", "earlier question F1"]);
});

test("a question about a feature that a later run has done waits no more", async () => {
  const done = update({ ...asking, inbox: [] }, F1, { status: "complete" });
  expect(await waitingIn({ later: { ...done, now: { is: "between" } }, earlier: asking })).toEqual(["later rest run"]);
});
