// Lenient reading of request bodies: unexpected values read as empty, and never throw.
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

export const string = (value: unknown): string => (typeof value === "string" ? value : "");

/** The text in a content value: a string, a block, or a nested list of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOf).join("\n");
  if (!isObject(content)) return "";
  return typeof content["text"] === "string" ? content["text"] : textOf(content["content"]);
}
