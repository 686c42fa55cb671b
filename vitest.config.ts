import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: ["tests/support/memory-folder.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 3,
    // Real processes on a machine that others share. What passed only at a second try is named at the end of the run.
    retry: process.env["CI"] === undefined ? 0 : 2,
    reporters: ["default", "./tests/closing-line.ts"],
  },
});
