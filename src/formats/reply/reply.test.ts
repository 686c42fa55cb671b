import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../config/loop-schema.ts";
import { coverCriteria } from "./criteria-cover.ts";
import { parseReply, type ReplyKind, type VerdictReply } from "./reply.ts";
import { replySchema, strictly } from "./reply-schema.ts";

const isProblem = (reply: object): reply is { problem: string } => "problem" in reply;
const kinds: ReplyKind[] = ["producer", "verdict", "audit"];
const met = { criterion: "adds", met: true, verification: "execution output", evidence: [{ command: "npm test" }] };
const pass = { verdict: "pass", summary: "good", criteria: [met] };

describe("a producer's reply", () => {
  test.each([
    { answer: { status: "done", summary: "s", more: 1 }, status: "done" },
    { answer: { status: "DONE" }, status: "done" },
    { answer: { status: "completed" }, status: "done" },
    { answer: { status: "Blocked" }, status: "blocked" },
    { answer: { status: "question", question: { text: "which?" } }, status: "question" },
    { answer: { status: "question", question: "which?" }, status: "question" },
    { answer: { kind: "promise", promise: "COMPLETE" }, status: "done" },
    { answer: { kind: "promise", promise: "BLOCKED" }, status: "blocked" },
    { answer: { kind: "question", question: "which?", best_supposition: "a" }, status: "question" },
    { answer: { exit_signal: true }, status: "done" },
    { answer: '```json\n{"status": "done"}\n```', status: "done" },
    { answer: { status: "needs-permission", tests: ["a.test.js > a"], reason: "r" }, status: "needs-permission" },
    { answer: { status: "needs_permission", tests: ["a.test.js"] }, status: "needs-permission" },
    { answer: { status: "needs-permission", tests: [] }, status: "blocked" },
  ])("$answer is $status", ({ answer, status }) => {
    expect(parseReply("producer", answer)).toMatchObject({ kind: "producer", status });
  });

  test.each([
    { learned: ["a", " b "], kept: ["a", "b"] },
    { learned: ["1", "2", "3", "4", "5", "6"], kept: ["1", "2", "3", "4", "5"] },
    { learned: ["x".repeat(1000)], kept: ["x".repeat(300)] },
    { learned: [1, null, {}, "", "a"], kept: ["a"] },
    { learned: "a text", kept: undefined },
    { learned: { 0: "a" }, kept: undefined },
    { learned: null, kept: undefined },
  ])("lessons are taken only from a list of texts: $learned", ({ learned, kept }) => {
    const reply = parseReply("producer", { status: "done", learned });
    expect(reply).toMatchObject({ kind: "producer", status: "done" });
    expect("learned" in reply ? reply.learned : undefined).toEqual(kept);
  });

  test.each([
    { status: "question", question: "which?", supposition: "a" },
    { status: "question", question: "which?", best_supposition: "a" },
    { kind: "question", question: "which?", best_supposition: "a" },
  ])("a question may have it beside: %j", (answer) => {
    expect(parseReply("producer", answer)).toMatchObject({
      status: "question",
      question: { text: "which?", bestSupposition: "a" },
    });
  });

  test("a question comes with the agent's assumption", () => {
    const answer = { status: "question", summary: "s", question: { text: "which?", best_supposition: "a" } };
    expect(parseReply("producer", answer)).toEqual({
      kind: "producer",
      status: "question",
      summary: "s",
      question: { text: "which?", bestSupposition: "a" },
    });
  });

  test.each([
    { answer: { status: "not done" }, problem: "status: must be one of: done, blocked, question, needs-permission." },
    { answer: { status: "incomplete" }, problem: "status: must be one of" },
    { answer: { kind: "promise", promise: "INCOMPLETE" }, problem: "status: must be one of" },
    { answer: { exit_signal: false }, problem: "status: " },
    { answer: { exit_signal: "true" }, problem: "status: " },
    { answer: { status: "question" }, problem: "question.text is missing." },
    { answer: { status: "constructor" }, problem: "status: must be one of" },
    { answer: {}, problem: "status: " },
    { answer: "done", problem: "The reply is not a JSON object." },
    { answer: [], problem: "The reply is not a JSON object." },
    { answer: null, problem: "The reply is not a JSON object." },
  ])("$answer is a problem", ({ answer, problem }) => {
    const reply = parseReply("producer", answer);
    expect(isProblem(reply) && reply.problem).toContain(problem);
  });
});

