// The tests that a mutant of each module has to survive: the module's own, in threads, which is what the mutation runner drives.
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const tests: Record<string, string[]> = {
  core: ["src/core/**/*.test.ts"],
  journal: ["src/journal/**/*.test.ts"],
  workspace: ["src/workspace/**/*.test.ts"],
  proof: ["src/runtime/proof/**/*.test.ts"],
};
const name = process.env["MODULE"] ?? "core";

// A mutant lives in the process of the test, so the tests that kill processes of their own cannot see it. Sweeps and
// properties are shortened: what they find in the end, they mostly find at once.
const exclude = ["**/crash.test.ts"];
const env = { FC_RUNS: "10", PROPERTY_RUNS: "3", BYTE_STEP: process.env["BYTE_STEP"] ?? "17" };

// TESTS names files instead: the quick ones first, and only what survives them against the long ones.
const include = process.env["TESTS"]?.split(",") ?? tests[name] ?? [];

// The first test that fails is enough, so those of single functions come before those of whole repositories.
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      Number(/(?:open|fold|commit|inspect|property)\.test/.test(moduleId));
    return [...files].sort((one, other) => isLong(one) - isLong(other));
  }
}

export default defineConfig({
  // A mutant is switched on within the code, so that modules need not be loaded anew for each.
  test: {
    include,
    exclude,
    env,
    testTimeout: 60_000,
    pool: "threads",
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
});
