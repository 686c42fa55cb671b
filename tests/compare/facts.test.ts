// npm run compare must be able to fail: two runs with any difference that a person would see have different facts.
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { differencesOf, verdictOf } from "../../scripts/compare/differences.mjs";
import { factsOf } from "../../scripts/compare/normal.mjs";
import { play, type Seen } from "../../scripts/compare/scenario.mjs";
import { scenarios } from "../../scripts/compare/scenarios/index.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
let seen: Seen;

beforeAll(async () => {
  const scenario = scenarios.find(({ name }) => name === "plain/done");
  if (scenario === undefined) throw new Error("there is no scenario plain/done");
  seen = await play(root, scenario);
});

/** The names of the facts that differ after this change to a copy of the run. */
function factsAfter(change: (copy: Seen) => void): string[] {
  const copy = structuredClone(seen);
  change(copy);
  return differencesOf(factsOf(seen), factsOf(copy)).map(({ fact }) => fact);
}

const first = <T>(all: readonly T[] | null | undefined): T => {
  const [one] = all ?? [];
  if (one === undefined) throw new Error("the run has none");
  return one;
};
const statusOf = (copy: Seen) => first(copy.runs).status;
const featureCommit = (copy: Seen) => first(copy.commits.filter(({ message }) => message.startsWith("feat(F001)")));

describe("the facts of a run", () => {
  test("hold the run's results", () => {
    const facts = factsOf(seen);
    expect(facts["exits"]).toEqual(["run → 0"]);
    expect(facts["features"]).toEqual([
      "<run 1> F001 Add f001(): complete, grade strong, 1 attempts, commit <commit 2>",
    ]);
    expect(facts["sessions"]).toEqual(["builder F001 attempt 1", "evaluator F001 attempt 1"]);
    expect(facts["spent"]?.[0]).toBe("<run 1>: $0.02, 2200 tokens, 2 sessions, 1 iterations, 1 commits");
    expect(facts["commits"]).toContain("<commit 2> feat(F001): Add f001()");
  });

  test("are the same with other ids, hashes, times and durations", () => {
    const text = JSON.stringify(seen)
      .replaceAll(seen.dir, "/elsewhere/loop-compare-x")
      .replaceAll(/\d{8}-\d{6}\.\d{3}-[0-9a-f]{6}/g, "20270102-030405.678-abcdef")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2027-01-02T03:04:05Z")
      .replaceAll(/\d+\.\d s of/g, "98.7 s of");
    const other = seen.commits.reduce(
      (all, { hash }) => all.replaceAll(hash.slice(0, 10), [...hash.slice(0, 10)].reverse().join("")),
      text,
    );
    expect(other).not.toBe(JSON.stringify(seen));
    expect(differencesOf(factsOf(seen), factsOf(JSON.parse(other) as Seen))).toEqual([]);
  });

  test("are the same when the records were saved twice, with another duration", () => {
    const again = (copy: Seen): void => {
      const last = first(copy.commits.slice(-1));
      const hash = "f00d".repeat(10);
      const records = Object.entries(last.records).map(([path, text]) => [
        path,
        text.replace(/[\d.]+ s of/, "9.9 s of"),
      ]);
      copy.commits.push({ ...last, hash, records: Object.fromEntries(records) });
      for (const ref of copy.refs) ref.hash = hash;
    };
    expect(factsAfter(again)).toEqual([]);
  });

  test("are the same when a record in the folder has another duration than the committed one", () => {
    const later = (copy: Seen): void => {
      const path = "docs/PROGRESS.md";
      copy.records[path] = (copy.records[path] ?? "").replace(/[\d.]+ s of/, "9.9 s of");
      copy.status.unshift(` M ${path}`);
    };
    expect(factsAfter(later)).toEqual([]);
    expect(factsAfter((copy) => copy.status.unshift(" M src/old.js"))).toEqual(["workspace"]);
  });

  test.each<[what: string, fact: string, change: (copy: Seen) => void]>([
    ["another exit code", "exits", (copy) => copy.exits.splice(0, 1, "run → 7")],
    ["a missing commit", "commits", (copy) => copy.commits.splice(1, 1)],
    ["another subject", "commits", (copy) => (featureCommit(copy).message = "feat(F001): Add f002()")],
    ["another trailer", "commits", (copy) => (featureCommit(copy).message += "\nLoop-Accepted-By: Person")],
    ["another author", "commits", (copy) => (featureCommit(copy).author = "Agent <agent@example.invalid>")],
    ["another tree", "commits", (copy) => (featureCommit(copy).tree = "0".repeat(64))],
    ["another outcome", "outcome", (copy) => (statusOf(copy).outcome = { kind: "inbox" })],
    ["another grade", "features", (copy) => (first(statusOf(copy).features).grade = "weak")],
    ["another status", "features", (copy) => (first(statusOf(copy).features).status = "blocked")],
    ["one attempt more", "features", (copy) => first(copy.runs).chronicle?.iterations.push({ feature: "F001" })],
    ["an item in the inbox", "inbox", (copy) => first(copy.runs).inbox?.push({ kind: "question", feature: "F001" })],
    ["another session", "sessions", (copy) => copy.sessions.push("evaluator F001 attempt 1")],
    ["another cost", "spent", (copy) => (statusOf(copy).spent.costUsd += 0.000001)],
    ["other tokens", "spent", (copy) => (statusOf(copy).spent.tokens += 1)],
    ["one session more", "spent", (copy) => (statusOf(copy).spent.sessions += 1)],
    ["an untracked file", "workspace", (copy) => copy.status.push("?? left.txt")],
    ["another content", "workspace", (copy) => copy.files.push("src/old.js 0000")],
    ["another branch", "workspace", (copy) => (copy.branch = "refs/heads/other")],
    ["a stash", "workspace", (copy) => copy.stashes.push("On main: mine")],
    [
      "held work",
      "workspace",
      (copy) => copy.refs.push({ ...first(copy.refs), name: "refs/heads/loop/held/F001", hash: "a1".repeat(20) }),
    ],
    ["another record", "records", (copy) => (copy.records["docs/LOOP.md"] += "- F001: look at this\n")],
    ["something set aside", "set-aside", (copy) => copy.setAside?.push({ why: "F001: rolled back", files: 1 })],
  ])("distinguish %s", (_, fact, change) => {
    expect(factsAfter((copy) => void change(copy))).toContain(fact);
  });
});

