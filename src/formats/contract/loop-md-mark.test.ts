// What a run drafted says nothing to later runs; what a person changed or wrote does.
import { describe, expect, test } from "vitest";
import { limitsFrom } from "../../core/limits.ts";
import { draftLoopMd, readLoopMd } from "./loop-md.ts";
import { markAnswered, markDraft, readPersonsLoopMd } from "./loop-md-mark.ts";
import { noCaps } from "./written-caps.ts";

const plain = draftLoopMd({
  goal: "Add a(),\nand b().",
  include: ["F001"],
  exclude: ["F002"],
  autonomy: "L3",
  checks: [],
  limits: limitsFrom({}),
});
const drafted = markDraft(plain);
const lowered = plain.replace("iterations: 10", "iterations: 1");
const nothing = {
  goal: null,
  include: null,
  exclude: [],
  notes: [],
  autonomy: null,
  limits: noCaps,
  described: { trigger: [], verification: [], memory: [], escalation: [] },
  drafted: ["goal", "scope", "autonomy", "limits", "described"],
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
    ["limits", drafted.replace("iterations: 10", "iterations: 1"), { limits: readLoopMd(lowered).limits }],
    ["scope", drafted.replace("Exclude: F002", "Exclude: none"), { include: ["F001"] }],
  ])("%s", (name, text, says) => {
    const drafted = nothing.drafted.filter((each) => each !== name);
    expect(readPersonsLoopMd(text)).toEqual({ ...nothing, ...says, drafted });
  });
});

test("of a draft with a person's answers, only the limits and what describes the loop say nothing", () => {
  const answered = readPersonsLoopMd(markAnswered(plain));
  expect(answered).toEqual({
    ...readLoopMd(plain),
    ...{ limits: nothing.limits, described: nothing.described, drafted: ["limits", "described"] },
  });
  expect(readPersonsLoopMd(markAnswered(plain).replace("iterations: 10", "iterations: 1")).limits.caps).toMatchObject({
    iterations: 1,
  });
});

test("a contract without the mark is a person's", () => {
  expect(readPersonsLoopMd(plain)).toEqual({ ...readLoopMd(plain), drafted: [] });
});
