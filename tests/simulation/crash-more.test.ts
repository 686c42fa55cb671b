// Thousands of simulated worlds in which the loop is killed, lied to and disturbed by people: the second half.
import { test } from "vitest";
import { checkSeed } from "../../src/testing/world/index.ts";
import { batches } from "./batches.ts";

const title = "seeds $first to $last: nothing lost, nothing twice, nothing false, and it ends";
const mine = batches(1);
test.skipIf(mine.length > 0)("the requested seed is in the first half", () => undefined);

test.each(mine)(title, { timeout: 600_000 }, async ({ first, last }) => {
  for (let seed = first; seed <= last; seed++) await checkSeed(seed);
});
