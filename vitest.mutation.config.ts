// The tests that a mutant of each module has to survive: the module's own, in threads, which is what the mutation runner drives.
// LONG=1 adds the properties over whole runs: they take long, so they are asked last, about what the others let live.
import { defineConfig } from "vitest/config";

// Of the tests of proofs: what the built command line does cannot show a mutant of the source.
const inProcess = [
  "added",
  "additions",
  "bounds",
  "claims",
  "counting",
  "edges",
  "grade",
  "hidden",
  "installed",
  "installed-causes",
  "named-files",
  "renames",
  "rules",
  "run-checks",
  "seal",
  "seal-report",
  "tampering",
  "tool-folders",
  "touching",
  "witness",
];
const tests: Record<string, string[]> = {
  core: ["src/core/**/*.test.ts"],
  journal: ["src/journal/**/*.test.ts"],
  workspace: ["src/workspace/**/*.test.ts"],
  proof: ["src/runtime/proof/**/*.test.ts", `tests/proof/{${inProcess.join(",")}}.test.ts`],
};
const name = process.env["MODULE"] ?? "core";
const long = process.env["LONG"] === undefined ? ["**/*.property.test.ts"] : [];

export default defineConfig({
  test: {
    include: tests[name] ?? [],
    exclude: ["**/node_modules/**", ...long],
    testTimeout: 60_000,
    setupFiles: ["tests/support/mutation-setup.ts"],
    pool: "threads",
    // A mutant is switched on within the code, so that modules need not be loaded anew for each.
    isolate: false,
    env: { FC_RUNS: process.env["FC_RUNS"] ?? "25" },
  },
});
