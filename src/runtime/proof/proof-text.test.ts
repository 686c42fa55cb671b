// The evidence in a few lines: what an evaluator and people read of it.
import { expect, test } from "vitest";
import type { RunFiles } from "../ports.ts";
import { type Evidence, keepEvidence, proofText } from "./proof-file.ts";

const counts = { passed: 2, failed: 0, skipped: 1, total: 3, names: null };
const checked = { name: "test", command: "npm test", how: "green", exitCode: 0, output: "x.log" };
const evidence = {
  checks: [
    { ...checked, on: "candidate", counts },
    { ...checked, on: "sealed", counts: null },
    { ...checked, on: "before", how: "failed" },
  ],
  witness: { seen: true, why: "test was red", tests: [] },
  seal: { hash: "h", changed: [], deleted: [] },
  weakness: [],
} as unknown as Evidence;

const text = (change: Partial<Evidence>): string[] => {
  const all = new Map<string, string>();
  const files: RunFiles = {
    path: (path) => path,
    read: (path) => all.get(path) ?? null,
    write: (path, content) => void all.set(path, content),
  };
  return proofText(files, keepEvidence(files, { ...evidence, ...change })).split("\n");
};

test("says of each check where it ran, how it ended, and how many tests that were", () => {
  expect(text({})).toEqual([
    "test (npm test) on the change: green, 3 tests, 1 skipped",
    "test (npm test) with the sealed tests laid back: green",
    "test (npm test) on the code as it was before: failed",
    "Red first: test was red",
  ]);
});

test("says what is missing, what was changed and moved, what weakens it, and what is worth knowing", () => {
  const seal = { hash: "h", changed: ["test/a.js", "test/b.js"], deleted: [], renamed: ["c → d", "e → f"] };
  const witness = { seen: false, why: "no test", tests: [] };
  expect(text({ checks: [], witness, seal, weakness: ["Weak."], remarks: ["Known."] })).toEqual([
    "Not red first: no test",
    "Sealed files that were changed: test/a.js, test/b.js",
    "Tests that moved: c → d, e → f",
    "Weak.",
    "Known.",
  ]);
  expect(text({ checks: [], seal: { ...seal, changed: [], renamed: [] } })).toEqual(["Red first: test was red"]);
});
