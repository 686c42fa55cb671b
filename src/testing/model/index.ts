// The scripted model server, for adapter authors.
export { byMarker, queue, rounds, type Script } from "./script.ts";
export { type LogEntry, type ModelServer, startModelServer } from "./server.ts";
export type { Fault, ModelRequest, Step, StepUsage, ToolCall } from "./step.ts";
