// The proof: found by its hash, bound to one tree, the same when it is made again.
import { expect, test } from "vitest";
import { Bug } from "../../core/errors.ts";
import { checkpointId, featureId, treeId } from "../../core/ids.ts";
import type { Candidate, Work } from "../../core/run.ts";
import type { RunFiles } from "../ports.ts";
import { type Evidence, keepEvidence, readEvidence, sealProof, sha256 } from "./proof-file.ts";

const [base, tree, other] = ["a", "b", "c"].map((digit) => treeId(digit.repeat(40))) as [
  ReturnType<typeof treeId>,
  ReturnType<typeof treeId>,
  ReturnType<typeof treeId>,
];
const mark = { checkpoint: checkpointId("r.i1"), tree: base, head: null };
const work: Work = { feature: featureId("F001"), iteration: 1, attempt: 1, stage: "implement", mark, base: mark };

function files(): RunFiles & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    path: (path) => path,
    read: (path) => all.get(path) ?? null,
    write: (path, text) => void all.set(path, text),
  };
}

const evidence = {
  version: 1,
  run: "r",
  feature: "F001",
  iteration: 1,
  attempt: 1,
  base: { tree: base, head: null },
  candidate: tree,
  checks: [{ name: "test", command: "npm test", on: "candidate", how: "green", exitCode: 0, output: "x.log" }],
  seal: { hash: "h", changed: [], deleted: [] },
  witness: { seen: true, why: "test was red", tests: ["test/a.js"] },
  touched: ["src/a.js"],
  grade: "strong",
  weakness: [],
  failures: [],
} as unknown as Evidence;

function proved(): { at: ReturnType<typeof files>; candidate: Candidate } {
  const at = files();
  const candidate: Candidate = { tree, proof: keepEvidence(at, evidence), grade: "strong" };
  at.write("verdicts/F001-i1.json", JSON.stringify({ tree, evidence: candidate.proof, reply: { pass: true } }));
  return { at, candidate };
}

test("evidence is read back by its hash, and altered evidence is not", () => {
  const { at, candidate } = proved();
  expect(readEvidence(at, candidate.proof)).toEqual(evidence);
  at.write(`evidence/${candidate.proof}.json`, "{}");
  expect(() => readEvidence(at, candidate.proof)).toThrow(Bug);
});

test("a proof made twice is the same file, and its name is its hash", () => {
  const { at, candidate } = proved();
  const first = sealProof(at, work, candidate);
  expect(sealProof(at, work, candidate)).toBe(first);
  expect(sha256(at.read("proofs/F001-i1.json") ?? "")).toBe(first);
});

test.each([
  {
    title: "without a verdict",
    spoil: (at: RunFiles & { all: Map<string, string> }) => at.all.delete("verdicts/F001-i1.json"),
  },
  {
    title: "with a verdict on another tree",
    spoil: (at: RunFiles) => at.write("verdicts/F001-i1.json", JSON.stringify({ tree: other })),
  },
])("$title there is no proof", ({ spoil }) => {
  const { at, candidate } = proved();
  spoil(at);
  expect(() => sealProof(at, work, candidate)).toThrow(Bug);
});

test("evidence of another tree than the one to commit is no proof", () => {
  const { at, candidate } = proved();
  expect(() => sealProof(at, work, { ...candidate, tree: other })).toThrow(Bug);
});
