// What a run drafted says nothing to later runs; what a person changed or wrote does.
import { describe, expect, test } from "vitest";
import { limitsFrom } from "../core/limits.ts";
import { draftLoopMd, readLoopMd } from "./loop-md.ts";
import { markDraft, readPersonsLoopMd } from "./loop-md-mark.ts";

const plain = draftLoopMd({
  goal: "Add a(),\nand b().",
  include: ["F001"],
  exclude: ["F002"],
  autonomy: "L3",
  checks: [],
  limits: limitsFrom({}),
});
const drafted = markDraft(plain);
const nothing = {
  goal: null,
  include: null,
  exclude: [],
  notes: [],
  autonomy: null,
  drafted: ["goal", "scope", "autonomy"],
};

test("the mark changes nothing that a reader sees", () => {
  expect(drafted).not.toBe(plain);
  expect(readLoopMd(drafted)).toEqual(readLoopMd(plain));
});

test("a draft says nothing, also with other line ends and a fuller inbox", () => {
  expect(readPersonsLoopMd(drafted)).toEqual(nothing);
  expect(readPersonsLoopMd(drafted.replaceAll("\n", "\r\n"))).toEqual(nothing);
  expect(readPersonsLoopMd(drafted.replace("(empty)", "- F001: a question"))).toEqual(nothing);
});

describe("a section that a person changed counts, and only that one", () => {
  test.each([
    ["goal", drafted.replace("> and b().", "> and c()."), { goal: "Add a(),\nand c()." }],
    ["autonomy", drafted.replace("L3 (unattended)", "L1"), { autonomy: "L1" }],
    ["scope", drafted.replace("Exclude: F002", "Exclude: none"), { include: ["F001"] }],
  ])("%s", (name, text, says) => {
    const drafted = nothing.drafted.filter((each) => each !== name);
    expect(readPersonsLoopMd(text)).toEqual({ ...nothing, ...says, drafted });
  });
});

test("a contract without the mark is a person's", () => {
  expect(readPersonsLoopMd(plain)).toEqual({ ...readLoopMd(plain), drafted: [] });
});
