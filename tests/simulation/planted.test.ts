// The seeds test the step that every engine uses: a bug planted in it is found by one of the first of them.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const append = "this.#seq = await journal.append(event);";
const fold = "const after = follow(before, event);";
const publish = "await this.#ports.publish({ fact, seq: this.#seq, event, before, after });";

function firstFailing(planted: readonly [string, string], seeds: number): number {
  const args = ["--import", fileOf("./plant.mjs"), fileOf("./first-failing.mjs"), String(seeds)];
  const env = { PATH: process.env["PATH"], PLANT: JSON.stringify(planted) };
  return Number(execFileSync(process.execPath, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
}

test("without a bug, none of them fails", { timeout: 600_000 }, () => {
  expect(firstFailing([append, append], 50)).toBe(0);
});

test.each<[string, string, string]>([
  ["a verdict is used and never written", append, `if (event.type !== "proved") ${append}`],
  ["an event is published before it is written", append, `${publish.replace("this.#seq", "this.#seq + 1")} ${append}`],
  [
    "a pause is written and not applied",
    fold,
    'const after = event.type === "pause-requested" ? before : follow(before, event);',
  ],
])("%s: found by the first 200 seeds", { timeout: 600_000 }, (_, from, to) => {
  expect(firstFailing([from, to], 200)).toBeGreaterThan(0);
});
