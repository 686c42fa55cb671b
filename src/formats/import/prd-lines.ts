// Lines of a PRD with a meaning for the loop: labels with a value, comments with fields, escaped text.
import { enoughWords, featureKinds } from "../queue/feature-terms.ts";

export type Label = { readonly field: string; readonly value: string };

const fieldByWord: Readonly<Record<string, string>> = {
  "acceptance criteria": "criteria",
  "success criteria": "criteria",
  "definition of done": "criteria",
  "blocked by": "dependencies",
  "depends on": "dependencies",
  dependencies: "dependencies",
  dependency: "dependencies",
  requires: "dependencies",
  priority: "priority",
  status: "status",
  checks: "checks",
  "may touch": "maytouch",
  "may change": "may_change",
  kind: "kind",
  enough: "enough",
  "design doc": "design",
};
const words = Object.keys(fieldByWord)
  .map((word) => word.replace(" ", "[- ]"))
  .join("|");
const labelled = new RegExp(
  `^\\s*(?:[-*+]\\s+)?[*_]{0,2}(${words})[*_]{0,2}(?:\\s*\\([^)]*\\))?\\s*(?::[*_]{0,2}\\s*(.*)|)$`,
  "i",
);

/** `**Blocked by:** F001`, `- Priority: high`, `Acceptance criteria`. Without a colon only a list can follow. */
export function labelOf(text: string): Label | null {
  const [, word, value] = labelled.exec(text) ?? [];
  const field = word === undefined ? undefined : fieldByWord[word.toLowerCase().replace("-", " ")];
  if (field === undefined || (value === undefined && field !== "criteria")) return null;
  const label = { field, value: (value ?? "").trim() };
  return isOrdinary(label) ? null : label;
}

/** "Kind" and "Enough" also start ordinary sentences; they count only if one of our words follows. */
const isOrdinary = ({ field, value }: Label): boolean =>
  (field === "kind" && !featureKinds.some((kind) => kind === value)) ||
  (field === "enough" && !enoughWords.some((enough) => enough === value));

/** A list on one line whose items may contain commas, and that opens no comment. */
export const writeList = (items: readonly string[]): string => JSON.stringify(items).replaceAll("<", "\\u003c");

export function readList(value: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(value);
    if (Array.isArray(list) && list.every((item) => typeof item === "string")) return list;
  } catch {
    // Written by hand, separated by commas.
  }
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

const comment = /^\s*<!--\s*(.*?)\s*-->\s*$/;
const pair =
  /\b(id|blocked-?by|depends-?on|dependencies|priority|parallel)\s*[:=]\s*(\[[^\]]*\]|"[^"]*"|[^;|]*?)(?=\s*(?:[;|]|,?\s*\b(?:id|blocked-?by|depends-?on|dependencies|priority|parallel)\s*[:=]|$))/gi;

/** `<!-- id: T-002 blockedBy: T-001 parallel: true -->`; null when it is not a comment of that kind. */
export function commentFields(text: string): Record<string, string> | null {
  const inside = comment.exec(text)?.[1];
  if (inside === undefined) return null;
  const found = [...inside.matchAll(pair)].map(([, key = "", value = ""]): [string, string] => [
    /^(?:blocked|depend)/i.test(key) ? "dependencies" : key.toLowerCase(),
    value.trim(),
  ]);
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** Names in a list of any kind; words for "none" are ignored. */
export function listed(value: string): string[] {
  const bare = value.replace(/^\[([^[\]]*)\]$/, "$1").replace(/["'`]/g, "");
  return bare
    .split(/[,;]|\s+(?:and|&)\s+|\s*\+\s*/)
    .map((name) =>
      name
        .trim()
        .replace(/^\[(.*)\]$/, "$1")
        .replace(/[.]$/, ""),
    )
    .map((name) => /^([A-Za-z]{1,12}[-_]?\d[\w.]*)\s*[(:–—-].*$/.exec(name)?.[1] ?? name)
    .filter((name) => name !== "" && !/^(?:none|n\/a|nothing|no|-|–|—)$/i.test(name));
}

// A backslash before a punctuation character, or a code span, whichever starts first.
const escapeOrCode = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)/g;

/** Text as rendered: without backslashes before punctuation, except inside code. */
export const readBack = (text: string): string =>
  text.replace(escapeOrCode, (match, sign: string | undefined) => sign ?? match).trim();

/** Whether the line ends in an unescaped backslash: then the next line continues it, after a line break. */
export const isHardBreak = (text: string): boolean => (/\\+$/.exec(text)?.[0].length ?? 0) % 2 === 1;

/** Escapes text so that it reads back unchanged; leaves it alone if that is not needed. */
export function writeOut(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  return lines.map(escaped).join("\\\n      ");
}

const risky = /[\\`*_<>#![\]]/g;
const escaped = (line: string): string =>
  readBack(line) === line && !/<!--|-->|^[#>[]|#$|\\$/.test(line) ? line : line.replace(risky, "\\$&");
