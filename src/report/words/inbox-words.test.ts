// Every inbox item says what it is, its root cause and the next step, wherever it is shown.
import { expect, test } from "vitest";
import { assumedKey, type Cause } from "../../core/cause.ts";
import { type FeatureId, featureId } from "../../core/ids.ts";
import type { InboxItem } from "../../core/inbox.ts";
import { progresses, withProgress } from "../../core/progresses.ts";
import { begin, newProgress, type Run } from "../../core/run.ts";
import { setInbox } from "../../formats/contract/inbox.ts";
import { inboxLine, inboxWords } from "./inbox-words.ts";

const [F1, F2] = [featureId("F001"), featureId("F002")];
const cause: Cause = { kind: "check-red", key: "k", text: "test (npm test) is red, exit code 1\nExpected 2, got 3" };
const features = [
  { id: F1, dependencies: [] as FeatureId[] },
  { id: F2, dependencies: [F1] },
];
const broken: Cause = {
  ...{ kind: "must-not", key: "m", text: "" },
  frame: { is: "must-not", broken: "the tone is rude" },
};
const failed = (over: Cause, is: "same-cause" | "must-not" = "same-cause"): InboxItem => ({
  kind: "failed",
  feature: F1,
  over: { is },
  cause: over,
});
const gap = { id: "G1", blocking: true, text: "No help.", evidence: ["--help prints nothing"] };
const withItem = (of: InboxItem): Run => ({
  ...begin({ features, recordsDir: "docs" } as never),
  progress: progresses([
    [F1, { ...newProgress("blocked"), lastCause: cause }],
    [F2, newProgress("not-started")],
  ]),
  inbox: [of],
});

test.each<{ of: InboxItem; next: RegExp }>([
  { of: failed(cause), next: /^Read the reason, then: loop continue\. .* loop continue --intent replace "…"$/ },
  { of: { kind: "blocked", feature: F1, by: { is: "rejected", by: "Pat" } }, next: /--intent replace "…"$/ },
  { of: { kind: "blocked", feature: null, by: { is: "no-work" } }, next: /--intent append "…"\. To end the run/ },
  { of: { kind: "check-red", feature: null, check: "lint" }, next: /--intent append "…"$/ },
])("where the repository has no queue, $of.kind is not corrected in a file", ({ of, next }) => {
  const run = withItem(of);
  const [item] = inboxWords({ ...run, contract: { ...run.contract, recordsDir: ".loop/records" } });
  expect(item?.next).toMatch(next);
});

