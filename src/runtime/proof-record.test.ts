// The proof that a commit names: bound to one tree, reproducible, with a verdict or a person.
import { expect, test } from "vitest";
import { Bug } from "../core/errors.ts";
import { checkpointId, featureId, treeId } from "../core/ids.ts";
import type { Candidate, Work } from "../core/run.ts";
import { sha256 } from "../formats/text/sha256.ts";
import type { Proved } from "../proof/prover.ts";
import { Faults } from "../testing/world/faults.ts";
import { worldFiles } from "../testing/world/files.ts";
import { taped } from "../testing/world/random.ts";
import { keepProved, provedText, sealProof } from "./proof-record.ts";

const [base, tree, other] = [treeId("a".repeat(40)), treeId("b".repeat(40)), treeId("c".repeat(40))];
const mark = { checkpoint: checkpointId("r.i1"), tree: base, head: null };
const work: Work = { feature: featureId("F001"), iteration: 1, attempt: 1, stage: "implement", mark, base: mark };
const candidate: Candidate = { tree, proof: "p".repeat(64), grade: "strong" };
const proved: Proved = {
  cut: false,
  grade: "strong",
  proof: candidate.proof,
  checks: [{ run: "A", check: "test", how: "green", outcome: "green" }],
  failures: [],
  missing: [],
  contradiction: null,
  notes: ["A note."],
};
const verdictFile = "verdicts/F001-i1.json";

function begun() {
  const all = new Map<string, string>();
  const files = worldFiles(all, new Faults(taped([]), 0));
  keepProved(files, work, tree, proved);
  files.write(verdictFile, JSON.stringify({ tree, evidence: candidate.proof, reply: { pass: true } }));
  const seal = (change: Partial<Parameters<typeof sealProof>[1]> = {}) =>
    sealProof(files, { run: "r", work, candidate, touched: ["src/a.js"], ...change });
  const read = (): Record<string, unknown> => JSON.parse(all.get("proofs/F001-i1.json") ?? "{}");
  return { all, files, seal, read };
}

test("sealing it twice gives the same file, named by its hash", () => {
  const { all, seal, read } = begun();
  const first = seal();
  expect(seal()).toBe(first);
  expect(sha256(all.get("proofs/F001-i1.json") ?? "")).toBe(first);
  expect(read()).toMatchObject({
    feature: "F001",
    candidate: tree,
    head: null,
    shown: proved.checks,
    touched: ["src/a.js"],
    verdict: { tree },
  });
});

test("it contains what the prover kept, and its own facts win", () => {
  const { files, seal, read } = begun();
  files.write(`evidence/${candidate.proof}.json`, JSON.stringify({ seal: { hash: "h" }, candidate: other }));
  seal();
  expect(read()).toMatchObject({ seal: { hash: "h" }, candidate: tree });
});

test("if a person decided, their name takes the place of the verdict", () => {
  const { all, seal, read } = begun();
  all.delete(verdictFile);
  seal({ work: { ...work, decided: { how: "accept", by: "Pat" } }, candidate: { ...candidate, grade: "reviewed" } });
  expect(read()).toMatchObject({ grade: "reviewed", decided: { how: "accept", by: "Pat" }, verdict: { reply: {} } });
});

test.each<[string, (world: ReturnType<typeof begun>) => unknown]>([
  ["there is no verdict", ({ all, seal }) => all.delete(verdictFile) && seal()],
  [
    "the verdict is on another tree",
    ({ all, seal }) => all.set(verdictFile, JSON.stringify({ tree: other })) && seal(),
  ],
  ["the runs were of another tree", ({ seal }) => seal({ candidate: { ...candidate, tree: other } })],
  ["nothing was proved", ({ seal }) => seal({ candidate: { ...candidate, proof: "q" } })],
])("there is none if %s", (_, act) => {
  expect(() => act(begun())).toThrow(Bug);
});

test("an evaluator gets every run on its own line", () => {
  expect(provedText(begun().files, candidate.proof)).toBe("A test: green\nA note.");
});
