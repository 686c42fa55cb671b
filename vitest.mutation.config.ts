// The tests that a mutant of each module has to survive: the module's own, in threads, which is what the mutation runner drives.
// LONG=1 adds the properties over whole runs: they take long, so they are asked last, about what the others let live.
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

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
  proof: ["src/proof/**/*.test.ts", `tests/proof/{${inProcess.join(",")}}.test.ts`],
};
const name = process.env["MODULE"] ?? "core";
const isLong = process.env["LONG"] !== undefined;

// A mutant lives in the process of the test, so the tests that kill processes of their own cannot see it. Sweeps and
// properties are shortened: what they find in the end, they mostly find at once.
const exclude = ["**/node_modules/**", "**/crash.test.ts", ...(isLong ? [] : ["**/*.property.test.ts"])];
const env = {
  FC_RUNS: process.env["FC_RUNS"] ?? "25",
  PROPERTY_RUNS: process.env["PROPERTY_RUNS"] ?? "3",
  BYTE_STEP: process.env["BYTE_STEP"] ?? "17",
};

// TESTS names files instead: the quick ones first, and only what survives them against the long ones.
const include = process.env["TESTS"]?.split(",") ?? tests[name] ?? [];

// The first test that fails is enough, so those of single functions come before those of whole repositories.
const ranks = [
  /(?:restore|snapshot|repair|opening|scratch)\.test/,
  /(?:open|fold|commit|inspect|repositories|hardening|property)\.test/,
];

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => ranks.findIndex((slow) => slow.test(moduleId));
    return [...files].sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include,
    exclude,
    env,
    testTimeout: 60_000,
    setupFiles: ["tests/support/mutation-setup.ts"],
    pool: "threads",
    // A mutant is switched on within the code, so that modules need not be loaded anew for each.
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
});
