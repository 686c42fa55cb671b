// A request from a template. What others wrote is data: what only names something stays in the sentence, anything else goes
// into a quoted block at the end that says what it is. Nothing is expanded twice.
import { quotedHere, withQuotes } from "../../formats/others-words.ts";
import { placeholder } from "../../formats/trigger-schema.ts";

export type Values = Readonly<Record<string, string>>;

const missing = "(missing)";
const plain = /^[A-Za-z0-9][A-Za-z0-9._/#-]{0,99}$/;
/** Values that others word as they like: two single words of them could make an order: "Remove", "login". */
const isWorded = (name: string): boolean => /^(?:title|body|message|workflow|json\..*)$/.test(name);
/** A number, a commit, the key of a ticket, a version. */
const namesOnly = /^(?:\d[\d.]{0,30}|[0-9a-f]{7,64}|[A-Z][A-Z0-9]{0,20}-\d{1,10}|v\d[\d.]{0,30})$/;

export function requestFrom(template: string, values: Values, source: string): string {
  const quotes = new Map<string, string>();
  const text = template.replace(placeholder, (_whole, name: string) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? "") : "";
    if (value.trim() === "") return missing;
    if ((isWorded(name) ? namesOnly : plain).test(value)) return value;
    quotes.set(name, value);
    return quotedHere(name);
  });
  return quotes.size === 0 ? text : withQuotes(text, source, quotes);
}
