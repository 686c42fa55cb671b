// Functions and methods of Go.
import { after, partsIn, type Source, textAt } from "../lex/source.ts";
import { bodiesFound, bracketed, type FoundBody, isEmpty } from "./body.ts";

const typeWords = new Set(["chan", "func", "map", "interface", "struct"]);

export function goBodies(source: Source): readonly FoundBody[] {
  return bodiesFound(source, (_, at) => (textAt(source, at) === "func" ? functionAt(source, at) : null));
}

function functionAt(source: Source, at: number): FoundBody | null {
  let list = at + 1;
  const isMethod =
    textAt(source, list) === "(" && source.code[after(source, list)]?.kind === "word" && !isResult(source, list);
  if (isMethod) list = after(source, list);
  const own = source.code[list]?.kind === "word" ? textAt(source, list++) : null;
  if (textAt(source, list) === "[") list = after(source, list);
  if (textAt(source, list) !== "(") return null;
  const results = after(source, list);
  const open = openBrace(source, results);
  if (open < 0) return null;
  const assigned = /^:?=$/.test(textAt(source, at - 1)) ? textAt(source, at - 2) : "";
  const name = own ?? (assigned === "" ? "anonymous" : assigned);
  const instead = () => emptied(source, results, open);
  return bracketed(source, open, {
    name,
    anonymous: own === null && assigned === "",
    start: source.code[at]?.from ?? 0,
    instead,
  });
}

/** `func(a int) error {` is a literal with a result: no other parameter list follows its word. */
function isResult(source: Source, list: number): boolean {
  const next = after(source, list) + 1;
  return textAt(source, next) !== "(" && textAt(source, next) !== "[";
}

/** The brace of the body: on the line where the results end, and not that of `interface{}`. */
function openBrace(source: Source, results: number): number {
  for (let at = results; at < source.code.length && at < results + 60; ) {
    const [before, token] = [source.code[at - 1], source.code[at]];
    if (before === undefined || token === undefined || token.line !== before.line + before.text.split("\n").length - 1)
      return -1;
    const inType = before.text === "interface" || before.text === "struct";
    if (token.text === "{" && !inType) return (source.partner[at] ?? -1) > at ? at : -1;
    if (token.kind === "close" || token.text === "," || token.text === ";") return -1;
    at = after(source, at);
  }
  return -1;
}

/** Zero values of the declared result types. The old body stays, so that everything in it is still used. */
function emptied(source: Source, results: number, open: number): string | null {
  if (isEmpty(source, open)) return null;
  const old = source.text.slice(source.code[open]?.to, source.code[source.partner[open] ?? -1]?.from);
  const types = resultTypes(source, results, open);
  const variables = types.map((type, index) => `var emptied${index} ${type}; `).join("");
  const values = types.map((_, index) => ` emptied${index}`).join(",");
  return ` if true { ${variables}return${values} };${old}`;
}

/** Empty where there are none, or where they have names, which start as zero values. */
function resultTypes(source: Source, results: number, open: number): readonly string[] {
  if (results >= open) return [];
  const isList = textAt(source, results) === "(" && after(source, results) === open;
  const parts = isList ? partsIn(source, results) : [{ from: results, to: open }];
  if (isList && parts.some((part) => isNamed(source, part.from, part.to))) return [];
  return parts.map(({ from, to }) => source.text.slice(source.code[from]?.from, source.code[to - 1]?.to));
}

/** `n int`, but not `chan int`, `pkg.T` or `List[int]`. */
function isNamed(source: Source, from: number, to: number): boolean {
  const [first, second] = [source.code[from], source.code[from + 1]];
  if (first?.kind !== "word" || typeWords.has(first.text) || second === undefined || from + 1 >= to) return false;
  return second.text !== "." && !(second.text === "[" && second.from === first.to);
}
