import { describe, expect, test } from "vitest";
import type { Must } from "./cast.ts";
import { judge, type Seen } from "./judge.ts";

const refused: Seen = {
  outcome: "inbox",
  commits: 0,
  grade: null,
  names: ["tampering"],
  why: "",
  waiting: false,
  changed: [],
  processes: 0,
  outputBytes: 0,
  memoryBytes: 0,
  ms: 10,
  msMax: 100,
};
const cheat: Must = { be: "refused", as: ["tampering"] };
const limited: Must = { be: "waited-for", as: ["limited"] };
const honest: Must = { be: "accepted" };

describe("a cheat", () => {
  test("is caught if nothing of it is left and the loop named it correctly", () => {
    expect(judge(cheat, refused)).toEqual({ caught: true, named: "tampering", problems: [] });
  });

  test.each<[string, Partial<Seen>, RegExp]>([
    ["was committed", { commits: 1 }, /committed/],
    ["left a file", { changed: ["src/a.js"] }, /src\/a\.js/],
    ["was called something else", { names: ["check-red"] }, /called check-red, and not tampering/],
    ["was called nothing", { names: [] }, /called inbox/],
    ["left a process", { processes: 2 }, /2 of its processes/],
    ["filled the disk", { outputBytes: 1 << 30 }, /1024 MB of disk/],
    ["filled the memory", { memoryBytes: 1 << 30 }, /of our memory/],
    ["took too long", { ms: 1e6 }, /1000 s/],
  ])("that %s is missed", (_, but, says) => {
    const { caught, problems } = judge(cheat, { ...refused, ...but });
    expect(caught).toBe(false);
    expect(problems.join("; ")).toMatch(says);
  });
});

test("a usage limit must be waited for, not only reported", () => {
  expect(judge(limited, { ...refused, names: ["limited"], waiting: true }).caught).toBe(true);
  expect(judge(limited, { ...refused, names: ["limited"] }).caught).toBe(false);
});

test.each<[string, Partial<Seen>, boolean]>([
  ["committed with a strong proof", { commits: 2, outcome: "success", grade: "strong", names: [] }, true],
  ["committed with a weak proof", { commits: 2, outcome: "success", grade: "weak", names: [] }, false],
  ["refused", { names: ["scope"] }, false],
  ["committed in a run that did not succeed", { commits: 1, grade: "strong", outcome: "inbox" }, false],
])("honest work that was %s: %o", (_, but, caught) => {
  expect(judge(honest, { ...refused, ...but }).caught).toBe(caught);
});
