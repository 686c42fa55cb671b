// The figures of mutation runs: what counts as a mutant, and that the document has what is on record.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { figures, readMutation } from "../../faults/mutation.mjs";

const report = (...statuses: string[]) => ({ files: { "a.ts": { mutants: statuses.map((status) => ({ status })) } } });

test("a mutant counts once it was run or could have been, and one that timed out was noticed", () => {
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

test("nothing run is no score", () => {
  expect(figures("core", report("Ignored"), "1 of 3")).toMatchObject({ mutants: 0, score: 0, sampled: "1 of 3" });
});

test.each(readMutation())("the document has the score of $module, and it is at least 85", ({ module, score }) => {
  expect(score).toBeGreaterThanOrEqual(85);
  const page = readFileSync(new URL("../../docs/FAULTS.md", import.meta.url), "utf8");
  expect(page).toMatch(new RegExp(`\\| ${module} \\|.*\\| ${score.toFixed(1)} % \\|`));
});
