// Alters code at random, knowing lines, numbers, words and operators but nothing of the code's meaning.
import type { Choices } from "./choices.ts";

export type Altered = { readonly text: string; readonly what: string };
type Way = (text: string, choose: Choices) => Altered | null;

const swaps: Readonly<Record<string, readonly string[]>> = {
  "+": ["-", "*"],
  "-": ["+"],
  "*": ["+", "-"],
  ">": [">=", "<"],
  "<": ["<=", ">"],
  "==": ["!="],
  "=": ["!="],
  "+=": ["-=", "="],
  "-gt": ["-ge", "-lt"],
  "-le": ["-lt", "-gt"],
};

const replacedAt = (text: string, at: number, length: number, by: string): string =>
  text.slice(0, at) + by + text.slice(at + length);

/** One match of a pattern, replaced. */
function swapping(pattern: RegExp, by: (found: string, choose: Choices) => string): Way {
  return (text, choose) => {
    const found = choose.pick([...text.matchAll(pattern)]);
    if (found === undefined) return null;
    const next = by(found[0], choose);
    return { text: replacedAt(text, found.index, found[0].length, next), what: `${found[0].trim()} → ${next.trim()}` };
  };
}

const numbers = swapping(/\b\d+\b/g, (found, choose) => {
  const value = Number(found);
  return String(choose.one(value + 1, Math.max(0, value - 1), 0, value * 2, choose.below(1000)));
});
const operators = swapping(/ (?:[-+*<>=]|==|\+=|-gt|-le) /g, (found, choose) => {
  const others = swaps[found.trim()] ?? [];
  return ` ${choose.pick(others) ?? found.trim()} `;
});
const words = swapping(/\b[a-z]{3,}\b/g, (found, choose) => choose.one(`${found}s`, found.slice(0, -1), "other"));
const returns = swapping(/\b(?:return|echo) [^\n;{}]+/g, (found, choose) => {
  const [word = "return"] = found.split(" ");
  return `${word} ${choose.one("0", "1", "400")}`;
});

const linewise =
  (how: "deleted" | "doubled" | "swapped" | "commented"): Way =>
  (text, choose) => {
    const all = text.split("\n");
    const at = choose.pick(all.flatMap((line, index) => (line.trim() === "" ? [] : [index])));
    if (at === undefined) return null;
    const line = all[at] ?? "";
    const sign = /^\s*(?:#|\.|def|class)|\bdo\b|:$/m.test(text) && !text.includes("//") ? "#" : "//";
    const next = {
      deleted: [],
      doubled: [line, line],
      swapped: [all[at + 1] ?? "", line],
      commented: [`${sign} ${line}`],
    }[how];
    all.splice(at, how === "swapped" ? 2 : 1, ...next);
    return { text: all.join("\n"), what: `line ${at + 1} ${how}: ${line.trim()}` };
  };

/** The lines of a function without its body. */
const emptied: Way = (text, choose) => {
  const all = text.split("\n");
  const heads = all.flatMap((line, index) =>
    /^\s*(?:export )?(?:function|def|func|pub fn|\w+\(\) \{)/.test(line) ? [index] : [],
  );
  const at = choose.pick(heads);
  if (at === undefined) return null;
  const indent = /^\s*/.exec(all[at] ?? "")?.[0].length ?? 0;
  let end = at + 1;
  while (end < all.length && (all[end]?.trim() === "" || (/^\s*/.exec(all[end] ?? "")?.[0].length ?? 0) > indent))
    end += 1;
  const python = all[at]?.trimEnd().endsWith(":") ?? false;
  const shell = /\(\) \{$/.test(all[at] ?? "") && !/function|fn|func/.test(all[at] ?? "");
  const body = python ? [`${" ".repeat(indent + 4)}pass`] : shell ? ["  :"] : [];
  all.splice(at + 1, end - at - 1, ...body);
  return { text: all.join("\n"), what: `emptied: ${all[at]?.trim()}` };
};

const ways: readonly Way[] = [
  numbers,
  numbers,
  operators,
  operators,
  returns,
  words,
  linewise("deleted"),
  linewise("doubled"),
  linewise("swapped"),
  linewise("commented"),
  emptied,
];

/** Tries one way after another, in random order, until the text changes. */
export function alterText(text: string, choose: Choices): Altered | null {
  for (let tries = 0; tries < 8; tries += 1) {
    const altered = choose.pick(ways)?.(text, choose) ?? null;
    if (altered !== null && altered.text !== text) return altered;
  }
  return null;
}
