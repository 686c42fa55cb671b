// HTML that is safe by construction: everything put into a template is escaped, unless it is markup that we made
// ourselves.
import { visibleText } from "../../formats/text/visible-text.ts";

export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export type Part = Markup | string | number | null | readonly Part[];

/** html`<p>${text}</p>`: text is escaped, markup is inserted as it is, lists are joined, null is omitted. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const pieces = template.map((piece, at) => piece + (at < parts.length ? sourceOf(parts[at] ?? null) : ""));
  return new Markup(pieces.join(""));
}

export const none = new Markup("");

function sourceOf(part: Part): string {
  if (part === null) return "";
  if (part instanceof Markup) return part.source;
  if (typeof part === "object") return part.map(sourceOf).join("");
  return escapeText(String(part));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeText = (text: string): string => visibleText(text).replace(/[&<>"']/g, (char) => entities[char] ?? "");
