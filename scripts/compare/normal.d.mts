// Types of normal.mjs, for the tests that import it.
import type { Seen } from "./scenario.mjs";
export type Facts = Record<string, string[]>;
export declare function factsOf(seen: Seen): Facts;
