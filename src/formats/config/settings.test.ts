import { describe, expect, test } from "vitest";
import { defaultProofTerms } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import { limitNames, limitRow, limitsFrom } from "../../core/limits.ts";
import { parseLoopYaml } from "./loop-yaml.ts";
import { checkCeilings, settle } from "./settings.ts";

const from = (text: string) => settle(parseLoopYaml(text, "loop.yaml"));

describe("settle", () => {
  test("an empty file gives the documented defaults", () => {
    expect(from("")).toEqual({
      agents: { maker: null, checker: null, planner: null, tester: null, auditor: null },
      continuation: "auto",
      triggers: [],
      perDayUsd: null,
      diskGb: 20,
      checks: null,
      limits: {
        costUsdMax: 25,
        sessionCostUsdMax: 5,
        iterationsMax: 10,
        commitsMax: 15,
        reworkMax: 2,
        roundsMax: 3,
        activeMsMax: 60 * 60_000,
        checkMsMax: null,
        sessionsMax: null,
        tokensMax: null,
        windowPercentMax: null,
        sessionMsMax: 30 * 60_000,
        silenceMsMax: 10 * 60_000,
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
      place: "worktree",
      recordsDir: "docs",
      env: [],
      sandbox: "auto",
      network: null,
      onLimit: "wait",
      context: { compactPercent: 75, handoverPercent: 90 },
      fullAutoAnswers: false,
      notify: { bell: true, title: true, desktop: false, command: null, webhook: null, ntfy: null },
      proof: defaultProofTerms,
    });
  });

  test("ntfy has a public server unless another one is named", () => {
    const ntfy = { url: "https://ntfy.sh", topic: "x", tokenEnv: null, answers: false };
    expect(from("notify: {ntfy: {topic: x}}").notify.ntfy).toEqual(ntfy);
    expect(
      from("notify: {ntfy: {topic: x, url: 'http://127.0.0.1:80', token_env: T, answers: true}}").notify.ntfy,
    ).toEqual({ url: "http://127.0.0.1:80", topic: "x", tokenEnv: "T", answers: true });
  });

  test("a check gets its defaults, and an empty list of checks differs from none given", () => {
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
  ])("$yaml changes only that term of the proof", ({ yaml, proof }) => {
    expect(from(yaml).proof).toEqual({ ...defaultProofTerms, ...proof });
  });

  test("a rework limit of zero stays zero", () => {
    expect(from("limits: {rework: 0}").limits.reworkMax).toBe(0);
  });
});

describe("checkCeilings", () => {
  const ceilings = limitNames.flatMap((name) => {
    const { key, ceiling } = limitRow(name);
    return ceiling === undefined ? [] : [{ key, most: ceiling }];
  });

  test("the defaults and the ceilings themselves are allowed", () => {
    expect(ceilings.map(({ key }) => key)).toEqual(["cost_usd", "iterations", "commits", "rework", "minutes"]);
    checkCeilings(limitsFrom({}), false);
    checkCeilings(limitsFrom(Object.fromEntries(ceilings.map(({ key, most }) => [key, most]))), false);
  });

  test.each(ceilings)("$key over $most is refused, unless explicitly confirmed", ({ key, most }) => {
    const limits = limitsFrom({ [key]: most + 0.5 });
    expect(() => checkCeilings(limits, false)).toThrow(UserError);
    checkCeilings(limits, true);
  });

  test("every limit that is too high is named, and NaN is refused", () => {
    const limits = limitsFrom({ cost_usd: 900, minutes: 9999, commits: Number.NaN });
    expect(() => checkCeilings(limits, false)).toThrow(
      /cost_usd is 900, and the most is 100\.[\s\S]*commits[\s\S]*minutes/,
    );
  });
});
