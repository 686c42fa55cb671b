// Old tests with the assertions made to fail that only run under a condition: in a catch, a branch, a loop, a callback. A test
// that still passes has not reached them.
import { partsIn, type Source, sourceOf, textAt } from "../lex/source.ts";
import { type Change, changesOf, withChanges } from "./alteration.ts";
import { complaintsUnderConditions } from "./assertions.ts";
import { literalsIn } from "./leaves.ts";

/** Null: no assertion of this file runs only under a condition. */
export function conditionalAssertionsFailing(
  path: string,
  text: string,
): { readonly text: string; readonly lines: readonly number[] } | null {
  const source = sourceOf(path, text);
  const changes = source === null ? [] : changesIn(source);
  if (source === null || changes.length === 0) return null;
  const made = withChanges(text, changes) + (source.language === "javascript" ? thrower(source) : "");
  return { text: made, lines: [...new Set(changes.map(({ line }) => line))] };
}

function changesIn(source: Source): readonly Change[] {
  switch (source.language) {
    case "javascript":
      return source.code.flatMap((_, at) => inJavascript(source, at));
    case "python": {
      const lines = source.text.split("\n");
      return source.code.flatMap((_, at) => inPython(source, at, lines));
    }
    case "rust":
      return source.code.flatMap((_, at) => inRust(source, at));
    case "go":
    case "c-like":
      return changesOf(
        source,
        complaintsUnderConditions(source, (at) => isUnderHead(source, at)).flatMap((span) => literalsIn(source, span)),
      );
    default:
      return [];
  }
}

/** A function declaration is known in the whole file, wherever it stands. */
const thrower = ({ typed }: Source): string =>
  `\nfunction loopReached(${typed ? "..._: any[]): any" : ")"} { throw new Error("reached"); }\n`;

function inJavascript(source: Source, at: number): readonly Change[] {
  const token = source.code[at];
  if (token?.kind !== "word" || !/^(?:assert|expect)$/.test(token.text) || textAt(source, at - 1) === ".") return [];
  let last = at;
  while (textAt(source, last + 1) === "." && source.code[last + 2]?.kind === "word") last += 2;
  const end = source.code[last];
  if (end === undefined || textAt(source, last + 1) !== "(" || !isConditional(source, at)) return [];
  return [{ from: token.from, to: end.to, line: token.line, instead: "loopReached" }];
}

const branch = /^(?:catch|if|for|while|switch|else)$/;
const eachOf = /^(?:forEach|map|flatMap|reduce|find|then|catch|finally|on|once|filter|every|some)$/;

function isConditional(source: Source, at: number): boolean {
  const before = /^(?:await|return|void)$/.test(textAt(source, at - 1)) ? at - 2 : at - 1;
  if (/^(?:&&|\|\||\?\?)$/.test(textAt(source, before))) return true;
  if (isBranch(source, before) || isCallback(source, before)) return true;
  for (let open = source.parent[at] ?? -1; open >= 0; open = source.parent[open] ?? -1)
    if (textAt(source, open) === "{" && (isBranch(source, open - 1) || isCallback(source, open - 1))) return true;
  return false;
}

/** Whether what follows this token is a branch: `if (…)`, `for await (…)`, `else`, `catch`. */
function isBranch(source: Source, before: number): boolean {
  if (textAt(source, before) !== ")") return branch.test(textAt(source, before));
  const word = (source.partner[before] ?? 0) - 1;
  return branch.test(textAt(source, textAt(source, word) === "await" ? word - 1 : word));
}

/** Whether what follows this token is the body of a function that is given to `.forEach(…)`, `.then(…)` and the like. */
function isCallback(source: Source, before: number): boolean {
  const open = source.parent[before] ?? -1;
  // `(x) => …`, or `function (x) {` with the bracket of its parameters before the body.
  const word = textAt(source, before) === ")" ? (source.partner[before] ?? 0) - 1 : before;
  const isArrow = textAt(source, before) === "=>" || textAt(source, word) === "function";
  return (
    isArrow && textAt(source, open) === "(" && textAt(source, open - 2) === "." && eachOf.test(textAt(source, open - 1))
  );
}

/** The opposite of what is asserted: it has to fail where the assertion held. */
function inRust(source: Source, at: number): readonly Change[] {
  const token = source.code[at];
  if (token === undefined || !/^assert(?:_eq|_ne)?!$/.test(token.text) || !isUnderHead(source, at)) return [];
  const { from, to, line } = token;
  if (token.text !== "assert!") {
    const instead = token.text === "assert_eq!" ? "assert_ne!" : "assert_eq!";
    return [{ from, to, line, instead }];
  }
  const [condition] = partsIn(source, at + 1);
  const [first, last] = [source.code[condition?.from ?? -1], source.code[(condition?.to ?? 0) - 1]];
  if (first === undefined || last === undefined) return [];
  return [
    { from: first.from, to: first.from, line, instead: "!(" },
    { from: last.to, to: last.to, line, instead: ")" },
  ];
}

/** Whether it stands in a block whose line begins with a condition or a loop, or in an arm of a `match`. */
function isUnderHead(source: Source, at: number): boolean {
  if (textAt(source, at - 1) === "=>") return true;
  for (let open = source.parent[at] ?? -1; open >= 0; open = source.parent[open] ?? -1) {
    if (textAt(source, open) !== "{") continue;
    const line = source.code[open]?.line;
    const head = source.code.findIndex((token) => token.line === line && token.text !== "}");
    if (textAt(source, open - 1) === "=>" || /^(?:if|else|for|while|match|loop|switch)$/.test(textAt(source, head)))
      return true;
  }
  return false;
}

function inPython(source: Source, at: number, lines: readonly string[]): readonly Change[] {
  const token = source.code[at];
  if (token === undefined || !/^(?:assert|self)$/.test(token.text) || !isUnderBranch(lines, token.line)) return [];
  const { from, line } = token;
  if (token.text === "assert") return [{ from, to: token.to, line, instead: "assert 0 if 1 else" }];
  const member = source.code[at + 2];
  const isUnittest = token.text === "self" && /^assert[A-Z]/.test(member?.text ?? "");
  return isUnittest && member !== undefined ? [{ from, to: member.to, line, instead: "self.fail" }] : [];
}

/** Whether a line stands under an `if`, a loop or an `except` within its function. */
function isUnderBranch(lines: readonly string[], number: number): boolean {
  let depth = indentOf(lines[number - 1] ?? "");
  for (let at = number - 2; at >= 0 && depth > 0; at--) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || indentOf(line) >= depth) continue;
    if (/^\s*(?:if|elif|else|for|async for|while|except|case)\b/.test(line)) return true;
    if (/^\s*(?:def|async def|class)\b/.test(line)) return false;
    depth = indentOf(line);
  }
  return false;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