describe("a verdict", () => {
  test("is read completely", () => {
    const answer = {
      verdict: "PASS",
      summary: "good",
      criteria: [
        {
          ...met,
          verification: "Execution_Output",
          evidence: [
            { file: "a.js", line: 3 },
            { command: "npm test", file: null, line: null },
            "looked",
            { file: "b", line: "x" },
          ],
        },
      ],
    };
    expect(parseReply("verdict", answer)).toEqual({
      kind: "verdict",
      verdict: "pass",
      summary: "good",
      rootCause: null,
      criteria: [
        {
          criterion: "adds",
          met: true,
          verification: "execution output",
          evidence: [{ file: "a.js", line: 3 }, { command: "npm test" }, { note: "looked" }, { file: "b", line: null }],
        },
      ],
    });
  });

  test.each([
    { answer: { verdict: "pass" }, problem: "criteria is missing" },
    { answer: { ...pass, criteria: [] }, problem: "criteria is missing" },
    { answer: { ...pass, criteria: null }, problem: "criteria is missing" },
    { answer: { ...pass, criteria: [{ ...met, met: undefined }] }, problem: "criteria[0].met" },
    { answer: { ...pass, criteria: [{ ...met, met: 1 }] }, problem: "criteria[0].met" },
    { answer: { ...pass, criteria: [{ ...met, met: "yes, I think" }] }, problem: "criteria[0].met" },
    {
      answer: { ...pass, criteria: [{ ...met, verification: "trust me" }] },
      problem: "must be one of: execution output",
    },
    {
      answer: { ...pass, criteria: [{ ...met, verification: undefined }] },
      problem: 'verification is missing for the criterion "adds"',
    },
    { answer: { ...pass, verdict: "pass?" }, problem: "verdict: must be one of: pass, fail." },
    { answer: { ...pass, verdict: true }, problem: "verdict: " },
    { answer: { ...pass, verdict: "not pass" }, problem: "verdict: " },
    { answer: { criteria: [met] }, problem: "verdict: " },
    { answer: { status: "done" }, problem: "verdict: " },
  ])("$problem", ({ answer, problem }) => {
    const reply = parseReply("verdict", answer);
    expect(isProblem(reply) && reply.problem).toContain(problem);
  });

  test.each([
    { answer: { verdict: "fail" } },
    { answer: { verdict: "FAILED", criteria: "garbage", summary: 3, root_cause: [] } },
    { answer: { verdict: "fail", criteria: [{ criterion: "a" }] } },
    { answer: { verdict: "fail", criteria: [met] } },
    { answer: { verdict: "pass", criteria: [met, { ...met, criterion: "b", met: false }] } },
    { answer: { verdict: "pass", criteria: [{ ...met, met: "False" }] } },
  ])("$answer is a fail", ({ answer }) => {
    expect(parseReply("verdict", answer)).toMatchObject({ verdict: "fail" });
  });

  test("a pass that contradicts itself names the unmet criterion", () => {
    const reply = parseReply("verdict", { ...pass, criteria: [met, { ...met, criterion: "b", met: false }] });
    expect(reply).toMatchObject({ verdict: "fail", rootCause: "not met: b" });
  });

  test("only a plain pass with every criterion met becomes a pass", () => {
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(arbitrary, fc.anything());
    const criterion = fc.record(
      {
        criterion: maybe(fc.string()),
        met: fc.oneof(fc.boolean(), fc.constantFrom("true", "false", "no", 1, 0, null)),
        verification: maybe(fc.constantFrom("execution output", "assumption", "code_review")),
        evidence: maybe(fc.array(fc.record({ command: fc.string() }))),
      },
      { requiredKeys: ["criterion", "met"] },
    );
    const answer = fc.record({
      verdict: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom("pass", "PASS", "passed", "fail", "Fail", "no pass") },
        fc.anything(),
      ),
      criteria: fc.oneof({ weight: 4, arbitrary: fc.array(criterion, { maxLength: 3 }) }, fc.anything()),
    });
    let passes = 0;
    fc.assert(
      fc.property(answer, (given) => {
        const reply = parseReply("verdict", given);
        if (isProblem(reply) || reply.verdict === "fail") return;
        passes += 1;
        expect(String(given.verdict).trim().toLowerCase()).toMatch(/^pass(ed)?$/);
        const criteria = given.criteria as { met: unknown }[];
        expect(criteria.length).toBeGreaterThan(0);
        expect(criteria.every((each) => each.met === true || each.met === "true")).toBe(true);
      }),
      { numRuns: 1500 },
    );
    expect(passes).toBeGreaterThan(0);
  });
});

