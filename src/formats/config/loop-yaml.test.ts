import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UserError } from "../../core/errors.ts";
import { mergeLoopYaml, parseLoopYaml } from "./loop-yaml.ts";
import { settle } from "./settings.ts";

const read = (text: string) => parseLoopYaml(text, "loop.yaml");
function refusal(text: string): UserError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

const whole = `
version: 1
agents: { maker: claude, checker: { kind: command, command: ["node", "review.mjs"] } }   # a comment
checks:
  - { name: test, run: npm test, must: stay-green, timeout_s: 600, tests: ["test/**"], before: docker compose up -d, after: docker compose down }
product: ["src/**"]
setup: { run: npm ci, env: [NPM_TOKEN], home: [.npmrc] }
build: npm run generate
room: { files: [.env.test], env: [DATABASE_URL], home: [.config/tool] }
proof: { depth: deep, strength: 0.8 }
allow: checker
limits: { check_minutes: 90, cost_usd: 25, iterations: 10, commits: 15, rework: 2, minutes: 60, sessions: null, tokens: null }
autonomy: L2
stages: [plan, implement, test, audit]
scope: { may_touch: ["src/**"], must_not: ["no new dependency"], may_change: [], features: { include: [F001-F006, all B] } }
records_dir: docs/loop
env: [HTTPS_PROXY]
on_limit: switch
context: { compact_percent: 70, handover_percent: 85 }
full_auto_answers: true
`;

describe("accepts a loop.yaml", () => {
  test("with the whole format", () => {
    const yaml = read(whole);
    expect(yaml.agents?.checker).toEqual({ kind: "command", command: ["node", "review.mjs"] });
    expect(yaml.checks?.[0]).toMatchObject({ before: "docker compose up -d" });
    expect(yaml.limits?.sessions).toBeNull();
  });

  test.each(["", "# nothing yet\n", "---\n", "{}", "\uFEFFversion: 1\n", "version: 1\r\nautonomy: L1\r\n"])(
    "with %j",
    (text) => {
      expect(() => read(text)).not.toThrow();
    },
  );

  test("with an alias that repeats a list", () => {
    const yaml = read(
      "checks:\n  - {name: a, run: x, tests: &t ['t/**']}\n  - {name: b, run: y, tests: *t}\nscope: {may_change: []}\n",
    );
    expect(yaml.checks?.[1]).toMatchObject({ tests: ["t/**"] });
  });
});

