// Functions of languages that write them as `type name(parameters) { … }` or `func name(parameters): type { … }`.
import { extensionOf } from "../language.ts";
import { after, type Source, textAt } from "../lex/source.ts";
import { bodiesFound, bracketed, type FoundBody, isEmpty } from "./body.ts";
import { earlyReturn } from "./early-return.ts";

const notNames = new Set(
  "if for foreach while switch catch synchronized using lock match when guard do else return new sizeof throw elseif function fun func".split(
    " ",
  ),
);
const introducers = new Set(["fun", "func", "function", "def"]);

export const cLikeBodies = (source: Source): readonly FoundBody[] => bodiesFound(source, functionAt);

function functionAt(source: Source, at: number): FoundBody | null {
  const token = source.code[at];
  if (token?.kind !== "word" || notNames.has(token.text) || textAt(source, at + 1) !== "(") return null;
  const behind = after(source, at + 1);
  const open = openBrace(source, behind);
  const header = headerBefore(source, at);
  if (open < 0 || !isDefinition(header)) return null;
  const suffix = source.code.slice(behind, open).map((part) => part.text);
  const instead = () => emptied(source, open, header, suffix);
  const start = source.code[at - header.length]?.from ?? token.from;
  return bracketed(source, open, { name: token.text, anonymous: false, start, instead });
}

/** The brace after what may follow a parameter list: `const`, `throws A`, `: T`, `-> T`. */
function openBrace(source: Source, from: number): number {
  for (let at = from; at < source.code.length && at < from + 30; at = after(source, at)) {
    const token = source.code[at];
    if (token === undefined || token.kind === "close" || [";", "=", ",", ".", "=>", "&&", "||"].includes(token.text))
      return -1;
    if (token.text === "{") return (source.partner[at] ?? -1) > at ? at : -1;
  }
  return -1;
}

/** The text before a name, back to the end of the previous statement. */
function headerBefore(source: Source, at: number): readonly string[] {
  let from = at;
  while (from > 0 && at - from < 40 && !/^(?:[;{}()#]|=|,)$/.test(textAt(source, from - 1))) from--;
  // Types may have commas in angle brackets.
  return source.code.slice(from, at).map((token) => token.text);
}

/** Before its name, a call has an operator, a dot or nothing; a definition a type, a modifier or a word like `func`. */
function isDefinition(header: readonly string[]): boolean {
  const last = header.at(-1);
  if (last === undefined || /^(?:return|new|throw|else|await|case|in|is|as)$/.test(last)) return false;
  return introducers.has(last) || /^(?:[\w$]+|[*&>\]?]|::)$/.test(last);
}

function emptied(source: Source, open: number, header: readonly string[], suffix: readonly string[]): string | null {
  if (isEmpty(source, open)) return null;
  const close = source.partner[open] ?? -1;
  const yields = source.code.slice(open, close).some((token) => token.text === "yield");
  const early = earlyReturn(extensionOf(source.path), { header, suffix, yields });
  const old = source.text.slice(source.code[open]?.to, source.code[close]?.from);
  return early === null ? null : ` ${early}${old}`;
}
