// Types of differences.mjs, for the tests that import it.
import type { Facts } from "./normal.mjs";

type Difference = { fact: string; lines: string[] };
export declare function differencesOf(old: Facts, now: Facts): Difference[];
export declare function verdictOf(
  scenario: string,
  differences: readonly { fact: string }[],
  intended: readonly { scenario: string; fact: string; reason: string }[],
): "same" | "differs" | "intended";
