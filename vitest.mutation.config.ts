// The tests that a mutant of each module has to survive: the module's own, in threads, which is what the mutation runner drives.
import { defineConfig } from "vitest/config";

const tests: Record<string, string[]> = {
  core: ["src/core/**/*.test.ts"],
  journal: ["src/journal/**/*.test.ts"],
  workspace: ["src/workspace/**/*.test.ts"],
  proof: ["src/runtime/proof/**/*.test.ts"],
};
const name = process.env["MODULE"] ?? "core";

export default defineConfig({ test: { include: tests[name] ?? [], testTimeout: 60_000, pool: "threads" } });