describe("a difference", () => {
  const [old, now] = [{ exits: ["run → 0", "inbox → 0"] }, { exits: ["run → 7", "inbox → 0"] }];
  const intended = [
    { name: "held-now", scenario: "plain/done", fact: "exits", reason: "it is held now" },
    { name: "new-form", fact: "records", lines: /^docs\/LOOP\.md: /, reason: "it has other headings" },
  ];

  test("is shown as diff lines", () => {
    expect(differencesOf(old, now)).toEqual([{ fact: "exits", lines: ["- run → 0", "+ run → 7"] }]);
  });

  test.each([
    { scenario: "plain/done", facts: [], says: "same" },
    { scenario: "plain/done", facts: ["exits"], says: "intended" },
    { scenario: "plain/done", facts: ["exits", "spent"], says: "differs" },
    { scenario: "plain/request", facts: ["exits"], says: "differs" },
  ])("of $scenario in $facts is $says", ({ scenario, facts, says }) => {
    const differences = facts.map((fact) => ({ fact }));
    expect(verdictOf(scenario, differences, intended)).toBe(says);
  });

  test.each([
    { lines: ["  docs/LOOP.md: a", "- docs/LOOP.md: b", "+ docs/LOOP.md: c"], says: "intended" },
    { lines: ["  docs/LOOP.md: a", "- docs/LOOP.md: b", "+ docs/FEATURES.json: c"], says: "differs" },
  ])("that is explained by its lines has no others: $lines is $says", ({ lines, says }) => {
    expect(verdictOf("any/scenario", [{ fact: "records", lines }], intended)).toBe(says);
  });
});

test("every scenario has a unique name", () => {
  const names = scenarios.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
