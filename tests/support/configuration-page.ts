// docs/CONFIGURATION.md, written from the schema of loop.yaml: every key, what it may be, and what it is when not given.
import { limitTable } from "../../src/core/limits.ts";
import { type JsonSchema, loopJsonSchema } from "../../src/formats/config/loop-schema.ts";
import { keysOf, kindOf, objectIn, textOf } from "./schema-tables.ts";

type Row = { readonly key: string; readonly is: string; readonly says: string; readonly unsaid: string };
type Section = { readonly title: string; readonly says: string; readonly rows: readonly Row[] };

export function configurationPage(): string {
  const schema = loopJsonSchema();
  const plain = keysOf(schema).filter(([, below]) => objectIn(below) === null);
  const sections: Section[] = [
    { title: "At the top", says: "", rows: plain.map(([key, below]) => rowOf("", key, below)) },
    ...keysOf(schema).flatMap(([key, below]) => sectionsOf(key, below)),
  ];
  return `# Every key of loop.yaml

\`loop.yaml\` is optional: what it does not say is detected or has a default. An unknown key is an error, with the nearest known
one. Editors complete and check it with the line \`# yaml-language-server: $schema=…/schema/loop.json\`,
which \`loop init\` writes where Loopwright is installed in the project.
This page is written from the same schema.
${sections.map(sectionText).join("")}`;
}

function sectionText({ title, says, rows }: Section): string {
  const hasDefaults = rows.some(({ unsaid }) => unsaid !== "");
  const line = (cells: readonly string[]): string => `| ${cells.slice(0, hasDefaults ? 4 : 3).join(" | ")} |\n`;
  const lines = [
    line(["key", "is", "meaning", "when not given"]),
    line(["---", "---", "---", "---"]),
    ...rows.map(({ key, is, says: meaning, unsaid }) => line([`\`${key}\``, is, meaning, unsaid])),
  ];
  return `\n## ${title}\n${says === "" ? "" : `\n${says}\n`}\n${lines.join("")}`;
}

/** A table for an object, or for what a list or one form of a value consists of; then one for each object in it. */
function sectionsOf(title: string, schema: JsonSchema): Section[] {
  // All agents have the same keys.
  if (title === "agents") {
    const [[, agent]] = keysOf(schema) as [[string, JsonSchema]];
    const rows = keysOf(schema).map(([key, below]) => rowOf(title, key, below));
    return [{ title, says: textOf(schema), rows }, ...sectionsOf("One agent", { ...agent, description: "" })];
  }
  const object = objectIn(schema);
  if (object === null) return [];
  const rows = keysOf(object).map(([key, below]) => rowOf(title, key, below));
  const inner = keysOf(object).flatMap(([key, below]) => sectionsOf(`${title}.${key}`, below));
  return [{ title, says: textOf(schema), rows }, ...inner];
}

function rowOf(of: string, key: string, schema: JsonSchema): Row {
  const limit = of === "limits" ? Object.values(limitTable).find((row) => row.key === key) : undefined;
  const unsaid = limit === undefined ? "" : limit.unsaid === null ? "no limit" : String(limit.unsaid);
  return { key, is: kindOf(schema), says: textOf(schema), unsaid };
}
