// The package's API for programs.
export {
  AutonomousLoop,
  type GateAnswer,
  type LoopOptions,
  type LoopResult,
  type OpenGate,
} from "./autonomous-loop.ts";
export { Bug, UserError } from "./core/errors.ts";
export type { RunEvent } from "./core/event.ts";
export type { Outcome } from "./core/outcome.ts";
export type { LoopYaml } from "./formats/loop-yaml.ts";
export { version } from "./version.ts";
