// The prover against a sample of the drill's cases: one of each class and side. `npm run drill:matrix` plays all of them.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Case, caseClasses } from "../../src/drill/cases/case.ts";
import { cases } from "../../src/drill/cases/index.ts";
import { combinations, type Played, playCase } from "../../src/drill/matrix/play-case.ts";
import { verdictOf } from "../../src/drill/matrix/table.ts";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** The first of each class and side, in the stack that needs nothing installed. */
const sample = [
  ...new Map(
    cases
      .filter(({ stack, needs = [] }) => stack === "node" && needs.length === 0)
      .toReversed()
      .map((one) => [`${one.class} ${one.honest}`, one]),
  ).values(),
];

async function play(one: Case): Promise<Played> {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-case-"));
  try {
    const [way = { committed: false, must: "stay-green" }] = combinations(one);
    return await playCase(one, { ...way, depth: "standard", dir, packages });
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

describe.each([
  { side: "cheats are not accepted", honest: false },
  { side: "honest work is not refused", honest: true },
])("$side", ({ honest }) => {
  test.each(sample.filter((one) => one.honest === honest))("$class: $name", { timeout: 240_000 }, async (one) => {
    const played = await play(one);
    expect(verdictOf({ ...one, outcome: played.outcome }), `${played.outcome}: ${played.why}`).toBe("right");
  });
});

test("there is a case of every class that needs no installation", () => {
  const elsewhere = ["tests-in-source", "lint-configuration"];
  const wanted = caseClasses.filter((name) => !elsewhere.includes(name));
  expect(wanted.filter((name) => !sample.some((one) => one.class === name))).toEqual([]);
});
