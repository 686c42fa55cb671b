import { describe, expect, test } from "vitest";
import { defaultProofTerms } from "../core/contract.ts";
import { UserError } from "../core/errors.ts";
import { parseLoopYaml } from "./loop-yaml.ts";
import { ceilings, checkCeilings, defaults, settle } from "./settings.ts";

const from = (text: string) => settle(parseLoopYaml(text, "loop.yaml"));

describe("settle", () => {
  test("an empty file gives the documented defaults", () => {
    expect(from("")).toEqual({
      agents: { maker: null, checker: null, planner: null, tester: null, auditor: null },
      checks: null,
      limits: {
        costUsd: 25,
        sessionCostUsd: 5,
        iterations: 10,
        commits: 15,
        rework: 2,
        rounds: 3,
        minutes: 60,
        checkMinutes: null,
        sessions: null,
        tokens: null,
        sessionMinutes: 30,
        silenceMinutes: 10,
      },
      autonomy: "L2",
      stages: null,
      gates: null,
      followUpDepth: 3,
      scope: {
        mayTouch: null,
        mustNot: [],
        mayChange: [],
        onDestructive: "stop",
        features: { include: null, exclude: [] },
      },
      recordsDir: "docs",
      env: [],
      onLimit: "wait",
      context: { compactPercent: 75, handoverPercent: 90 },
      fullAutoAnswers: false,
      proof: defaultProofTerms,
    });
  });

  test("a check gets its defaults, and an empty list of checks is not the same as none given", () => {
    expect(from("checks: [{name: t, run: make}]").checks).toEqual([
      { name: "t", run: "make", must: "stay-green", timeoutS: 600, tests: [], before: null, after: null },
    ]);
    expect(from("checks: []").checks).toEqual([]);
  });

  test.each([
    { yaml: "maker: claude", kinds: ["claude", "claude", "claude", "claude", "claude"] },
    { yaml: "maker: claude, checker: codex", kinds: ["claude", "codex", "claude", "claude", "codex"] },
    { yaml: "checker: codex", kinds: [undefined, "codex", undefined, undefined, "codex"] },
    { yaml: "maker: claude, planner: codex", kinds: ["claude", "claude", "codex", "claude", "claude"] },
  ])("with {$yaml}, maker, checker, planner, tester and auditor are $kinds", ({ yaml, kinds }) => {
    const { agents } = from(`agents: {${yaml}}`);
    expect([agents.maker, agents.checker, agents.planner, agents.tester, agents.auditor].map((a) => a?.kind)).toEqual(
      kinds,
    );
  });

  test.each([
    { yaml: "setup: npm ci", proof: { setup: { run: "npm ci", env: [], home: [] } } },
    { yaml: "setup: {run: x, home: [.npmrc]}", proof: { setup: { run: "x", env: [], home: [".npmrc"] } } },
    { yaml: "build: make", proof: { build: "make" } },
    { yaml: "build: ''", proof: { build: "" } },
    { yaml: "room: {env: [A]}", proof: { room: { files: [], env: ["A"], home: [], outside: [] } } },
    { yaml: "proof: {depth: quick, strength: 0}", proof: { depth: "quick", strength: 0 } },
    { yaml: "allow: never", proof: { allow: "never" } },
    { yaml: "product: [src/**]", proof: { product: ["src/**"] } },
  ])("$yaml changes that term of the proof and no other", ({ yaml, proof }) => {
    expect(from(yaml).proof).toEqual({ ...defaultProofTerms, ...proof });
  });

  test("a rework limit of zero stays zero", () => {
    expect(from("limits: {rework: 0}").limits.rework).toBe(0);
  });
});

describe("checkCeilings", () => {
  test("the defaults and the ceilings themselves are within", () => {
    checkCeilings(defaults.limits, false);
    checkCeilings({ ...defaults.limits, ...ceilings }, false);
  });

  test.each(Object.entries(ceilings))("%s over %d is refused, unless it is really meant", (name, most) => {
    const limits = { ...defaults.limits, [name]: most + 0.5 };
    expect(() => checkCeilings(limits, false)).toThrow(UserError);
    checkCeilings(limits, true);
  });

  test("every limit that is too high is named, and no number is not a number within", () => {
    const limits = { ...defaults.limits, costUsd: 900, minutes: 9999, commits: Number.NaN };
    expect(() => checkCeilings(limits, false)).toThrow(
      /cost_usd is 900, and the most is 100\.[\s\S]*commits[\s\S]*minutes/,
    );
  });
});
