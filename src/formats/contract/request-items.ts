// The things that a text asks for: the items of its lists or, without any, its orders if it has nothing else. Light: the
// hook reads every prompt with it.
import { markdownLines } from "./markdown-lines.ts";

const item = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/;
const itemsMax = 50;

/** Each once, in order. What stands in a code fence is an example, not an item. */
export function requestItems(text: string): string[] {
  const items = listed(text);
  return [...new Set(items.length > 0 ? items : orders(text))].slice(0, itemsMax);
}

/** The text without what these items say. */
export function withoutItems(text: string): string {
  if (listed(text).length === 0 && orders(text).length > 0) return "";
  return markdownLines(text)
    .filter((line) => line.hidden || !item.test(line.text))
    .map((line) => line.text)
    .join("\n")
    .trim();
}

const listed = (text: string): string[] =>
  markdownLines(text).flatMap((line) => (line.hidden ? [] : (item.exec(line.text)?.[1]?.trim() ?? [])));

/** Longer prose describes one thing more often than it orders many. */
const proseMax = 4000;

/**
 * Two or more orders in prose: "Add a(). Fix b().", "First add a(), then fix b()". Only if each begins with a verb that
 * changes code, for a sentence between them may be about the one before. Otherwise none.
 */
function orders(text: string): string[] {
  if (text.length > proseMax) return [];
  const lines = markdownLines(text);
  if (lines.some(({ hidden, heading }) => hidden || heading !== null)) return [];
  const sentences = text.split(/(?<=[.;!])\s+|\n\s*\n/).flatMap(parted);
  const found = sentences.map(bare).filter((sentence) => sentence !== "");
  return found.length > 1 && found.every(isOrder) ? found : [];
}

/** "Add a(), then fix b()" is two orders; "wait, then the page is loaded" is none. */
function parted(sentence: string): string[] {
  const parts = sentence.split(/(?:,\s*|\s+)(?:and\s+)?then\s+/i);
  return parts.every((part) => isOrder(bare(part))) ? parts : [sentence];
}

const linkingWords =
  /^(?:(?:first|firstly|second|secondly|third|thirdly|next|then|afterwards|after that|finally|lastly|also|and|please)\b[,:]?\s+)+/i;

const bare = (sentence: string): string =>
  sentence
    .replace(/\s+/g, " ")
    .trim()
    .replace(linkingWords, "")
    .replace(/[.;,!]+$/, "");

const verbs =
  /^(?:add|allow|append|build|bump|change|convert|create|delete|deprecate|disable|drop|enable|export|expose|extend|extract|fix|generate|handle|implement|improve|inline|insert|introduce|make|merge|migrate|move|optimize|parse|port|print|provide|refactor|reject|remove|rename|reorganize|repair|replace|rewrite|show|simplify|sort|split|store|support|switch|update|upgrade|validate|write) (?!sure\b|certain\b|it\b|them\b|this\b|that\b|these\b|those\b|its\b|their\b)/i;
/** They belong to the change that they come with. */
const alongside =
  /^\w+ (?:(?:a|an|the|some|more|unit|new|its|matching) )*(?:tests?|docs?|documentation|readme|changelog|comments?|examples?|types?)\b/i;

const isOrder = (sentence: string): boolean => verbs.test(sentence) && !alongside.test(sentence);
