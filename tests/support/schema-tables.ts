// Tables of keys for pages that are written from a schema.
export type JsonSchema = Readonly<Record<string, unknown>>;

export const keysOf = (schema: JsonSchema): [string, JsonSchema][] =>
  Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
export const branchesOf = (schema: JsonSchema): JsonSchema[] => (schema["anyOf"] ?? []) as JsonSchema[];
export const textOf = (schema: JsonSchema): string => String(schema["description"] ?? "").replaceAll("|", "\\|");

/** With the keys of all its forms. */
export function objectIn(schema: JsonSchema): JsonSchema | null {
  if (keysOf(schema).length > 0) return schema;
  const inside = [...branchesOf(schema), ...(schema["items"] === undefined ? [] : [schema["items"] as JsonSchema])];
  const keys = inside.flatMap((form) => keysOf(objectIn(form) ?? {}));
  return keys.length === 0 ? null : { properties: Object.fromEntries(keys) };
}

export function kindOf(schema: JsonSchema): string {
  if (typeof schema["$ref"] === "string") return linkTo(schema["$ref"]);
  const values = schema["enum"] as readonly unknown[] | undefined;
  if (values !== undefined)
    return values.map((value) => (value === "" ? 'nothing (`""`)' : `\`${String(value)}\``)).join(", ");
  if ("const" in schema) return schema["const"] === "" ? 'nothing (`""`)' : `\`${String(schema["const"])}\``;
  const branches = branchesOf(schema);
  if (branches.length > 0) return [...new Set(branches.map(kindOf))].join(", or ");
  if (schema["type"] === "array") {
    const items = kindOf(schema["items"] as JsonSchema);
    return `a list of ${items === "a text" ? "texts" : items}`;
  }
  if (schema["format"] === "date-time") return "a time";
  const types = Array.isArray(schema["type"]) ? schema["type"].map(String) : [String(schema["type"])];
  return types.map((type) => words[type] ?? "a value").join(", or ");
}

/** `#/$defs/Run` is a section of the same page. */
function linkTo(ref: string): string {
  const name = ref.split("/").at(-1) ?? "";
  return `[${name}](#${name.toLowerCase()})`;
}

const words: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "`true`, `false`",
  null: "`null`",
  object: "keys",
};
