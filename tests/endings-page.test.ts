// docs/ENDINGS.md names every exit code, and the thresholds of the breakers as they are.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { failuresMax, sameErrorMax, sameFileEditsMax, stuckMax, unchangedMax, waitsMax } from "../src/core/breakers.ts";

const page = readFileSync(fileURLToPath(new URL("../docs/ENDINGS.md", import.meta.url)), "utf8");

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 64, 70, 130, 143])("exit code %i is explained", (code) => {
  expect(page).toMatch(new RegExp(`^\\| ${code} \\| \\S`, "m"));
});

test.each([
  { breaker: "nothing changed", after: `${unchangedMax} iterations in a row` },
  { breaker: "no further criterion met", after: `${stuckMax} iterations in a row, over all features` },
  { breaker: "the same error of an agent", after: `${sameErrorMax} sessions in a row` },
  { breaker: "sessions without a reply, for whatever reason", after: `${failuresMax} in a row` },
  { breaker: "waits for a server or a limit without a reply in between", after: `${waitsMax} in a row` },
  { breaker: "one file changed again and again in a session", after: `${sameFileEditsMax} times` },
])("$breaker: $after", ({ breaker, after }) => {
  expect(page).toContain(`| ${breaker} | ${after} |`);
});
