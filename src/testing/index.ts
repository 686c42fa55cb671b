// For adapter authors: the suites that every implementation passes, a scripted model, and a simulated world. The suites
// are vitest tests: call them in your own test file.
export * from "./agent-suite.ts";
export * from "./engine-suite.ts";
export * from "./journal-suite.ts";
export * from "./model/index.ts";
export * from "./workspace-rig.ts";
export * from "./workspace-suite.ts";
export * as world from "./world/index.ts";