describe("an audit", () => {
  const gap = { id: "G1", severity: "minor", summary: "no docs", evidence: ["README"] };
  test.each([
    { answer: { status: "passed", gaps: [] }, status: "passed" },
    { answer: { status: "PASSED" }, status: "passed" },
    { answer: { status: "passed", gaps: [gap] }, status: "passed" },
    { answer: { status: "passed", gaps: [{ ...gap, severity: "blocking" }] }, status: "needs-followup" },
    { answer: { status: "passed", gaps: [{ ...gap, severity: "high" }] }, status: "needs-followup" },
    { answer: { status: "passed", gaps: [{ summary: "x" }] }, status: "needs-followup" },
    { answer: { status: "needs_followup", gaps: [gap], revised_request: "do" }, status: "needs-followup" },
  ])("$answer is $status", ({ answer, status }) => {
    expect(parseReply("audit", answer)).toMatchObject({ kind: "audit", status });
  });

  test("gaps without an id get one", () => {
    expect(parseReply("audit", { status: "passed", gaps: [{ ...gap, id: null, evidence: "one" }] })).toMatchObject({
      gaps: [{ id: "G1", severity: "minor", summary: "no docs", evidence: ["one"] }],
    });
  });

  test.each([{ status: "fine" }, { status: "passed", gaps: "none" }, { gaps: [] }])("%j is a problem", (answer) => {
    expect(isProblem(parseReply("audit", answer))).toBe(true);
  });
});

test("no reply makes parseReply throw, and a problem is one short text", () => {
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error("no");
      },
      has: () => {
        throw new Error("no");
      },
    },
  );
  const circular: Record<string, unknown> = { status: "done" };
  circular["question"] = circular;
  for (const kind of kinds) expect(isProblem(parseReply(kind, trap))).toBe(true);
  const odd = fc.constantFrom<unknown>(
    circular,
    new Map(),
    Symbol("s"),
    () => 1,
    "{".repeat(100_000),
    "[".repeat(100_000),
    1n,
  );
  const answer = fc.oneof(
    odd,
    fc.anything({ withBigInt: true, withDate: true, withMap: true }),
    fc.string(),
    fc.json(),
  );
  fc.assert(
    fc.property(fc.constantFrom(...kinds), answer, (kind, given) => {
      const reply = parseReply(kind, given);
      if (isProblem(reply)) expect(reply.problem.length).toBeLessThan(2000);
    }),
    { numRuns: 1000 },
  );
});

