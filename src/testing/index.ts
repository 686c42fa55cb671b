// For adapter authors, without a test runner: a scripted model, folders with a repository, and a simulated world. The
// conformance suites, which are vitest tests, are in `loopwright/testing/suites`.
export * from "./model/index.ts";
export * from "./workspace-rig.ts";
export * as world from "./world/index.ts";
