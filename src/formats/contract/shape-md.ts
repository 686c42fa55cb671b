// .loop/shape/SHAPE.md, an optional input: criteria with how to verify them, and what must never become true.

import { z } from "zod";
import { parseYamlText } from "../config/yaml-text.ts";
import { type Verification, verifications } from "../reply/reply.ts";
import { isListLine, type Line, markdownLines, plainTitle, withoutComments } from "./markdown-lines.ts";

export type ShapeMd = {
  criteria: readonly { text: string; verification: Verification | null }[];
  mustNot: readonly string[];
  /** What is said of a criterion's verification without effect: the criterion, or the way, is not known. */
  unread: readonly string[];
};

const itemsMax = 200;
const lengthMax = 1000;

/** Reads lists under `criteria`, `mustNot` and `verification`, as headings or keys (`criteria:`). Never throws. */
export function readShapeMd(text: string): ShapeMd {
  const lists = listsOf(markdownLines(text));
  const verified = (lists.get("verification") ?? []).map((item) => {
    const [, name = "", how = ""] = /^(.*?)\s*(?::|→|->|=|–|—)\s*([^:→=–—>]+)$/.exec(item) ?? [];
    return { item, name: plain(name), known: verificationOf(unquoted(how)) };
  });
  const byName = new Map(verified.flatMap(({ name, known }) => (known === null ? [] : [[name, known] as const])));
  const criteria = (lists.get("criteria") ?? []).map((item) => {
    const [, words, inBrackets] = /^(.*\S)(?:\s*[([]|:\s+)([^()[\]:]+)[)\]]?$/.exec(item) ?? [];
    const own = verificationOf(unquoted(inBrackets?.replace(/^verification\s*:/i, "").trim() ?? ""));
    const said = own === null || words === undefined ? item : unquoted(words);
    return { text: said, verification: own ?? byName.get(plain(said)) ?? null };
  });
  const names = new Set(criteria.map(({ text: said }) => plain(said)));
  const unread = verified.filter(({ name, known }) => known === null || !names.has(name)).map(({ item }) => item);
  return { criteria, mustNot: lists.get("mustnot") ?? [], unread };
}

function listsOf(lines: readonly Line[]): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  let current: string | null = null;
  for (const line of lines) {
    const flow = line.hidden ? null : flowList(line.text);
    if (flow !== null) {
      lists.set(nameOf(flow.key), flow.items);
      current = null;
      continue;
    }
    const key =
      line.heading?.title ??
      /^ {0,3}[*_]{0,2}([A-Za-z][A-Za-z _-]{0,30})[*_]{0,2}:[*_]{0,2}[ \t]*$/.exec(line.text)?.[1];
    if (line.heading !== null || (key !== undefined && !line.hidden)) current = nameOf(key ?? "");
    else if (current !== null && !line.hidden && (isItem(line.text) || isEntry(current, line.text))) {
      const items = lists.get(current) ?? [];
      const item = itemOf(line.text);
      if (item !== "" && items.length < itemsMax) lists.set(current, [...items, item]);
    }
  }
  return lists;
}

/** A list or a mapping in brackets, on one line, as YAML has it: `mustNot: ["touch src/one.js"]`. */
function flowList(text: string): { key: string; items: string[] } | null {
  const [, key, value] = /^ {0,3}([A-Za-z][A-Za-z _-]{0,30}):[ \t]*([[{].*[\]}])[ \t]*$/.exec(text) ?? [];
  if (key === undefined || value === undefined || value.length > itemsMax * lengthMax) return null;
  const yaml = parseYamlText(value);
  const list = flowItems.safeParse(yaml.ok ? yaml.value : null);
  if (!list.success) return null;
  const items = Array.isArray(list.data)
    ? list.data
    : Object.entries(list.data).map(([name, says]) => `${name}: ${says}`);
  return {
    key,
    items: items
      .map(itemOf)
      .filter((item) => item !== "")
      .slice(0, itemsMax),
  };
}

const flowItems = z.union([z.array(z.string()), z.record(z.string(), z.string())]);

const isItem = (text: string): boolean => isListLine(text.replace(/^[ \t]+/, "")) && !/^\s*[_*]{0,2}\(/.test(text);

/** A mapping, as YAML has it: `tests pass: execution output`. */
const isEntry = (list: string, text: string): boolean =>
  /^(?:verification|criteria)$/.test(list) &&
  (list === "verification" ? /^\s*\S.*:\s+\S/ : /^\s+\S.*:\s+\S/).test(text);

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, "$2");

const nameOf = (title: string): string => {
  const name = plainTitle(title).replaceAll(" ", "");
  if (name === "successcriteria" || name === "acceptancecriteria") return "criteria";
  return name === "mustnots" ? "mustnot" : name;
};

/** The text of an item: without its marker, box, quotes and comments. */
const itemOf = (text: string): string =>
  withoutComments(text)
    .trim()
    .replace(/^(?:[-*+]|\d{1,9}[.)])\s*/, "")
    .replace(/^\[[ xX]\]\s*/, "")
    .replace(/^(["'])(.*)\1$/, "$2")
    .slice(0, lengthMax)
    .trim();

const plain = (text: string): string =>
  text
    .replace(/["'`*]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

function verificationOf(text: string): Verification | null {
  const word = plain(text).replace(/[_-]/g, " ");
  return verifications.find((each) => each === word) ?? null;
}
