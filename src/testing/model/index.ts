// The scripted model server, for people who write agent adapters.
export { byMarker, queue, rounds, type Script } from "./script.ts";
export { type LogEntry, type ModelServer, startModelServer } from "./server.ts";
export type { Fault, ModelRequest, Step, StepUsage, ToolCall } from "./step.ts";
