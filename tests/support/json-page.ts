// docs/JSON.md, written from the shapes that the command line prints.
import { z } from "zod";
import { answers } from "../../src/cli/json/answer-shapes.ts";
import { eventWords, lines, output, signWords } from "../../src/cli/json/line-shapes.ts";
import { runKeys } from "../../src/cli/json/run-shape.ts";
import { branchesOf, type JsonSchema, keysOf, kindOf, textOf } from "./schema-tables.ts";

type Named = Map<string, JsonSchema>;

export function jsonPage(): string {
  const named: Named = new Map();
  const answered = Object.values(answers).map((each) => ({ ...each, schema: schemaOf(each.shape, named) }));
  const streamed = [...Object.values(lines), output].map((shape) => schemaOf(shape, named));
  // A key of a named object may be of another one.
  const objects = [...named].sort(([one], [other]) =>
    one === "Run" ? -1 : other === "Run" ? 1 : one < other ? -1 : 1,
  );
  return `# JSON

Every command answers with JSON on standard output if \`--json\` is given. What a person would be told meanwhile goes to standard error. This page is
written from the shapes that the program prints: a key that is not here is not printed.

- \`version\` is 1. It changes when a key is renamed, removed or means something else. New keys can come at any time.
- \`exitCode\` is the exit code of the command ([endings](ENDINGS.md), [errors](ERRORS.md)).
- Keys are in camelCase. Times are texts in UTC (\`2026-01-31T07:05:00.000Z\`), durations milliseconds (\`ms\`, \`…Ms\`), amounts US dollars (\`…Usd\`).
- An error is one line: \`{"version":1,"exitCode":64,"error":{"code":"…","what":"…","why":"…","next":"…"}}\`. Its [code](ERRORS.md) is for programs.
- Terminal control characters are escaped.

## Streams

\`loop run\`, and every command that resumes a run, prints a line for each thing that happens, and at last the line of type \`end\`. \`loop watch\` does the
same without the last one, \`loop logs\` prints the output of sessions. Each line is an object with \`version\` and \`type\`.

${streamed.map((schema) => tables(typeOf(schema), "", schema, 3)).join("\n")}
### Events

| \`type\` | meaning |
| --- | --- |
${wordRows(eventWords)}
### Signs

| \`sign\` | meaning |
| --- | --- |
${wordRows(signWords)}
## Answers
${answered.map(({ title, says, isRun, schema }) => `\n${answerText(title, says, isRun, schema)}`).join("")}
## Objects

${objects.map(([name, schema]) => tables(name, "", schema, 3)).join("\n")}`;
}

const wordRows = (words: Readonly<Record<string, string>>): string =>
  Object.entries(words)
    .map(([name, says]) => `| \`${name}\` | ${says} |\n`)
    .join("");

function schemaOf(shape: z.ZodType, named: Named): JsonSchema {
  const schema = z.toJSONSchema(shape, { io: "output" }) as JsonSchema;
  for (const [name, below] of Object.entries((schema["$defs"] ?? {}) as Record<string, JsonSchema>))
    named.set(name, below);
  return schema;
}

const typeOf = (schema: JsonSchema): string => String(keysOf(schema).find(([key]) => key === "type")?.[1]["const"]);

function answerText(title: string, says: string, isRun: boolean, schema: JsonSchema): string {
  const own = isRun ? withoutRun(schema) : schema;
  const first = isRun ? `The keys of [Run](#run)${keysOf(own).length === 0 ? "." : ", and:"}` : "";
  return tables(title, [says, first].filter((text) => text !== "").join(" "), own, 3);
}

const withoutRun = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(keysOf(schema).filter(([key]) => !(key in runKeys))),
});

/** A table for an object, then one for each object in it that has no name. */
function tables(title: string, says: string, schema: JsonSchema, level: number): string {
  const required = (schema["required"] ?? []) as readonly string[];
  const rows = keysOf(schema).map(
    ([key, below]) =>
      `| \`${key}\` | ${kindOf(below)}${required.includes(key) ? "" : " (if any)"} | ${textOf(below)} |\n`,
  );
  const table = rows.length === 0 ? "" : `\n| key | is | meaning |\n| --- | --- | --- |\n${rows.join("")}`;
  const inner = keysOf(schema).flatMap(([key, below]) =>
    objectsIn(below).map((object) => `\n${tables(`${title} › ${key}`, "", object, Math.min(level + 1, 4))}`),
  );
  return `${"#".repeat(level)} ${title}\n${says === "" ? "" : `\n${says}\n`}${table}${inner.join("")}`;
}

/** What a value, a list or one form of it consists of. */
function objectsIn(schema: JsonSchema): JsonSchema[] {
  if (keysOf(schema).length > 0) return [schema];
  const items = schema["items"] as JsonSchema | undefined;
  return [...branchesOf(schema), ...(items === undefined ? [] : [items])].flatMap(objectsIn);
}
