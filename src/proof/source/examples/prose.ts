// Examples in sentences: `slug("A b") is "a-b"`, `divide(1, 0) throws a RangeError`, `[...range(1, 4)] is [1, 2, 3, 4]`.
import type { Check, Expects } from "./example.ts";
import { freeNames, givesValues } from "./names.ts";
import { expressionEnd, isConcrete, literalAt } from "./scan.ts";
import type { Sentence } from "./sentences.ts";

type Found = { readonly check: Check; readonly from: number; readonly to: number };

export function checksIn({ text, isConditional }: Sentence): readonly Check[] {
  const whole = spans(text).flatMap((span) => wholeSpan(text, span));
  const others = [
    ...Array.from(text.matchAll(beginning)).flatMap((match) => plainAt(text, match.index)),
    ...Array.from(text.matchAll(turning)).flatMap((match) => turnAt(text, match)),
  ].filter(({ from }) => !whole.some((other) => other.from <= from && from < other.to));
  return [...whole, ...others]
    .toSorted((a, b) => a.from - b.from)
    .filter(({ check }) => isExample(check))
    .map(({ check }) => (isConditional ? { ...check, isConditional: true } : check));
}

/** `slug(text) is "a"` shows a form, `"<name>"` and `"…"` are placeholders, and objects are not compared with values. */
function isExample({ text, code, expects }: Check): boolean {
  if (code === "" || /<[^<>]*>|…|\.\.\.(?![A-Za-z_[])/.test(text)) return false;
  if ("value" in expects && /^new\s+[\w.$]+\([^()]*\)$/.test(code) && !expects.value.startsWith("new ")) return false;
  return givesValues(code) || !/\(\s*[A-Za-z_]/.test(code) || freeNames(code).length === 1;
}

/** A call, a property, a constant, or a list that is made of one. */
const beginning =
  /(?<![\w.$"'@/-])(?:await\s+)?(?:new\s+|typeof\s+)?(?:\[\.\.\.(?=[A-Za-z_$])|(?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*(?=\()|[A-Z][\w$]*(?:\.[A-Za-z_]\w*)+(?![\w(])|[A-Z][A-Z0-9]*_[A-Z0-9_]+\b(?![\w(]))/g;
const verbs =
  "(?:(?:should |must |will )?(?:returns?|is|are|be|gives?|equals?|equal|produces?|yields?|becomes?|evaluates? to|results? in|answers)(?![\\w-])|===?|=>|->|→|=|:)";
const returns = new RegExp(`^(?:\`?\\s*(?:;?\\s*(?://|#)\\s*(?:${verbs}\\s*)?|${verbs}\\s+)|\`:?\\s+(?=\`))\`?`);
/** `assert.equal(slug("A b"), "a-b")`, `expect(slug("A b")).toBe("a-b")`: what comes before the call, and after it. */
const asserting = [
  {
    before:
      /(?:\bassert(?:\.(?:strict|deep|deepStrict)?Equal|(?:Dict|List|Tuple|Set)?Equals?)|^\s*(?:deep)?equal)\(\s*$/i,
    after: /^\s*,\s*/,
  },
  { before: /\bexpect\(\s*$/, after: /^\s*\)\.to(?:Be|Equal|StrictEqual)\(\s*/ },
];
const throwing =
  /^`?\s*(?:;?\s*(?:\/\/|#)\s*)?(?:should |must |will )?(?:throws?|raises?|rejects(?: with)?)\b(?:\s+(?:an? )?`?)?([A-Z]\w*(?:Error|Exception))?/;
/** Anything else that follows would qualify the example, or change its meaning. */
const over = /^(?!:\d)`?\s*(?:$|[.;:)\n]|,(?!\s*["'\d[{-])|and\b|for\b)/;
/** The code before is part of the expression. A sign at the beginning of a line makes it a list item. */
const operand = /[\w)\]`"'][ \t]*(?:[*/%+&|^~<!]|[^-=]>|-)[ \t]*$|(?:\bnot\s+|!|~)$/;

function plainAt(text: string, from: number): Found[] {
  const end = expressionEnd(text, from);
  const before = text.slice(0, from);
  return end === -1 || operand.test(before) ? [] : statedAt(text, from, end, asserted(before, text.slice(end)));
}

const spans = (text: string): RegExpMatchArray[] => Array.from(text.matchAll(/`([^`\n]+)`/g));

/** Backquotes hold one expression, whatever its shape; or both sides of a comparison; or an assertion. */
function wholeSpan(text: string, span: RegExpMatchArray): Found[] {
  const inner = span[1] ?? "";
  const from = (span.index ?? 0) + 1;
  const to = from + inner.length;
  if (!/[\w$][[(]|[\w$]\.[A-Za-z_]/.test(inner) || /^(?:node|python3?|sh|bash|npm|npx|\.\/|\$ )/.test(inner)) return [];
  const made = (code: string, expects: Expects, until = to): Found => ({
    check: { is: "check", text: text.slice(from, until).replaceAll("`", ""), code, expects },
    ...{ from, to: until },
  });
  const claim = assertion(inner);
  if (claim !== null) return [made(...claim)];
  const sides = /^(.*[^\s=!<>])\s+(?:===?|->|→|=>)\s+([^\s=>].*)$/.exec(inner);
  if (
    sides !== null &&
    expressionEnd(inner, 0) !== (sides[1] ?? "").length &&
    isConcrete(sides[2] ?? "") &&
    isClosed(sides[1] ?? "")
  )
    return [made(sides[1] ?? "", { value: sides[2] ?? "" })];
  return isClosed(inner) ? statedAt(text, from, to) : [];
}

/** `assert a > b` of Python, `assert.ok(…)` of JavaScript. */
export function assertion(code: string): [string, Expects] | null {
  const condition = /^assert\s+(?!\()(.*\w\(.*)$/s.exec(code)?.[1];
  if (condition !== undefined) return [withoutMessage(condition), { holds: "expression" }];
  return /^(?:await\s+)?assert(?:\.\w+)?\(/.test(code) && /\w\(.*\w\(/s.test(code)
    ? [code.replace(/;\s*$/, ""), { holds: "statement" }]
    : null;
}

const withoutMessage = (condition: string): string => condition.replace(/,\s*f?(?:"[^"]*"|'[^']*')\s*$/, "");

function isClosed(code: string): boolean {
  const bare = code.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, "");
  return ["()", "[]", "{}"].every(([open = "", close = ""]) => bare.split(open).length === bare.split(close).length);
}

/** What is said about the expression between two places. */
function statedAt(text: string, from: number, end: number, asserts?: string): Found[] {
  const code = text.slice(from, end);
  const rest = text.slice(end);
  const made = (length: number, expects: Expects, more: Pick<Check, "isBare"> = {}): Found[] => [
    {
      check: {
        is: "check",
        text: text
          .slice(from, end + length)
          .trim()
          .replaceAll("`", ""),
        code,
        expects,
        ...more,
      },
      from,
      to: end + length,
    },
  ];
  const thrown = throwing.exec(rest);
  if (thrown !== null && over.test(rest.slice(thrown[0].length)))
    return made(thrown[0].length, { throws: thrown[1] ?? null });
  const verb = asserts ?? returns.exec(rest)?.[0];
  if (verb === undefined) return [];
  const after = rest.slice(verb.length);
  const value = asserts === undefined && verb.endsWith("`") ? inBackquotes(after, code) : inWords(after, code, verb);
  if (value === null || !over.test(after.slice(value.length))) return [];
  return made(verb.length + value.length, { value: value.value }, value.isBare ? { isBare: true } : {});
}

type Value = { readonly value: string; readonly length: number; readonly isBare: boolean };

/** What fills the backquotes: `1:02:05` is no number. */
function inBackquotes(text: string, code: string): Value | null {
  const inner = /^[^`\n]+(?=`)/.exec(text)?.[0];
  if (inner === undefined) return null;
  if (isConcrete(inner)) return { value: inner.trim(), length: inner.length, isBare: false };
  if (bareText.test(inner)) return { value: JSON.stringify(inner), length: inner.length, isBare: false };
  return measure.test(inner) || (!/[()[\]{}<>=+*]/.test(inner) && !describes.test(inner) && isMadeOf(inner, code))
    ? { value: JSON.stringify(inner), length: inner.length, isBare: true }
    : null;
}

function inWords(text: string, code: string, verb: string): Value | null {
  const literal = literalAt(text);
  if (literal !== null) return { value: literal.trim(), length: literal.length, isBare: false };
  const end = /^(?:await |new )?[\w$.]+\(/.test(text) ? expressionEnd(text, 0) : -1;
  if (end !== -1 && text[end - 1] === ")") return { value: text.slice(0, end), length: end, isBare: false };
  const word = resulting.test(verb) ? bareWord(text, code) : null;
  return word === null ? null : { value: JSON.stringify(word), length: word.length, isBare: true };
}

/** After these comes what is given, and not what it is like. */
const resulting =
  /^`?\s*(?:(?:should |must |will )?(?:returns?|gives?|produces?|yields?|becomes?|results? in)|=>|->|→)/;

/** `slug("Äpfel") gives aepfel`: a word that is made of the arguments. Others describe: `gives nothing`. */
function bareWord(text: string, code: string): string | null {
  const word = /^[\p{L}\p{N}][\p{L}\p{N}_-]*/u.exec(text)?.[0] ?? "";
  return !describes.test(word) && isMadeOf(word, code.slice(code.indexOf("("))) ? word : null;
}

export const describes =
  /^(?:error|exception|nothing|none|null|empty|true|false|undefined|unchanged|itself|valid|invalid)$/i;

/** They share three letters in a row. */
export function isMadeOf(word: string, source: string): boolean {
  const [small, all] = [word.toLowerCase(), source.toLowerCase()];
  return Array.from({ length: Math.max(0, small.length - 2) }).some((_, at) => all.includes(small.slice(at, at + 3)));
}

/** A text without quotes in backquotes, which is neither code nor a type: `a-b`, `1:02:05`, `#ff0000`. */
const bareText = /^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)+|\d[\d:.,/%-]*[\d%]|#[0-9a-f]{3,8})$/;
/** `1.5 KB`, `12 items`. */
const measure = /^[-+$€£]?\d[\d.,:]*\s?[A-Za-zµ€$%°]+(?:\s[A-Za-z]+)?$/;

const asserted = (before: string, rest: string): string | undefined =>
  asserting.flatMap((form) => (form.before.test(before) ? (form.after.exec(rest) ?? []) : []))[0];

const turning =
  /(?<![\w.$])(?:(?<=\b[Cc]alling )`?([A-Za-z_]\w*)(?:\(\w*\))?`?\s+with|`?([A-Za-z_]\w*)(?:\(\w*\))?`?\s+(?:turns|converts|maps|changes|formats))\s+`?(?=["'\d[{-])/g;

/** `decode turns "3a1b" back into "aaab"`, `calling slug with "A b" yields "a-b"`. */
function turnAt(text: string, match: RegExpExecArray): Found[] {
  const from = match.index;
  const start = from + match[0].length;
  const rest = text.slice(start);
  const given = literalAt(rest);
  const into =
    given === null
      ? null
      : /^`?\s+(?:(?:back\s+)?(?:into|to)|returns|yields|gives|answers)\s+`?/.exec(rest.slice(given.length));
  if (given === null || into === null) return [];
  const after = rest.slice(given.length + into[0].length);
  const value = literalAt(after);
  if (value === null || !over.test(after.slice(value.length))) return [];
  const to = start + given.length + into[0].length + value.length;
  const code = `${match[1] ?? match[2] ?? ""}(${given})`;
  const check: Check = { is: "check", text: text.slice(from, to).trim(), code, expects: { value: value.trim() } };
  return [{ check, from, to }];
}
