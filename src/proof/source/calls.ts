// Calls of a function with literal arguments, as tests write them, and the same calls with other arguments.

/** The arguments as text, each in the language of the test. */
export type Call = { readonly name: string; readonly args: readonly string[] };

const argsLengthMax = 400;
const perCallMax = 12;

/**
 * Calls of the names whose arguments are literals: numbers, texts, lists, tables of these, and dates. Of functions, or of
 * methods of any object.
 */
export function literalCalls(
  text: string,
  names: readonly string[],
  { of = "functions", callbacks = false }: { of?: "functions" | "methods"; callbacks?: boolean } = {},
): readonly Call[] {
  const found: Call[] = [];
  const isTaken = (arg: string): boolean => isLiteral(arg) || (callbacks && isCallback(arg));
  const before = of === "functions" ? "(?<![\\w.$])" : "(?<=[\\w)\\]]\\s*\\.)";
  for (const name of names)
    for (const match of text.matchAll(new RegExp(`${before}${name}\\(`, "g"))) {
      const args = argumentsAt(text, match.index + match[0].length)?.map(
        (arg) => constantIn(text.slice(0, match.index), arg, "[ \\t]*") ?? constantIn(text, arg, "") ?? arg,
      );
      if (args?.every(isTaken) === true) found.push({ name, args });
    }
  const key = ({ name, args }: Call): string => `${name}(${args.join(", ")})`;
  return [...new Map(found.map((call) => [key(call), call])).values()];
}

/** The literal that a name stands for at the end of this text; null: it is none. */
function constantIn(text: string, name: string, indent: string): string | null {
  if (!/^[A-Za-z_]\w*$/.test(name)) return null;
  const set = [
    ...text.matchAll(new RegExp(`^${indent}(?:(?:export )?(?:const|let|var) )?${name} = (?=["'\\d[{-])`, "gm")),
  ].at(-1);
  if (set === undefined) return null;
  const rest = text.slice(set.index + set[0].length, set.index + set[0].length + argsLengthMax);
  return /^[[{]/.test(rest)
    ? bracketed(rest)
    : (/^(?:"[^"\n]*"|'[^'\n]*'|-?[\d.]+)(?=;?\s*$)/m.exec(rest)?.[0] ?? null);
}

/** From its first bracket to the one that closes it. */
function bracketed(text: string): string | null {
  for (const { at, char, depth } of outsideTexts(text, 0))
    if (depth === 0 && /[)\]}]/.test(char)) return text.slice(0, at + 1);
  return null;
}

/** The texts between the commas up to the closing parenthesis; null: it does not close. */
function argumentsAt(text: string, from: number): string[] | null {
  const args: string[] = [];
  let start = from;
  for (const { at, char, depth } of outsideTexts(text.slice(0, from + argsLengthMax), from)) {
    const isEnd = depth === -1;
    if (!isEnd && !(char === "," && depth === 0)) continue;
    const arg = text.slice(start, at).trim();
    if (isEnd) return arg === "" ? args : [...args, arg];
    args.push(arg);
    start = at + 1;
  }
  return null;
}

type Place = { readonly at: number; readonly char: string; readonly depth: number };

/** Every character outside of quotes, with the number of open brackets after it. Stops at an unclosed quote. */
function* outsideTexts(text: string, from: number): Generator<Place> {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? "";
    if (/["'`]/.test(char)) {
      const end = closing(text, at);
      if (end === -1) return;
      at = end;
      continue;
    }
    if (/[([{]/.test(char)) depth += 1;
    if (/[)\]}]/.test(char)) depth -= 1;
    yield { at, char, depth };
  }
}

function closing(text: string, open: number): number {
  const quote = text[open];
  for (let at = open + 1; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
const number = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/g;

/** No text with `${…}`, no name of anything else: it can be evaluated anywhere. */
function isLiteral(arg: string): boolean {
  const rest = arg
    .replace(quoted, "0")
    .replace(/\bnew Date\(([\d\s,]*)\)/g, "0")
    .replace(/\b(?:true|false|null|undefined|None|True|False)\b/g, "0")
    .replace(/([{,]\s*)[A-Za-z_]\w*\s*:/g, "$1");
  return rest !== "" && /^[\d\s.,:[\]{}()+e-]*$/.test(rest);
}

/** A function that is written where it is passed. Names of other things in it fail alike, wherever it is called. */
const isCallback = (arg: string): boolean =>
  /^(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>|^lambda\b/.test(arg) && !/\b(?:t|assert|expect|self)\b\./.test(arg);

/** The parameters of a plain function, as text; null: it is not written as one. */
export function parametersOf(text: string, name: string): readonly string[] | null {
  const head = new RegExp(
    `\\b(?:function\\*?|def)\\s+${name}\\s*\\(|\\b${name}\\s*=\\s*(?:async\\s*)?\\((?=[^()]*\\)\\s*=>)`,
  );
  const match = head.exec(text);
  return match === null ? null : argumentsAt(text, match.index + match[0].length);
}

/** The same call with other arguments: each part changed by itself, and without the last. */
export function otherCalls({ name, args }: Call, language: "javascript" | "python"): readonly Call[] {
  const instead = (others: (arg: string) => readonly string[]): Call[] =>
    args.flatMap((arg, index) =>
      others(arg).map((other) => ({ name, args: args.map((each, at) => (at === index ? other : each)) })),
    );
  const shapes = instead((arg) => otherShapes(arg, language)).slice(0, perCallMax / 2);
  const shorter = args.length > 1 ? [{ name, args: args.slice(0, -1) }] : [];
  const values = instead(otherValues);
  // Spread over all arguments, rather than everything about the first.
  const step = Math.max(1, Math.ceil(values.length / (perCallMax - shapes.length - shorter.length)));
  return [...shorter, ...shapes, ...values.filter((_, at) => at % step === 0)];
}

function otherValues(arg: string): string[] {
  const numbers = [...arg.matchAll(number)].slice(0, 3).flatMap(({ index, 0: found }) => {
    const value = Number(found);
    const others = [value + 1, 0, value * 1000 + 7, value + 0.5];
    return others.filter((other) => other !== value).map((other) => put(arg, index, found, String(other)));
  });
  const texts = [...arg.matchAll(quoted)].slice(0, 3).flatMap(({ index, 0: found }) => {
    const inner = found.slice(1, -1);
    const others = [`<x>${inner}`, `${inner} Z9`, inner.toUpperCase(), `${inner}${inner}`, "", `ä_${inner}`];
    return others.filter((other) => other !== inner).map((other) => put(arg, index, found, `"${other}"`));
  });
  return [...texts, ...numbers];
}

const put = (text: string, at: number, old: string, fresh: string): string =>
  `${text.slice(0, at)}${fresh}${text.slice(at + old.length)}`;

const flipped = (flag: string): string =>
  ({ true: "false", false: "true", True: "False", False: "True" })[flag] ?? flag;

/** The opposite; an empty list, and one that is much longer. */
function otherShapes(arg: string, language: "javascript" | "python"): string[] {
  if (/^(?:true|false|True|False)$/.test(arg)) return [flipped(arg)];
  if (!arg.startsWith("[") || !arg.endsWith("]")) return [];
  if (/^\[\s*\]$/.test(arg)) return [];
  return ["[]", language === "python" ? `${arg} * 1500` : `Array(1500).fill(${arg}).flat()`];
}
