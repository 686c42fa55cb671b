// Tests by name: which runners a check runs, how they are asked for a report, and what they reported.
export { askForNames, assetsFolder } from "./ask.ts";
export { runnersOf } from "./command/runners-of.ts";
export { readNames } from "./read.ts";
export { type Asking, keysOf, type RunnerUse, type TestResult } from "./runner.ts";
