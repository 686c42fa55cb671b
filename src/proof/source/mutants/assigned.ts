// Top-level values that a change assigns and that may be called: functions without a body.
import type { PlacedHunk } from "../diff/hunks.ts";
import type { Draft, Subject } from "./drafts.ts";

const javascript = /^(export\s+(?:const|let|var)\s+(\w+)\s*(?::[^=\n]+)?=\s*)([^\n]+?);?\s*$/;
const commonJs = /^((?:module\.)?exports\.(\w+)\s*=\s*)([^\n]+?);?\s*$/;
const python = /^((\w+)\s*=\s*)([^\n=][^\n]*?)\s*$/;
/** Strings, numbers, lists, objects and the like are data; functions and classes have bodies, which are emptied. */
const other =
  /^(?:["'`[{(/\d-]|true\b|false\b|null\b|undefined\b|None\b|True\b|False\b|async\b|function\b|class\b|import\b|require\b)|=>/;

/** Null for `hunks`: the whole file is new. */
export function assignedDrafts(
  { path, code, source, lineOf }: Subject,
  hunks: readonly PlacedHunk[] | null,
): readonly Draft[] {
  const language = source?.language;
  if (language !== "javascript" && language !== "python") return [];
  const nothing = language === "python" ? "None" : "undefined";
  const lines = code.split("\n");
  const touched = hunks === null ? null : new Set(hunks.flatMap((hunk) => hunk.added.map((_, at) => hunk.at + at)));
  return lines.flatMap((line, at): Draft[] => {
    if (touched !== null && !touched.has(at + 1)) return [];
    const found = (language === "python" ? [python] : [javascript, commonJs])
      .map((form) => form.exec(line))
      .find((one) => one !== null);
    const [, head = "", name = "", value = ""] = found ?? [];
    if (found === undefined || found === null || other.test(value) || value.includes("=>")) return [];
    const make = (): string => [...lines.slice(0, at), `${head}${nothing}`, ...lines.slice(at + 1)].join("\n");
    return [{ what: `${path}:${lineOf(at + 1)} ${name} set to ${nothing}`, kind: "body", make }];
  });
}
