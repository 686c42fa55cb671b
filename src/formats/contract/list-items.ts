// The items of the lists in a text: each is one thing that is asked for. Light: the hook reads every prompt with it.
import { markdownLines } from "./markdown-lines.ts";

const item = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/;
const itemsMax = 50;

/** Each item once, in order. What stands in a code fence is an example, not an item. */
export function listItems(text: string): string[] {
  const items = markdownLines(text).flatMap((line) => (line.hidden ? [] : (item.exec(line.text)?.[1]?.trim() ?? [])));
  return [...new Set(items)].slice(0, itemsMax);
}

/** The text without these lines. */
export const withoutItems = (text: string): string =>
  markdownLines(text)
    .filter((line) => line.hidden || !item.test(line.text))
    .map((line) => line.text)
    .join("\n")
    .trim();
