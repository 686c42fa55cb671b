// npm run mutate: breaks the code on purpose, one place at a time, and sees whether a test notices (docs/adr/0013-mutation.md).
// MODULE names what is broken, core when it is not set; what is settled is not run again.
const modules = {
  core: ["src/core/**/*.ts"],
  journal: ["src/journal/**/*.ts"],
  workspace: ["src/workspace/**/*.ts"],
  proof: ["src/proof/**/*.ts"],
};
const name = process.env.MODULE ?? "core";
// SAMPLE=12 takes one mutant in twelve, where a module has too many; what was settled is then not kept for the next run.
const sampled = process.env.SAMPLE !== undefined;

export default {
  mutate: [...modules[name], "!**/*.test.ts"],
  testRunner: "vitest",
  vitest: { configFile: `vitest.mutation.config.ts`, related: false },
  coverageAnalysis: "perTest",
  // There is no JavaScript interface in this TypeScript; its preprocessor is told of a file that is not there.
  tsconfigFile: "none.json",
  // Types are taken off, not checked, before a test is run.
  disableTypeChecks: false,
  // Modules may be run side by side: one's copy of the project is no part of another's.
  ignorePatterns: [".stryker"],
  concurrency: 2,
  timeoutMS: 10_000,
  timeoutFactor: 3,
  incremental: !sampled,
  incrementalFile: `.stryker/${name}.incremental.json`,
  appendPlugins: ["./scripts/mutation-sample.mjs"],
  checkers: sampled ? ["sample"] : [],
  reporters: ["json", "clear-text", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  jsonReporter: { fileName: `.stryker/${name}.json` },
  tempDirName: `.stryker/tmp-${name}`,
  ignoreStatic: true,
  mutator: { excludedMutations: ["StringLiteral"] },
  thresholds: { high: 95, low: 85, break: 85 },
};
