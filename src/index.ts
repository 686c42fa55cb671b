// What the package offers to programs.
export { AutonomousLoop, type LoopOptions, type LoopResult } from "./autonomous-loop.ts";
export { Bug, UserError } from "./core/errors.ts";
export type { RunEvent } from "./core/event.ts";
export type { Outcome } from "./core/outcome.ts";
export type { LoopYaml } from "./formats/loop-yaml.ts";
export { version } from "./version.ts";
