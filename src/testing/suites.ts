// The suites that every implementation of a port passes. They are vitest tests: call them in your own test file.
export * from "./agent-suite.ts";
export * from "./engine-suite.ts";
export * from "./journal-suite.ts";
export * from "./misbehaving-program.ts";
export * from "./workspace-suite.ts";
