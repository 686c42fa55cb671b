// Thousands of simulated worlds in which the loop is killed, lied to and disturbed by people: the first half.
import { test } from "vitest";
import { checkSeed } from "../../src/testing/world/index.ts";
import { batches } from "./batches.ts";

const title = "seeds $first to $last: nothing lost, nothing twice, nothing false, and it ends";
test.each(batches(0))(title, { timeout: 600_000 }, async ({ first, last }) => {
  for (let seed = first; seed <= last; seed++) await checkSeed(seed);
});
