// The examples in autoloop's own documentation, read as loop.yaml.
import { expect, test } from "vitest";
import { readAutoloop } from "./autoloop-yaml.ts";
import { parseLoopYaml } from "./loop-yaml.ts";
import { checkCeilings, settle } from "./settings.ts";

const whole = `provider:
  name: codex
  codex:
    model: gpt-5.4
    model_effort: null
  claude:
    model: null
    effort: null
    permission_strategy: inherit
runtime:
  pairs: plan,implement,test,audit
  max_iterations: 15
  phase_mode: single
  intent_mode: preserve
  full_auto_answers: false
  no_git: false
  auto_followup: true
  auto_followup_max_depth: 3
`;

/** Its default. */
const stages = ["plan", "implement", "test", "audit"];

test.each([
  ["codex alone", "provider:\n  name: codex\n", { agents: { maker: { kind: "codex" } }, stages }],
  ["claude alone", "provider:\n  name: claude\n", { agents: { maker: { kind: "claude" } }, stages }],
  ["nothing", "", { agents: { maker: { kind: "codex" } }, stages }],
  [
    "the nested shape",
    whole,
    {
      agents: { maker: { kind: "codex", model: "gpt-5.4" } },
      stages,
      limits: { rounds: 15, rework: 10 },
      full_auto_answers: false,
      follow_up_depth: 3,
    },
  ],
  [
    "claude of the nested shape",
    whole
      .replace("name: codex", "name: claude")
      .replace("effort: null\n    permission", "effort: high\n    permission"),
    expect.objectContaining({ agents: { maker: { kind: "claude", effort: "high", permissions: "inherit" } } }),
  ],
  [
    "the flat keys of older files",
    "provider: { model: gpt-5, model_effort: high }\n",
    { agents: { maker: { kind: "codex", model: "gpt-5", effort: "high" } }, stages },
  ],
  [
    "no follow-ups",
    "runtime: { auto_followup: false, pairs: 'implement,plan' }\n",
    expect.objectContaining({ follow_up_depth: 0, stages: ["plan", "implement"] }),
  ],
])("%s", (_, text, expected) => {
  const { yaml } = readAutoloop(text, "autoloop.yaml");
  expect(yaml).toEqual(expected);
  const parsed = parseLoopYaml(JSON.stringify(yaml), "autoloop.yaml");
  expect(() => checkCeilings(settle(parsed).limits, false)).not.toThrow();
});

test.each([
  [11, 10, []],
  [12, 10, [expect.stringMatching(/^runtime\.max_iterations is 12: .* at most 11 attempts$/)]],
  [60, 10, [expect.stringMatching(/^runtime\.max_iterations is 60: /)]],
])("max_iterations: %i is %i reworks, and what the ceiling takes away is named", (most, rework, notes) => {
  const read = readAutoloop(`runtime: { max_iterations: ${most} }`, "autoloop.yaml");
  expect(read.yaml.limits).toEqual({ rounds: most, rework });
  expect(read.notes).toEqual(notes);
});

test.each([
  ["runtime: { max_iteration: 3 }", /runtime\.max_iteration is not a key; did you mean max_iterations/],
  ["provider: { name: gemini }", /provider\.name/],
  ["runtime: { no_git: true }", /--no-git/],
  ["runtime: { pairs: plan }", /runtime\.pairs leaves out implement/],
  ["provider: [", /line 1/],
])("%s is refused with its problem", (text, why) => {
  expect(() => readAutoloop(text, "autoloop.yaml")).toThrow(
    expect.objectContaining({ code: "bad-config", why: expect.stringMatching(why) }),
  );
});
