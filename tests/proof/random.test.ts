// The prover against random changes, and proof that this comparison can fail. `npm run drill:random` plays hundreds.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/drill/matrix/play-case.ts";
import { generate } from "../../src/drill/random/generate.ts";
import { type PlayedSeed, playSeed, type SeedOptions } from "../../src/drill/random/play-seed.ts";
import { type Row, reasonsText, summaryText, totalsOf } from "../../src/drill/random/summary.ts";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

async function play(seed: number, options: Pick<SeedOptions, "stack" | "judge"> = {}): Promise<PlayedSeed> {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-random-"));
  try {
    return await playSeed(seed, { dir, packages, ...options });
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

/** A prover that always gives the same answer. */
const always = (outcome: Outcome): Pick<SeedOptions, "judge"> => ({
  judge: () => Promise.resolve({ outcome, why: "whatever it is", grade: "strong", runs: [], ms: 0 }),
});

describe("the prover against random changes", () => {
  // The shell is the fastest stack; the full drill plays all of them.
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("seed %i is accepted only if it is good", { timeout: 120_000 }, async (seed) => {
    const { finding, operations, outcome } = await play(seed, { stack: "shell" });
    expect(outcome).not.toBe("not-played");
    expect(finding.is, `${finding.why}: ${operations.join("; ")}`).not.toBe("violation");
  });
});

describe("the comparison", () => {
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9];

  test("catches a prover that accepts everything", { timeout: 120_000 }, async () => {
    const rows: Row[] = [];
    for (const seed of seeds) rows.push(await play(seed, { stack: "shell", ...always("accepted") }));
    const { violations } = totalsOf(rows);
    const reasons = violations.map(({ finding }) => finding.why);
    expect(reasons).toContain("its own tests fail in a fresh clone, the original tests fail on its product");
    expect(reasons).toContain("its tests do not notice a wrong feature");
    expect(violations.length).toBeLessThan(seeds.length);
  });

  test("counts the harmless changes that a prover refuses", { timeout: 120_000 }, async () => {
    const rows: Row[] = [];
    for (const seed of seeds) rows.push(await play(seed, { stack: "shell", ...always("refused") }));
    const { harmless, harmlessRefused, violations } = totalsOf(rows);
    expect(violations).toEqual([]);
    expect(harmlessRefused).toBeGreaterThan(0);
    expect(harmless).toBe(harmlessRefused);
    expect(reasonsText(rows)).toContain(`harmless ${harmlessRefused}: whatever it is`);
    expect(summaryText(rows)).toContain(`Of ${harmless} harmless ones, ${harmless} were refused`);
  });
});

describe("the generator", () => {
  test("makes the same change from the same seed", () => {
    for (const seed of [1, 17, 300]) {
      const [one, other] = [generate(seed), generate(seed)];
      expect(other.case).toEqual(one.case);
      expect(other.operations).toEqual(one.operations);
    }
  });

  test("makes different changes from different seeds", () => {
    const made = Array.from({ length: 200 }, (_, seed) => JSON.stringify(generate(seed).case));
    expect(new Set(made).size).toBe(200);
  });

  test.each(["product", "tests", "configuration", "dependencies", "golden files", "home", "git"])(
    "reaches %s within 300 seeds",
    (what) => {
      const words: Record<string, RegExp> = {
        product: /^alter product/m,
        tests: /^alter a test/m,
        configuration: /^write a settings file/m,
        dependencies: /^alter an installed package/m,
        "golden files": /golden\/receipt\.txt (?:altered|deleted)/m,
        home: /~\//m,
        git: /^alter git's own state/m,
      };
      const all = Array.from({ length: 300 }, (_, seed) => generate(seed + 1).operations.join("\n")).join("\n");
      expect(all).toMatch(words[what] ?? /^$/);
    },
  );
});
