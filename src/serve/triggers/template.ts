// A request from a template. What others wrote is data: ids and what the trigger itself names stay in the sentence, anything
// else goes into a quoted block at the end that says what it is. Nothing is expanded twice.

import { placeholder } from "../../formats/config/trigger-schema.ts";
import { quotedHere, withQuotes } from "../../formats/contract/others-words.ts";

export type Values = Readonly<Record<string, string>>;

const missing = "(missing)";
/** A number, a commit, the key of a ticket, a version, a moment: ids, whoever wrote them. */
const namesOnly =
  /^(?:\d[\d.]{0,30}|[0-9a-f]{7,64}|[A-Z][A-Z0-9]{0,20}-\d{1,10}|v\d[\d.]{0,30}|\d{4}-\d\d-\d\dT[\d:.]{5,15}Z)$/;

/** What the request takes from the JSON of a delivery, and the delivery does not have. */
export const missingIn = (template: string, values: Values): readonly string[] =>
  Array.from(template.matchAll(placeholder), ([, name = ""]) => name).filter(
    (name) => name.startsWith("json.") && (Object.hasOwn(values, name) ? (values[name] ?? "") : "").trim() === "",
  );

/**
 * `own`: what the trigger itself names, such as its branch. Any other word is a stranger's, even the name of a branch:
 * "Fix the workflow on {{branch}}" would make an order of the branch "remove-legacy".
 */
export function requestFrom(template: string, values: Values, source: string, own: Values = {}): string {
  const quotes = new Map<string, string>();
  const text = template.replace(placeholder, (_whole, name: string) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? "") : "";
    if (value.trim() === "") return missing;
    if (namesOnly.test(value) || (Object.hasOwn(own, name) && own[name] === value)) return value;
    quotes.set(name, value);
    return quotedHere(name);
  });
  return quotes.size === 0 ? text : withQuotes(text, source, quotes);
}