test.each<{ of: InboxItem; what: string; rootCause: RegExp; next: RegExp }>([
  {
    of: { kind: "question", feature: F1, question: "Which?", supposition: "I would guess." },
    what: "Which?",
    rootCause: /only you can decide/,
    next: /^loop answer F001 "…"$/,
  },
  {
    of: { kind: "question", feature: null, question: "Which?", supposition: "" },
    what: "Which?",
    rootCause: /only you can decide/,
    next: /^loop answer "…"$/,
  },
  {
    of: failed({ kind: "verdict", key: "v", text: "Too slow." }),
    what: "The same root cause twice. Too slow.",
    rootCause: /^a check is red \(test \(npm test\) is red, exit code 1\)$/,
    next: /^Read the reason, correct the feature in docs\/FEATURES\.json if it is wrong, then: loop continue$/,
  },
  {
    of: failed(broken, "must-not"),
    what: "A must-not became true: the tone is rude",
    rootCause: /^a check is red/,
    next: /^Read the reason, correct the feature in docs\/FEATURES\.json if it is wrong, then: loop continue$/,
  },
  {
    of: { ...failed(cause), over: { is: "attempts", attempts: 3 } } as InboxItem,
    what: `Not done after 3 attempts. ${cause.text}`,
    rootCause: /^a (?:check is red|must-not became true)\.$/,
    next: /loop continue/,
  },
  {
    of: { kind: "blocked", feature: F2, by: { is: "dependencies", missing: [F1] } },
    what: "It needs F001, not done yet.",
    rootCause: /F001: a check is red/,
    next: /^Finish what it needs/,
  },
  {
    of: { kind: "blocked", feature: null, by: { is: "no-work" } },
    what: "No feature is left to work on, and this run has done none.",
    rootCause: /before the run began/,
    next: /^Add a feature to docs\/FEATURES\.json/,
  },
  {
    of: { kind: "blocked", feature: F1, by: { is: "blocked-before" } },
    what: "It was blocked before this run began.",
    rootCause: /a check is red/,
    next: /loop continue$/,
  },
  {
    of: { kind: "blocked", feature: F1, by: { is: "rejected", by: "Pat" } },
    what: "Pat rejected the work on it and gave no reason.",
    rootCause: /a check is red/,
    next: /^Change its description or criteria in docs\/FEATURES\.json/,
  },
  {
    of: { kind: "check-red", feature: null, check: "lint" },
    what: "Every feature is complete, and the check lint is still red.",
    rootCause: /have to be green in the end/,
    next: /^Add a feature/,
  },
  {
    of: { kind: "gap", feature: null, gap },
    what: "G1: asked for, and not there: No help.\n--help prints nothing",
    rootCause: /the audit did not find it/,
    next: /request it: loop/,
  },
  {
    of: { kind: "unproved", feature: F1, tests: [], missing: [] },
    what: "It could not be proved. What is missing:\nNothing shows that it does what was asked.",
    rootCause: /own runs do not show/,
    next: /^loop accept F001, or: loop reject F001/,
  },
  {
    of: { kind: "contradiction", feature: F1, tests: ["test/a.js > a"], missing: [] },
    what: "It rewrote protected files, and everything else about it holds:\ntest/a.js > a",
    rootCause: /Old tests say one thing/,
    next: /^loop allow F001, or: loop reject F001/,
  },
  {
    of: { kind: "contradiction", feature: F1, tests: ["test/a.js > a"], missing: ["A name is gone."] },
    what: "It rewrote protected files:\ntest/a.js > a\nAnd there is more to look at:\nA name is gone.",
    rootCause: /Old tests say one thing/,
    next: /^loop allow F001/,
  },
  {
    of: { kind: "permission", feature: F1, tests: ["test/a.js"], missing: ["It asserts the bug."] },
    what: "Its builder asks to change protected tests:\ntest/a.js\nIt asserts the bug.",
    rootCause: /says its builder/,
    next: /^loop allow F001/,
  },
  {
    of: {
      kind: "unproved",
      feature: F1,
      tests: [],
      missing: [],
      refused: { decided: { how: "accept", by: "Pat" }, cause },
    },
    what: `Pat accepted it, but the checks fail: ${cause.text}`,
    rootCause: /own runs do not show/,
    next: /^loop reject F001 .*take it again: loop accept F001$/,
  },
])("$of.kind of $of.feature says what it is, its root cause and the next step", ({ of, what, rootCause, next }) => {
  const [words] = inboxWords(withItem(of));
  expect(words).toMatchObject({ what, rootCause: expect.stringMatching(rootCause), next: expect.stringMatching(next) });
  const written = setInbox("## Triage Inbox\n\n(empty)\n", inboxWords(withItem(of)).map(inboxLine));
  expect(written).toMatch(/Root cause: \S[\s\S]* Next: \S/);
});

test("a verdict has the evaluator's own root cause", () => {
  const frame = { is: "verdict", unmet: ["It is fast"], rootCause: "every request\nopens a file" } as const;
  const verdict: Cause = { kind: "verdict", key: "v", text: "Too slow.", frame };
  const run = withItem(failed(verdict));
  const told = { ...run, progress: withProgress(run.progress, F1, { ...newProgress("blocked"), lastCause: verdict }) };
  expect(inboxWords(told)[0]?.rootCause).toBe("the evaluator did not pass it (every request opens a file)");
});

test("a very long text does not push the root cause or the next step out of the list", () => {
  const long = { ...cause, text: "x".repeat(5000) };
  const run = withItem(failed({ ...cause, text: "word ".repeat(2000) }));
  const lines = inboxWords({
    ...run,
    progress: withProgress(run.progress, F1, { ...newProgress("blocked"), lastCause: long }),
  }).map(inboxLine);
  const written = setInbox("", lines);
  expect(written).toContain("Root cause: a check is red");
  expect(written).toContain("Next: Read the reason");
  expect(written).not.toMatch(/…\s*$/);
});

test("an empty question is shown as empty", () => {
  const [words] = inboxWords(withItem({ kind: "question", feature: F1, question: " ", supposition: " " }));
  expect(words).toMatchObject({ what: "The agent gave no text.", supposition: null });
});

test("what is to be assumed has that as its root cause: the loop's own runs had nothing to show", () => {
  const run = withItem({ kind: "unproved", feature: F1, tests: [], missing: ["nobody minds"] });
  const lastCause: Cause = { kind: "unproved", key: assumedKey, text: "nobody minds", frame: { is: "unproved" } };
  const progress = withProgress(run.progress, F1, { ...newProgress("blocked"), lastCause });
  expect(inboxWords({ ...run, progress })[0]?.rootCause).toBe(
    "Its contract leaves this to be assumed, and only you can accept that.",
  );
});
