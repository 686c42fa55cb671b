// Types of index.mjs, for the tests that import it.
import type { Scenario } from "../scenario.mjs";
export declare const scenarios: readonly Scenario[];
