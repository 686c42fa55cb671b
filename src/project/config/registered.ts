// What a program that uses the library brings itself.
import type { RegisteredChecks } from "../../checks/library/library-check.ts";
import type { RegisteredAgents } from "../agents/agents.ts";

export type Registered = { readonly agents?: RegisteredAgents; readonly checks?: RegisteredChecks };
