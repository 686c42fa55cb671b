// JSON Schemas of the replies, for agents that support one.
import type { JsonSchema } from "../config/loop-schema.ts";
import { type ReplyKind, verifications } from "./reply.ts";

const string = (description: string): JsonSchema => ({ type: "string", description });
const object = (properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: "array", items, description });
const oneOf = (values: readonly string[], description: string): JsonSchema => ({
  type: "string",
  enum: values,
  description,
});

const evidence = object(
  {
    command: string("A command that was run."),
    file: string("A file that was read, as a path in the repository."),
    line: { type: "integer", description: "The line in that file." },
  },
  [],
);
const criterion = object(
  {
    criterion: string("The acceptance criterion, word for word."),
    met: { type: "boolean", description: "Is it met?" },
    verification: oneOf(verifications, "How that is known."),
    evidence: list(evidence, "What shows it: commands that were run, places in files."),
  },
  ["criterion", "met", "verification", "evidence"],
);
const found = {
  id: string("G1, G2 and so on."),
  severity: oneOf(["blocking", "minor"], "Does it keep the request from being met?"),
  summary: string("What is missing, or wrong."),
  evidence: list({ type: "string" }, "What shows it."),
};
const finding = object(found, ["id", "severity", "summary", "evidence"]);
const gap = object({ ...found, criterion: string("What is true once the gap is closed.") }, [
  "id",
  "severity",
  "summary",
  "evidence",
]);
const question = object(
  { text: string("The question."), best_supposition: string("What you would do without an answer.") },
  ["text"],
);

const planned = object(
  {
    id: string("F1, F2 and so on: by it the others say that they depend on it."),
    name: string("What it is, in a few words."),
    description: string("What is to be done, and what is not."),
    acceptance_criteria: list({ type: "string" }, "What can be seen to be so, or not, when it is done."),
    dependencies: list({ type: "string" }, "Ids of what must be done before it."),
    may_touch: list({ type: "string" }, "Globs of the files that it needs to change; empty: any in scope."),
    kind: oneOf(
      ["change", "keep", "docs"],
      "New behaviour, the same behaviour arranged differently, or documents only.",
    ),
    may_change: list(
      { type: "string" },
      "Existing tests that have to change with it, as file or file > test name; a person has to agree to it.",
    ),
  },
  ["id", "name", "description", "acceptance_criteria", "dependencies"],
);

/** The schema of a session, by its purpose. */
export type SchemaKind = ReplyKind | "plan" | "design" | "review" | "exam";

const schemas: Readonly<Record<SchemaKind, JsonSchema>> = {
  plan: object(
    {
      status: oneOf(["done", "blocked", "question"], "How the planning ended."),
      summary: string("The plan in a sentence or two, or why there is none."),
      features: list(planned, "The features, the first to be built first."),
      question: { ...question, description: "What a person must answer, when status is question." },
    },
    ["status", "summary", "features"],
  ),
  design: object(
    {
      status: oneOf(["done", "blocked", "question"], "How the design ended."),
      summary: string("The design in a sentence or two, or why there is none."),
      design: string("The design, in Markdown: what changes where, in what order, and how it is tested."),
      question: { ...question, description: "What a person must answer, when status is question." },
    },
    ["status", "summary", "design"],
  ),
  exam: object(
    {
      summary: string("What the tests are about, in a sentence or two."),
      tests: list(
        object(
          {
            path: string("A new file, where the project's own tests are."),
            content: string("All of its text."),
          },
          ["path", "content"],
        ),
        "Test files; none, if the criteria name nothing that a test could call.",
      ),
    },
    ["summary", "tests"],
  ),
  review: object(
    {
      verdict: oneOf(["pass", "fail"], "pass only if nothing blocking was found."),
      summary: string("The verdict in a sentence or two."),
      findings: list(finding, "What is to be said against it, numbered."),
    },
    ["verdict", "summary", "findings"],
  ),
  producer: object(
    {
      status: oneOf(["done", "blocked", "question", "needs-permission"], "How the work ended."),
      summary: string("What was done, or why not."),
      question: { ...question, description: "What a person must answer, when status is question." },
      tests: list(
        { type: "string" },
        "Protected tests that have to change, as file or file > test name, when status is needs-permission.",
      ),
      reason: string("Why they have to change, when status is needs-permission."),
      learned: list(
        { type: "string" },
        "At most five short facts about this repository that would have saved you time, for whoever works here next.",
      ),
    },
    ["status", "summary"],
  ),
  verdict: object(
    {
      verdict: oneOf(["pass", "fail"], "pass only if every criterion is met."),
      summary: string("The verdict in a sentence or two."),
      root_cause: string("Why it fails, when it does."),
      criteria: list(criterion, "Every acceptance criterion."),
    },
    ["verdict", "summary", "criteria"],
  ),
  audit: object(
    {
      status: oneOf(["passed", "needs-followup"], "Does what exists meet the request?"),
      summary: string("The audit in a sentence or two."),
      gaps: list(gap, "What the request asks for and is not there."),
      revised_request: string("The request for a follow-up run, when one is needed."),
    },
    ["status", "summary", "gaps"],
  ),
};

export const replySchema = (kind: SchemaKind): JsonSchema => schemas[kind];

/** The same for strict output schemas: every property is required, and optional ones may be null instead. */
export function strictly(schema: JsonSchema): JsonSchema {
  if (schema["type"] === "array") return { ...schema, items: strictly((schema["items"] ?? {}) as JsonSchema) };
  if (schema["type"] !== "object") return schema;
  const required = (schema["required"] ?? []) as readonly string[];
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>).map(([key, below]) => {
    const inner = strictly(below);
    return [key, required.includes(key) ? inner : orNull(inner)] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties), required: properties.map(([key]) => key) };
}

const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema["type"], "null"] });
