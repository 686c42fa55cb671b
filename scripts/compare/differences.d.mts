// Types of differences.mjs, for the tests that import it.
import type { Facts } from "./normal.mjs";

type Difference = { fact: string; lines: string[] };
type Intended = { name: string; scenario?: string; fact: string; lines?: RegExp; reason: string };
export declare function differencesOf(old: Facts, now: Facts): Difference[];
export declare function verdictOf(
  scenario: string,
  differences: readonly { fact: string; lines?: string[] }[],
  intended: readonly Intended[],
): "same" | "differs" | "intended";
