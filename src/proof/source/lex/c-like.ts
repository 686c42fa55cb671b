// One lexer for languages with C's comments and braces, which differ in a few details of their strings.
import { Scanner, type Token } from "./token.ts";

/** How a language's strings differ from C's. */
type Habits = {
  readonly nestedComments?: boolean;
  readonly hashComments?: boolean;
  /** `'…'` is a string of any length. */
  readonly singleQuoted?: boolean;
  /** `"""…"""` spans lines. */
  readonly textBlocks?: boolean;
  /** What opens code inside a string. */
  readonly interpolation?: "${" | "\\(";
  /** C#: `@"…"`, in which `""` is a quote. */
  readonly verbatim?: boolean;
  /** C++: `R"mark(…)mark"`. */
  readonly rawMarks?: boolean;
  readonly hereDocuments?: boolean;
};

const habitsOf: Readonly<Record<string, Habits>> = {
  java: { textBlocks: true },
  kt: { textBlocks: true, nestedComments: true, interpolation: "${" },
  kts: { textBlocks: true, nestedComments: true, interpolation: "${" },
  scala: { textBlocks: true, nestedComments: true, interpolation: "${" },
  swift: { textBlocks: true, nestedComments: true, interpolation: "\\(" },
  cs: { textBlocks: true, verbatim: true },
  php: { hashComments: true, singleQuoted: true, hereDocuments: true },
  cc: { rawMarks: true },
  cpp: { rawMarks: true },
  cxx: { rawMarks: true },
  hpp: { rawMarks: true },
  hh: { rawMarks: true },
};

const word = /[$@]?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
const number =
  /0[xX][\da-fA-F_']+[uUlL]*|0[bB][01_']+[uUlL]*|(?:\d[\d_']*(?:\.\d[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?[fFdDlLuUmM]*/y;
const character = /'(?:\\[^\n]{1,9}?|[^\\'\n])'/y;
const rawMark = /(?:u8|[uUL])?R"([^()\\\s]{0,16})\(/y;
const hereDocument = /<<<[ \t]*["']?([A-Za-z_]\w*)["']?[^\n]*\n/y;

export function lexCLike(text: string, extension: string): readonly Token[] {
  const habits = habitsOf[extension] ?? {};
  const scan = new Scanner(text);
  while (!scan.done) {
    if (/\s/.test(scan.here)) scan.at++;
    else if (!comment(scan, habits) && !literal(scan, habits)) plain(scan);
  }
  return scan.tokens;
}

function comment(scan: Scanner, habits: Habits): boolean {
  const from = scan.at;
  const isLine = scan.sees("//") || (habits.hashComments === true && scan.here === "#" && !scan.sees("#["));
  if (!isLine && !scan.sees("/*")) return false;
  if (isLine) scan.skipLine();
  else scan.skipComment(habits.nestedComments === true);
  scan.push("comment", from);
  return true;
}

function literal(scan: Scanner, habits: Habits): boolean {
  const from = scan.at;
  if (habits.textBlocks && scan.sees('"""')) scan.skipBlock('"""', '"""');
  else if (habits.verbatim && /^(?:@\$?|\$@)"/.test(scan.text.slice(from, from + 3))) verbatim(scan);
  else if (habits.rawMarks && scan.peek(rawMark) !== "") scan.skipPast(`)${rawMark.exec(mark(scan))?.[1] ?? ""}"`);
  else if (habits.hereDocuments && scan.peek(hereDocument) !== "") skipHereDocument(scan);
  else if (scan.here === '"') skipString(scan, habits.interpolation);
  else if (habits.singleQuoted && scan.here === "'") scan.skipBlock("'", "'");
  else if (scan.take(character) === "") return false;
  scan.push("string", from);
  return true;
}

function plain(scan: Scanner): void {
  const from = scan.at;
  if (scan.take(number) !== "") scan.push("number", from);
  else if (scan.take(word) !== "") scan.push("word", from);
  else scan.pushPunctuation();
}

/** The start of a raw string again, to match the mark in it. */
function mark(scan: Scanner): string {
  const start = scan.peek(rawMark);
  rawMark.lastIndex = 0;
  return start;
}

function verbatim(scan: Scanner): void {
  scan.skipPast('"');
  for (; !scan.done; scan.at++) {
    if (scan.sees('""')) scan.at++;
    else if (scan.here === '"') break;
  }
  scan.at = Math.min(scan.at + 1, scan.text.length);
}

function skipHereDocument(scan: Scanner): void {
  const name = /([A-Za-z_]\w*)/.exec(scan.take(hereDocument))?.[1] ?? "";
  const end = new RegExp(`^[ \\t]*${name}\\b`, "m").exec(scan.text.slice(scan.at));
  scan.at = end === null ? scan.text.length : scan.at + end.index + end[0].length;
}

function skipString(scan: Scanner, mark: Habits["interpolation"]): void {
  if (mark === undefined) scan.skipQuoted('"');
  else skipInterpolated(scan, mark);
}

/** A string that may contain code, which may contain strings again. */
function skipInterpolated(scan: Scanner, mark: string): void {
  let depth = 0;
  for (scan.at++; !scan.done && scan.here !== "\n"; scan.at++) {
    if (depth === 0 && scan.here === '"') break;
    if (depth === 0 && scan.sees(mark)) {
      depth = 1;
      scan.at++;
    } else if (scan.here === "\\") scan.at++;
    else if (depth > 0) depth += skipInside(scan);
  }
  scan.at = Math.min(scan.sees('"') ? scan.at + 1 : scan.at, scan.text.length);
}

/** One step in code inside a string: returns how the number of open brackets changes. */
function skipInside(scan: Scanner): number {
  if ("({".includes(scan.here)) return 1;
  if (")}".includes(scan.here)) return -1;
  if (scan.here === '"') {
    scan.skipQuoted('"');
    scan.at--;
  }
  return 0;
}
