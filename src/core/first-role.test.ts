// Tests from the contract alone: when they are written, and that it happens once.
import { describe, expect, test } from "vitest";
import { checkpointed, observed, prepared, replied, reserved, send } from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { type Contract, defaultProofTerms, type Feature } from "./contract.ts";
import { begin, type Run } from "./run.ts";

const deep = { proof: { ...defaultProofTerms, depth: "deep" } } as const;
const begun = (change: Partial<Contract>, of: Partial<Feature> = {}): Run =>
  send(begin(contractOf([feature("F1", of)], change)), prepared, observed, checkpointed("i1"));
const roleOf = ({ now }: Run): string => (now.is === "in-session" ? now.role : now.is);

describe("before anything is built", () => {
  test("a deep proof has tests written from the contract alone first", () => {
    const examining = begun(deep);
    expect(roleOf(examining)).toBe("examiner");
    const building = send(examining, reserved("s1"), replied("s1", { kind: "examined", tests: 1 }));
    expect(roleOf(building)).toBe("builder");
  });

  test.each<[string, Partial<Contract>, Partial<Feature>]>([
    ["a standard proof", {}, {}],
    ["a feature that keeps behaviour", deep, { kind: "keep" }],
    ["a feature of documents", deep, { kind: "docs" }],
    ["a feature for which a review is enough", deep, { enough: "review" }],
  ])("%s has none", (_, contract, of) => {
    expect(roleOf(begun(contract, of))).toBe("builder");
  });
});