describe("refuses a loop.yaml", () => {
  test.each([
    { text: "autonmy: L1", says: 'line 1: unknown key "autonmy" at the top; did you mean autonomy?' },
    {
      text: "limits:\n  iteration: 3",
      says: 'line 2: unknown key "iteration" in limits; did you mean limits.iterations?',
    },
    { text: "version: 1\nminutes: 3", says: 'line 2: unknown key "minutes" at the top; it belongs to limits.minutes' },
    {
      text: "checks:\n- name: t\n  run: x\n  timeout: 3",
      says: 'line 4: unknown key "timeout" in checks[0]; did you mean checks[0].timeout_s?',
    },
    { text: "agents: {maker: {kind: claude, modell: x}}", says: "did you mean agents.maker.model?" },
    {
      text: "agents: {maker: cluade}",
      says: 'agents.maker: expected claude or codex or acp or rehearsal, found text ("cluade"); did you mean claude?',
    },
    { text: "agents: {maker: command}", says: "agents.maker: expected claude or codex" },
    { text: "agents: {maker: {kind: command}}", says: 'agents.maker.command: is needed with kind "command"' },
    { text: "agents: {maker: {model: x}}", says: "agents.maker.kind: is missing" },
    { text: "agents: {maker: 3}", says: "agents.maker: expected claude or codex or acp or rehearsal, found 3" },
    { text: "limits: {cost_usd: lots}", says: 'limits.cost_usd: expected a number, found text ("lots")' },
    { text: "limits: {cost_usd: 0}", says: "limits.cost_usd: must be more than 0" },
    { text: "limits: {cost_usd: -1}", says: "limits.cost_usd: must be more than 0" },
    { text: "limits: {cost_usd: .inf}", says: "limits.cost_usd: expected a number, found Infinity" },
    { text: "limits: {cost_usd: .nan}", says: "limits.cost_usd: expected a number, found NaN" },
    { text: "limits: {cost_usd: null}", says: "limits.cost_usd: expected a number, found nothing" },
    { text: "limits: {iterations: 1.5}", says: "limits.iterations: expected a whole number, found 1.5" },
    { text: "limits: {iterations: 0}", says: "limits.iterations: must be at least 1" },
    { text: "limits:", says: "line 1: limits: expected a mapping of keys, found nothing" },
    { text: "checks: {name: test}", says: "checks: expected a list, found a mapping of keys" },
    { text: "checks: [{name: a, run: x}, {name: A, run: y}]", says: "checks: must have different names" },
    { text: "checks: [{name: ../x, run: x}]", says: "checks[0].name: must be a plain name" },
    { text: "checks: [{name: a, run: '  '}]", says: "checks[0].run: must be a command" },
    { text: "checks: [{name: a, run: x, tests: [../other/**]}]", says: "checks[0].tests[0]: must be a path inside" },
    { text: "stages: []", says: "stages: must not be empty" },
    { text: "stages: [plan]", says: "stages: must contain implement" },
    { text: "stages: [implement, build]", says: "stages[1]: expected plan or implement or test or audit" },
    { text: "records_dir: /etc", says: "records_dir: must be a folder inside the workspace" },
    { text: "records_dir: a/../../b", says: "records_dir: must be a folder inside the workspace" },
    { text: "records_dir: .git/hooks", says: "records_dir: must be a folder inside the workspace" },
    { text: "scope: {features: {include: ['what the team wants']}}", says: "must be a feature id, a range" },
    { text: "product: src/**", says: "product: expected a list, found text" },
    { text: "product: [../x]", says: "product[0]: must be a path inside the workspace" },
    { text: "setup: 3", says: "setup: expected text, found 3" },
    { text: "setup: ''", says: "setup: must be a command" },
    { text: "setup: { env: [A] }", says: "setup.run: is missing" },
    { text: "setup: { run: x, envs: [A] }", says: 'unknown key "envs" in setup; did you mean setup.env?' },
    { text: "setup: { run: x, home: [/root/.npmrc] }", says: "setup.home[0]: must be a path below your home" },
    { text: "setup: { run: x, env: [TOKEN=1] }", says: "setup.env[0]: must be names of variables only" },
    { text: "build: [a]", says: "build: expected" },
    {
      text: "room: { files: [.git/config] }",
      says: "room.files[0]: must be a path inside the workspace, outside .git",
    },
    { text: "room: { git: true }", says: 'unknown key "git" in room; it is not supported yet' },
    { text: "room: { network: true }", says: 'unknown key "network" in room; it is not supported yet' },
    { text: "room: { file: [a] }", says: 'unknown key "file" in room; did you mean room.files?' },
    { text: "proof: { depth: shallow }", says: "proof.depth: expected quick or standard or deep" },
    { text: "proof: { strength: 2 }", says: "proof.strength: must be at most 1" },
    { text: "proof: { strength: -0.1 }", says: "proof.strength: must be at least 0" },
    { text: "allow: anyone", says: "allow: expected person or checker or never" },
    { text: "limits: { check_minutes: 0 }", says: "limits.check_minutes: must be more than 0" },
    {
      text: "checks:\n- name: a\n  run: x\n  setup: npm ci",
      says: 'line 4: unknown key "setup" in checks[0]; it has moved to the top level: setup',
    },
    {
      text: "checks: [{name: a, run: x, bring: [data]}]",
      says: 'unknown key "bring" in checks[0]; it has moved to room.files',
    },
    {
      text: "checks: [{name: a, run: x, env: [A]}]",
      says: 'unknown key "env" in checks[0]; name the variables in room.env',
    },
    { text: "commit: { sign: true }", says: 'unknown key "commit" at the top; it is not supported yet' },
    { text: "version: 2", says: "version: expected 1, found 2" },
    { text: "full_auto_answers: yes", says: 'expected true or false, found text ("yes")' },
    { text: "- a\n- b", says: "the file: expected a mapping of keys, found a list" },
    { text: "just words", says: "the file: expected a mapping of keys" },
    { text: "a: 1\na: 2", says: "line 2: map keys must be unique" },
    { text: "limits: {minutes: 1, minutes: 2}", says: "map keys must be unique" },
    { text: "__proto__: {polluted: 1}", says: "line 1: __proto__ is not allowed" },
    { text: "limits: {__proto__: {cost_usd: 9}}", says: "__proto__ is not allowed" },
    { text: "autonomy: !!js/function 'x'", says: "line 1: " },
    { text: "stages: !!set {implement}", says: "tags are not allowed" },
    { text: "autonomy: !!str L1", says: "tags are not allowed" },
    { text: "%YAML 1.1\n---\nautonomy: L1", says: "line 1: directives (%) are not allowed" },
    { text: "autonomy: L1\n---\nautonomy: L3", says: "line 2: it holds more than one document" },
    { text: "? [a]\n: b", says: "a key must be a plain word" },
    { text: "autonomy: *a", says: "unresolved alias" },
    { text: "stages: &a [*a]", says: "an alias must not stand inside what it names" },
    { text: "stages: [implement", says: "line 1: flow sequence" },
    { text: "<<: {autonomy: L3}", says: 'unknown key "<<" at the top' },
  ])("$text", ({ text, says }) => {
    const error = refusal(text);
    expect(error.code).toBe("bad-config");
    expect(error.exitCode).toBe(1);
    expect(error.why).toContain(says);
  });

  test("with all problems in one error, in line order", () => {
    const { why, what } = refusal("autonmy: L1\nlimits:\n  iterations: many\nchecks:\n  - {run: x}\nstages: [plan]\n");
    expect(what).toBe("loop.yaml has 4 problems.");
    expect(why.split("\n").map((line) => line.split(":")[0])).toEqual(["line 1", "line 3", "line 5", "line 6"]);
  });

  test("without repeating a secret in place of a name", () => {
    const { why } = refusal("env: ['API_KEY=hunter2hunter2']\nagents: {maker: {kind: claude, env: [TOKEN=s3cr3t]}}");
    expect(why).toContain("env[0]: must be names of variables only");
    expect(why).not.toMatch(/hunter2|s3cr3t/);
  });

  test("without leaking to the prototype of objects", () => {
    refusal("__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("a hostile loop.yaml is refused quickly, with a message", () => {
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg", "gh"].map((pair) => [...pair])) {
    bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(", ")}]`);
  }
  test.each([
    { name: "a file over the size cap", text: `# ${"x".repeat(300_000)}` },
    { name: "a file over the size cap in bytes only", text: `# ${"é".repeat(200_000)}` },
    { name: "an alias bomb", text: bomb.join("\n") },
    { name: "aliases in a row", text: `a: &a [x]\nb: [${"*a,".repeat(4000)}]` },
    { name: "a chain of aliases", text: Array.from({ length: 1200 }, (_, i) => `k${i}: &a${i} *a${i - 1}\n`).join("") },
    { name: "brackets without end", text: "[".repeat(60_000) },
    { name: "brackets that close", text: `${"[".repeat(30_000)}${"]".repeat(30_000)}` },
    { name: "mappings in mappings", text: "{a: ".repeat(30_000) },
    { name: "dashes in a row", text: "- ".repeat(40_000) },
    { name: "question marks in a row", text: "? ".repeat(40_000) },
    { name: "ever more indentation", text: Array.from({ length: 600 }, (_, i) => `${" ".repeat(i)}a:\n`).join("") },
    { name: "fifteen thousand keys", text: Array.from({ length: 15_000 }, (_, i) => `k${i}:\n`).join("") },
    { name: "thousands of unknown keys", text: Array.from({ length: 8_000 }, (_, i) => `k${i}: 1\n`).join("") },
    { name: "as many unknown keys as fit", text: Array.from({ length: 2400 }, (_, i) => `k${i}: 1\n`).join("") },
    { name: "thousands of documents", text: "---\n".repeat(20_000) },
    { name: "thousands of tags", text: "- !a x\n".repeat(4_000) },
    { name: "one endless key", text: `${"k".repeat(200_000)}: 1` },
    { name: "a lone quote", text: `a: "${"\\\n".repeat(120_000)}` },
    { name: "NUL bytes", text: "\u0000".repeat(1000) },
  ])("$name", ({ text }) => {
    const { why } = refusal(text);
    expect(why.length).toBeLessThan(10_000);
  });

  test.each([
    { depth: 20, says: "expected a mapping of keys, found a list" },
    { depth: 21, says: "nested deeper than 20 levels" },
  ])("$depth levels: $says", ({ depth, says }) => {
    expect(refusal("[".repeat(depth) + "]".repeat(depth)).why).toContain(says);
    expect(refusal("- ".repeat(depth)).why).toContain(says);
  });

  const words = [
    ..."[]{}:,-?&*!|>'\"%@#`\n\t ~",
    ...["a", "<<", "---", "...", "&a", "*a", "!!set", "__proto__", "limits", "cost_usd", "1", "\u2028", "\uD800"],
  ];
  test("any text gives a value or a UserError", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => parts.join("")),
      fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join(" ")),
      fc.json({ maxDepth: 40 }),
    );
    fc.assert(
      fc.property(text, (given) => {
        try {
          settle(read(given));
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("mergeLoopYaml", () => {
  test("the nearer file wins, group by group; lists are replaced as a whole", () => {
    const merged = mergeLoopYaml(
      read("agents: {maker: claude, checker: codex}\nlimits: {cost_usd: 50, minutes: 5, sessions: 3}\nenv: [A, B]"),
      read(
        "agents: {maker: {kind: codex, model: m}}\nlimits: {minutes: 30, sessions: null}\nenv: [C]\nscope: {features: {include: [F001]}}",
      ),
      { limits: { cost_usd: 2, minutes: undefined }, scope: { features: { exclude: ["F002"] } }, autonomy: undefined },
    );
    expect(merged).toEqual({
      agents: { maker: { kind: "codex", model: "m" }, checker: "codex" },
      limits: { cost_usd: 2, minutes: 30, sessions: null },
      env: ["C"],
      scope: { features: { include: ["F001"], exclude: ["F002"] } },
    });
  });

  test("room and proof are merged key by key, setup and product are replaced as a whole", () => {
    const merged = mergeLoopYaml(
      read("room: {env: [A], files: [a]}\nproof: {depth: deep}\nsetup: {run: x, env: [T]}\nproduct: [lib/**]"),
      read("room: {env: [B]}\nproof: {strength: 1}\nsetup: npm ci\nproduct: [src/**]"),
      {},
    );
    expect(merged).toEqual({
      room: { env: ["B"], files: ["a"] },
      proof: { depth: "deep", strength: 1 },
      setup: "npm ci",
      product: ["src/**"],
    });
  });

  test("merging empty files gives an empty one, and the inputs stay unchanged", () => {
    const user = read("limits: {minutes: 1}");
    expect(mergeLoopYaml({}, {}, {})).toEqual({});
    mergeLoopYaml(user, { limits: { minutes: 2 } }, {});
    expect(user).toEqual({ limits: { minutes: 1 } });
  });
});
