// What a commit's message says about its feature, read from the body that the loop writes.
import { expect, test } from "vitest";
import { commitBody, withoutBasis } from "./commit-body.ts";

const feature = { name: "Add x", description: "Add x, which returns 3.\n\n- It returns 3." };
const decided = { how: "accept", by: `${"A long name ".repeat(8)}<person@example.invalid>` } as const;

test.each([
  ["proved", {}, "strong"],
  ["reviewed by the checker", {}, "reviewed"],
  ["accepted by a person", { decided }, "weak"],
] as const)("the body of %s work without its last paragraph is the feature's description", (_, work, grade) => {
  const body = commitBody(feature, work, { grade }, { checks: [] });
  expect(body).not.toBe(feature.description);
  expect(withoutBasis(`feat(F001): Add x\n\n${body}`)).toBe(`feat(F001): Add x\n\n${feature.description}`);
});
