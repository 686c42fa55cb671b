import { expect, test } from "vitest";
import { parseLoopYaml } from "./loop-yaml.ts";

test.each([
  ["0 3 * * 1-5", true],
  ["0 0 29 2 *", true],
  ["0 0 30 2 *", false],
  ["0 0 31 4,6 *", false],
  ["* 0 3 * * *", false],
])("a schedule %j is valid: %s", (at, isValid) => {
  const reading = () => parseLoopYaml(`triggers:\n  - { name: a, cron: { at: "${at}" } }\n`, "loop.yaml");
  if (isValid) return expect(reading()).toBeDefined();
  expect(reading).toThrow(/five fields/);
});
