// The figures of mutation runs: what counts as a mutant, and that the document has the recorded figures.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decidedAgain, figures, readMutation } from "../../faults/mutation.mjs";

const report = (...statuses: string[]) => ({ files: { "a.ts": { mutants: statuses.map((status) => ({ status })) } } });

test("a mutant counts if it was run or no test covers it, and a timeout counts as killed", () => {
  const found = figures(
    "core",
    report("Killed", "Killed", "Timeout", "Survived", "NoCoverage", "Ignored", "RuntimeError"),
  );
  expect(found).toEqual({
    module: "core",
    mutants: 5,
    killed: 2,
    timedOut: 1,
    survived: 1,
    noCoverage: 1,
    score: 60,
    sampled: "all",
  });
});

test("only mutants that timed out take their status from the second run", () => {
  const at = (line: number) => ({ location: { start: { line }, end: { line } }, mutatorName: "x", replacement: "y" });
  const mutants = (...statuses: string[]) => ({
    files: { "a.ts": { mutants: statuses.map((status, line) => ({ status, ...at(line) })) } },
  });
  const first = mutants("Timeout", "Timeout", "Timeout", "Survived", "Killed");
  const second = mutants("Survived", "Killed", "Timeout", "Killed", "Survived");
  expect(figures("core", decidedAgain(first, second))).toMatchObject({ killed: 2, timedOut: 1, survived: 2 });
  expect(figures("core", decidedAgain(first, { files: {} }))).toMatchObject({ killed: 1, timedOut: 3, survived: 1 });
});

test("no mutants run gives a score of 0", () => {
  expect(figures("core", report("Ignored"), "1 of 3")).toMatchObject({ mutants: 0, score: 0, sampled: "1 of 3" });
});

test.each(readMutation())("the document has the score of $module, and it is at least 85", ({ module, score }) => {
  expect(score).toBeGreaterThanOrEqual(85);
  const page = readFileSync(new URL("../../docs/FAULTS.md", import.meta.url), "utf8");
  expect(page).toMatch(new RegExp(`\\| ${module} \\|.*\\| ${score.toFixed(1)} % \\|`));
});
