// What only a process that drives a run needs, in one place, so that it can be loaded then.
export { highestInRuns } from "../../project/queue/used-numbers.ts";
export { followUpOf } from "../begin.ts";
export { resume, windUp } from "../resume.ts";
export { landRun } from "./land.ts";
export { beginRun, openRun } from "./open.ts";
