// What counts as the agent's own statement, and what does not.
import { expect, test } from "vitest";
import { readExitSignal } from "./exit-signal.ts";

const block = (...lines: string[]): string => `Well.\n---LOOP_STATUS---\n${lines.join("\n")}\n---END_STATUS---\n`;

test.each([
  { title: "no block", message: "All done!", given: false },
  { title: "an empty message", message: "", given: false },
  { title: "true", message: block("EXIT_SIGNAL: true"), given: true },
  { title: "false", message: block("EXIT_SIGNAL: false"), given: false },
  { title: "a word that is not true", message: block("EXIT_SIGNAL: yes"), given: false },
  { title: "a block that never ends", message: "---LOOP_STATUS---\nEXIT_SIGNAL: true", given: false },
  {
    title: "two blocks, the last false",
    message: block("EXIT_SIGNAL: true") + block("EXIT_SIGNAL: false"),
    given: false,
  },
  { title: "JSON", message: block('{"exit_signal": true}'), given: true },
  { title: "JSON in capitals", message: block('{"EXIT_SIGNAL": true}'), given: true },
  { title: "a promise", message: '<loop-control>{"kind":"promise","promise":"COMPLETE"}</loop-control>', given: true },
  { title: "a broken promise", message: '<loop-control>{"promise":"BLOCKED"}</loop-control>', given: false },
])("$title: given is $given", ({ message, given }) => {
  expect(readExitSignal(message, []).given).toBe(given);
});

test.each([
  { title: "all ticked", said: '{"fast": true, "small": true}', unticked: [] },
  { title: "one denied", said: '{"fast": false, "small": true}', unticked: ["fast"] },
  { title: "one not mentioned", said: '{"fast": true}', unticked: ["small"] },
  { title: "none mentioned", said: "none", unticked: ["fast", "small"] },
  { title: "a list", said: '["fast", "small"]', unticked: ["fast", "small"] },
  {
    title: "one only assumed",
    said: '{"fast": {"met": true, "verification": "assumption"}, "small": {"met": true, "verification": "measurement"}}',
    unticked: ["fast"],
  },
  { title: "one of the agent's own denied", said: '{"fast": true, "small": true, "docs": false}', unticked: ["docs"] },
])("$title: unticked is $unticked", ({ said, unticked }) => {
  expect(readExitSignal(block("EXIT_SIGNAL: true", `CRITERIA: ${said}`), ["fast", "small"]).unticked).toEqual(unticked);
});

test.each([
  {
    how: "only ticked",
    tick: "true",
    unticked: ["looks nice (verified by observation)", "safe (verified by assumption)"],
  },
  {
    how: "shown in another way",
    tick: '{"met": true, "verification": "code review"}',
    unticked: ["looks nice (verified by observation)", "safe (verified by assumption)"],
  },
  {
    how: "shown as it has to be",
    tick: '{"met": true, "verification": "observation"}',
    unticked: ["safe (verified by assumption)"],
  },
])("a criterion that says how it has to be shown, $how: unticked is $unticked", ({ tick, unticked }) => {
  const criteria = ["looks nice (verified by observation)", "safe (verified by assumption)"];
  const said = block("EXIT_SIGNAL: true", `CRITERIA: {"looks nice": ${tick}, "safe": true}`);
  expect(readExitSignal(said, criteria).unticked).toEqual(unticked);
});

test.each([
  [block("EXIT_SIGNAL: false", "QUESTION: Which of the two?"), "Which of the two?"],
  [block("EXIT_SIGNAL: false", "QUESTION: none"), null],
  [block("EXIT_SIGNAL: false", "QUESTION:"), null],
  [block('{"question": {"text": "Which?"}}'), "Which?"],
])("%j asks %j", (message, question) => {
  expect(readExitSignal(message, []).question).toBe(question);
});

test.each([
  { title: "in the block", message: block("EXIT_SIGNAL: false", "QUESTION: Which one?") },
  { title: "after the block", message: `${block("EXIT_SIGNAL: false")}\nQUESTION: Which one?\n\nThanks.` },
  { title: "before the block", message: `QUESTION: Which one?\n\n${block("EXIT_SIGNAL: false")}` },
  { title: "without a block", message: "I cannot go on.\nQUESTION: Which one?" },
])("a question $title is one", ({ message }) => {
  expect(readExitSignal(message, []).question).toBe("Which one?");
});

test("a question that is none, or only mentioned, is none", () => {
  expect(readExitSignal(block("EXIT_SIGNAL: true", "QUESTION: none"), []).question).toBe(null);
  expect(readExitSignal("I was told to say QUESTION: and what I need.", []).question).toBe(null);
});
