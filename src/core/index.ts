// The pure half of Loopwright: a run is a fold over its events, and the next effect is a function of the run.
export { apply } from "./apply.ts";
export type * from "./contract.ts";
export type { Effect } from "./effect.ts";
export { Bug, UserError } from "./errors.ts";
export type * from "./event.ts";
export type * from "./ids.ts";
export { next } from "./next.ts";
export { exitCode, exitWaiting, type Outcome } from "./outcome.ts";
export type * from "./run.ts";
export { begin, stateVersion } from "./run.ts";
export type * from "./session.ts";
