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

test.each(["{{branch}}", "{{ before }}", "no braces at all"])("a request may say %j", (request) => {
  expect(withRequest(request)).not.toThrow();
});

test.each(["{{brnach}}", "{{branch-name}}", "{{ }}", "{{branch | upper}}", "{{branch}} and {{a b}}"])(
  "a request with %j is refused, since nothing would fill it",
  (request) => expect(withRequest(request)).toThrow(/braces/),
);

function withRequest(request: string): () => unknown {
  const trigger = { name: "a", git: { branch: "main" }, request };
  return () => parseLoopYaml(JSON.stringify({ triggers: [trigger] }), "loop.yaml");
}