test("very long text is cut, and very long lists are refused", () => {
  const reply = parseReply("producer", { status: "done", summary: "x".repeat(10_000_000) });
  expect(!isProblem(reply) && reply.summary.length).toBeLessThan(30_000);
  expect(isProblem(parseReply("verdict", { ...pass, criteria: Array(10_000).fill(met) }))).toBe(true);
});

describe("the schemas of replies", () => {
  const visit = (schema: JsonSchema, see: (object: JsonSchema) => void): void => {
    if (schema["properties"] !== undefined) see(schema);
    for (const below of Object.values((schema["properties"] ?? {}) as Record<string, JsonSchema>)) visit(below, see);
    if (schema["items"] !== undefined) visit(schema["items"] as JsonSchema, see);
  };

  test.each(kinds)("the strict schema of %s requires every property and allows no other", (kind) => {
    const schema = strictly(replySchema(kind));
    expect(schema["type"]).toBe("object");
    let objects = 0;
    visit(schema, (object) => {
      objects += 1;
      expect(object["additionalProperties"]).toBe(false);
      expect(object["required"]).toEqual(Object.keys(object["properties"] as object));
    });
    expect(objects).toBeGreaterThan(1);
    expect(JSON.stringify(schema)).not.toMatch(/oneOf|anyOf|\$ref|minLength|pattern/);
    expect(JSON.stringify(replySchema(kind))).not.toContain('"null"');
  });

  /** Any reply that a schema allows, generated from the schema. */
  const allowed = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    const types = [schema["type"]].flat();
    const plain: fc.Arbitrary<unknown> = (() => {
      if (schema["enum"] !== undefined) return fc.constantFrom(...(schema["enum"] as string[]));
      if (types[0] === "string") return fc.string({ minLength: 1 }).map((text) => `${text}.`);
      if (types[0] === "integer") return fc.integer({ min: 1, max: 9999 });
      if (types[0] === "boolean") return fc.boolean();
      if (types[0] === "array") return fc.array(allowed(schema["items"] as JsonSchema), { minLength: 1, maxLength: 3 });
      const properties = Object.entries(schema["properties"] as Record<string, JsonSchema>);
      const required = schema["required"] as string[];
      return fc.record(Object.fromEntries(properties.map(([key, below]) => [key, allowed(below)])), {
        requiredKeys: required,
      });
    })();
    return types.includes("null") ? fc.option(plain) : plain;
  };

  test.each(kinds)("any reply that the schemas of %s allow is read without a problem", (kind) => {
    fc.assert(
      fc.property(fc.oneof(allowed(replySchema(kind)), allowed(strictly(replySchema(kind)))), (answer) => {
        expect(parseReply(kind, JSON.stringify(answer))).toHaveProperty("kind", kind);
      }),
    );
  });
});

describe("coverCriteria", () => {
  const answer = (criterion: string, more: object = {}) =>
    ({ ...met, criterion, ...more }) as VerdictReply["criteria"][number];
  test.each([
    { asked: ["a b", "c"], given: [answer("c"), answer("A  b.")], found: [true, true] },
    { asked: ["a", "b"], given: [answer("2. b"), answer("AC-1: a")], found: [true, true] },
    { asked: ["a", "b"], given: [answer("C2"), answer("1")], found: [true, true] },
    { asked: ["a", "b"], given: [answer("a"), answer("something else")], found: [true, null] },
    { asked: ["a", "b"], given: [answer("a"), answer("3")], found: [true, null] },
    { asked: ["a"], given: [answer("a"), answer("a", { met: false })], found: [false] },
    { asked: ["200"], given: [answer("200")], found: [true] },
  ])("$asked", ({ asked, given, found }) => {
    expect(coverCriteria(asked, given).map((each) => each.answer?.met ?? null)).toEqual(found);
  });

  test("of two answers to one criterion, the weaker counts", () => {
    const [cover] = coverCriteria(["a"], [answer("a"), answer("a", { verification: "assumption" })]);
    expect(cover?.answer?.verification).toBe("assumption");
  });
});
