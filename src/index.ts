// The package's API for programs.
export type {
  Agent,
  Ending,
  Exit,
  Launch,
  Probe,
  Reader,
  Role,
  SessionRequest,
  Sign,
} from "./agents/agent.ts";
export {
  AutonomousLoop,
  type GateAnswer,
  type LoopConfig,
  type LoopContinuing,
  type LoopLimits,
  type LoopResult,
} from "./autonomous-loop.ts";
export type { Check, CheckAnswer, CheckRequest } from "./checks/check.ts";
export type { ErrorCode } from "./core/error-codes.ts";
export { Bug, UserError } from "./core/errors.ts";
export type { RunEvent } from "./core/event.ts";
export type { Outcome } from "./core/outcome.ts";
export type { Failure, Usage } from "./core/session.ts";
export type {
  Beginning,
  Begun,
  Changes,
  Engine,
  Item,
  Landed,
  Message,
  Reading,
  Receipt,
  Resume,
  Subscription,
  Terms,
} from "./engines/engine.ts";
export type { LoopYaml } from "./formats/config/loop-yaml.ts";
export {
  type BeginOptions,
  type ContinueOptions,
  openProject,
  type Project,
  type ProjectOptions,
} from "./open-project.ts";
export type { OpenGate, ProjectRun, RunItem, Settled } from "./project-run.ts";
export type { CapOverview, InboxOverview, Overview } from "./report/overview.ts";
export type { FeatureOverview } from "./report/overview-feature.ts";
export type { IterationOverview } from "./report/overview-iteration.ts";
export type { RunState } from "./report/state.ts";
export { version } from "./version.ts";
