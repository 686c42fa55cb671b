// What waits for a person says what it is, its root cause and the next step, whatever kind it is of and wherever it is read.
import { expect, test } from "vitest";
import { type FeatureId, featureId } from "../../core/ids.ts";
import { progresses, replaced } from "../../core/progresses.ts";
import { begin, type Cause, type InboxItem, newProgress, type Run } from "../../core/run.ts";
import { setInbox } from "../../formats/inbox.ts";
import { inboxLines, inboxWords } from "./inbox-words.ts";

const [F1, F2] = [featureId("F001"), featureId("F002")];
const cause: Cause = { kind: "check-red", key: "k", text: "test (npm test) is red, exit code 1\nExpected 2, got 3" };
const features = [
  { id: F1, dependencies: [] as FeatureId[] },
  { id: F2, dependencies: [F1] },
];
const item = (kind: InboxItem["kind"], feature: FeatureId | null, text = "Something is the matter."): InboxItem => ({
  kind,
  feature,
  text,
  supposition: kind === "question" ? "I would guess." : null,
  next: "Mend it, then: loop continue",
});
const withItem = (of: InboxItem): Run => ({
  ...begin({ features } as never),
  progress: progresses([
    [F1, { ...newProgress("blocked"), lastCause: cause }],
    [F2, newProgress("not-started")],
  ]),
  inbox: [of],
});

test.each([
  { of: item("question", F1), rootCause: /only you can decide/ },
  { of: item("failed", F1), rootCause: /a check is red \(test \(npm test\) is red, exit code 1\)/ },
  { of: item("failed", F1, `Twice. ${cause.text}`), rootCause: /^a check is red\.$/ },
  { of: item("blocked", F2), rootCause: /F001: a check is red/ },
  { of: item("blocked", null), rootCause: /before the run began/ },
  { of: item("check-red", null), rootCause: /have to be green in the end/ },
  { of: item("gap", null), rootCause: /the audit did not find it/ },
])("$of.kind of $of.feature has a root cause and a next step, in the list of LOOP.md as well", ({ of, rootCause }) => {
  const [words] = inboxWords(withItem(of));
  expect(words?.rootCause).toMatch(rootCause);
  expect(words?.next).toBe(of.next);
  const written = setInbox("## Triage Inbox\n\n(empty)\n", inboxLines(withItem(of)));
  expect(written).toMatch(/Root cause: \S[\s\S]* Next: Mend it, then: loop continue\n/);
});

test("a text as long as a book does not push the root cause or the next step out of the list", () => {
  const long = { ...cause, text: "x".repeat(5000) };
  const run = withItem(item("failed", F1, "word ".repeat(2000)));
  const lines = inboxLines({
    ...run,
    progress: replaced(run.progress, F1, { ...newProgress("blocked"), lastCause: long }),
  });
  const written = setInbox("", lines);
  expect(written).toContain("Root cause: a check is red");
  expect(written).toContain("Next: Mend it, then: loop continue");
  expect(written).not.toMatch(/…\s*$/);
});

test("an item that says nothing still says what to do", () => {
  const [words] = inboxWords(withItem({ ...item("blocked", F1, " "), next: "" }));
  expect(words).toMatchObject({ what: "Nothing was said.", next: "loop continue" });
});
