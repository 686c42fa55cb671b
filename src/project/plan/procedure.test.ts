// Which stages run and where a person is asked, depending on the configuration and the request.
import { describe, expect, test } from "vitest";
import type { IntakeNote } from "../../core/contract.ts";
import { asksForGreen, gatesFor, type Occasion, partsOf, stagesFor } from "./procedure.ts";

const intake = (shape: IntakeNote["shape"]): IntakeNote => ({
  score: shape === "tool" ? 9 : 6,
  shape,
  workflow: "build",
  rule: "r",
  reversibility: "2B",
});
const occasion = (change: Partial<Occasion> = {}): Occasion => ({
  isDrafted: true,
  parts: 1,
  intake: intake("colleague"),
  hasContract: false,
  isAutonomySaid: true,
  yes: false,
  ...change,
});

describe("stages", () => {
  test("a request for one thing is not planned or audited: neither could change the result", () => {
    expect(stagesFor({ stages: null }, occasion())).toEqual(["implement"]);
  });

  test("a request with a list is planned, and audited for parts that the plan lost", () => {
    expect(stagesFor({ stages: null }, occasion({ parts: 3 }))).toEqual(["plan", "implement", "audit"]);
  });

  test("features that a person wrote need no plan", () => {
    expect(stagesFor({ stages: null }, occasion({ parts: 3, isDrafted: false }))).toEqual(["implement"]);
  });

  test("configured stages are the ones that run", () => {
    expect(stagesFor({ stages: ["implement", "test"] }, occasion({ parts: 3 }))).toEqual(["implement", "test"]);
  });

  test.each([
    ["Add a page.", 1],
    ["Add:\n- a page\n- a link\n* a test", 3],
    ["1. first\n2) second", 2],
    ["a - b - c", 1],
  ])("%j asks for %i", (request, parts) => expect(partsOf(request)).toBe(parts));
});

const auto = { continuation: "auto" } as const;
const manual = { gates: null, autonomy: "L2", continuation: "manual" } as const;

describe("gates", () => {
  const unsaid = { ...auto, gates: null, autonomy: "L2" } as const;

  test.each<[string, Parameters<typeof gatesFor>[0], Partial<Occasion>, string[]]>([
    ["L1 asks everywhere", { ...auto, gates: null, autonomy: "L1" }, {}, ["G1", "G2", "G3"]],
    ["L2 asks before it builds what is not written down", { ...auto, gates: null, autonomy: "L2" }, {}, ["G1"]],
    ["L2 does not ask where nothing is open", { ...auto, gates: null, autonomy: "L2" }, { intake: intake("tool") }, []],
    [
      "L2 does not ask for features that a person wrote",
      { ...auto, gates: null, autonomy: "L2" },
      { isDrafted: false },
      [],
    ],
    ["L2 does not ask for the goal of a contract", { ...auto, gates: null, autonomy: "L2" }, { hasContract: true }, []],
    ["L3 never asks", { ...auto, gates: null, autonomy: "L3" }, {}, []],
    [
      "--yes agrees to the contract and to nothing else",
      { ...auto, gates: null, autonomy: "L1" },
      { yes: true },
      ["G2", "G3"],
    ],
    ["what is configured counts", { ...auto, gates: ["G3"], autonomy: "L3" }, {}, ["G3"]],
    ["no level, an open request: everywhere", unsaid, { isAutonomySaid: false }, ["G1", "G2", "G3"]],
    ["no level, an open request, --yes: nowhere", unsaid, { isAutonomySaid: false, yes: true }, []],
    ["no level, a clear request: nowhere", unsaid, { isAutonomySaid: false, intake: intake("tool") }, []],
    ["no level, features of a person: nowhere", unsaid, { isAutonomySaid: false, isDrafted: false }, []],
    ["no level, gates configured", { ...auto, gates: ["G2"], autonomy: "L2" }, { isAutonomySaid: false }, ["G2"]],
    ["manual continuation asks after each iteration", manual, { isDrafted: false }, ["G2"]],
    ["manual continuation, also of an open request", manual, {}, ["G1", "G2"]],
  ])("%s", (_, settings, change, expected) => expect(gatesFor(settings, occasion(change))).toEqual(expected));
});

test.each([
  ["make the tests pass", true],
  ["Please get all tests green again", true],
  ["fix the failing tests", true],
  ["Turn the build green", true],
  ["Add a page; all tests pass", false],
  ["Make the test page pretty", false],
  ["Fix the login and add failing tests", false],
])("%j asks for a suite to turn green: %s", (request, expected) => expect(asksForGreen(request)).toBe(expected));
