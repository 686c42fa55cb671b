// The lexer of JavaScript and TypeScript, with template literals, regular expressions and JSX.
import { Scanner, type Token } from "./token.ts";

/** What encloses the current position. `regex`: whether a regular expression may follow when it is closed. */
type Frame =
  | { readonly in: "bracket"; readonly regex: boolean }
  | { readonly in: "substitution" }
  | { readonly in: "tag"; readonly root: boolean; readonly closing: boolean }
  | { readonly in: "children"; readonly root: boolean }
  | { readonly in: "container" };

const word = /[#@]?[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/y;
const number =
  /0[xX][\da-fA-F_]+n?|0[bB][01_]+n?|0[oO][0-7_]+n?|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?n?/y;
const regex = /\/(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const jsxStart = /<(?:[A-Za-z_$][\w$.:-]*|(?=>))/y;
const typeParameter = /<\s*[A-Za-z_$][\w$]*\s*(?:,|=|extends\b)/y;
const jsxWord = /[A-Za-z_$][\w$.:-]*/y;
const jsxText = /[^<{]+/y;

const beforeExpression = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await default extends".split(" "),
);
const beforeBlock = new Set(["else", "do", "try", "finally", "=>", ";"]);
const beforeCondition = new Set(["if", "while", "for", "with"]);

export function lexJavascript(text: string, jsx: boolean): readonly Token[] {
  return new JavascriptLexer(text, jsx).run();
}

class JavascriptLexer {
  private readonly scan: Scanner;
  private readonly frames: Frame[] = [];
  private readonly jsx: boolean;
  /** The last token that is not a comment, and the one before it. */
  private last: Token | null = null;
  private before: Token | null = null;
  private regexMayFollow = true;
  /** No regular expression begins before this offset. */
  private noRegexBefore = 0;

  constructor(text: string, jsx: boolean) {
    this.scan = new Scanner(text);
    this.jsx = jsx;
  }

  run(): readonly Token[] {
    if (this.scan.sees("#!")) this.comment(() => this.scan.skipLine());
    while (!this.scan.done) {
      const frame = this.frames.at(-1);
      if (frame?.in === "tag") this.tag(frame);
      else if (frame?.in === "children") this.children();
      else this.code();
    }
    return this.scan.tokens;
  }

  private code(): void {
    const { scan } = this;
    const from = scan.at;
    if (/\s/.test(scan.here)) scan.at++;
    else if (scan.sees("//")) this.comment(() => scan.skipLine());
    else if (scan.sees("/*")) this.comment(() => scan.skipComment(false));
    else if (scan.here === '"' || scan.here === "'") this.emit("string", from, () => scan.skipQuoted(scan.here), false);
    else if (scan.here === "`") this.template(from, true);
    else if (scan.peek(number) !== "") this.emit("number", from, () => scan.take(number), false);
    else if (scan.peek(word) !== "") this.word(from);
    else if (scan.here === "/" && this.startsRegex()) this.emit("regex", from, () => scan.take(regex), false);
    else if (this.startsElement()) this.openTag(true);
    else this.punctuation();
  }

  private comment(skip: () => void): void {
    const from = this.scan.at;
    skip();
    this.scan.push("comment", from);
  }

  private emit(kind: Token["kind"], from: number, skip: () => void, regexMayFollow: boolean): Token {
    skip();
    const token = this.scan.push(kind, from);
    this.before = this.last;
    this.last = token;
    this.regexMayFollow = regexMayFollow;
    return token;
  }

  private word(from: number): void {
    const text = this.scan.take(word);
    const isProperty = this.last?.text === "." || this.last?.text === "?.";
    this.emit("word", from, () => {}, !isProperty && beforeExpression.has(text));
  }

  /** A template literal up to its end or its next substitution. */
  private template(from: number, first: boolean): void {
    const { scan } = this;
    for (scan.at++; !scan.done && scan.here !== "`" && !scan.sees("${"); scan.at++) {
      if (scan.here === "\\") scan.at++;
    }
    const goesOn = scan.sees("${");
    scan.at = Math.min(scan.at + (goesOn ? 2 : 1), scan.text.length);
    if (goesOn) this.frames.push({ in: "substitution" });
    const kind = first ? (goesOn ? "open" : "string") : goesOn ? "text" : "close";
    this.emit(kind, from, () => {}, goesOn);
  }

  private punctuation(): void {
    const { scan } = this;
    const from = scan.at;
    const frame = this.frames.at(-1);
    if (scan.here === "}" && frame?.in === "substitution") {
      this.frames.pop();
      this.template(from, false);
    } else this.bracketOrOperator();
  }

  private bracketOrOperator(): void {
    const { scan } = this;
    const openedAt = { last: this.last, before: this.before, regexMayFollow: this.regexMayFollow };
    const token = scan.pushPunctuation();
    this.before = this.last;
    this.last = token;
    if (token.kind === "open") this.frames.push({ in: "bracket", regex: regexAfter(token.text, openedAt) });
    this.regexMayFollow = token.kind === "close" ? this.leave() : regexAfterOperator(token.text, openedAt);
  }

  private leave(): boolean {
    const frame = this.frames.at(-1);
    if (frame?.in === "bracket" || frame?.in === "container") this.frames.pop();
    return frame?.in === "bracket" && frame.regex;
  }

  private startsRegex(): boolean {
    const { scan } = this;
    if (!this.regexMayFollow || scan.at < this.noRegexBefore) return false;
    if (scan.peek(regex) !== "") return true;
    // Broken text: retrying at each slash of a long line would take forever.
    this.noRegexBefore = scan.at + scan.peek(/[^\n]*/y).length;
    return false;
  }

  private startsElement(): boolean {
    const { scan } = this;
    if (!this.jsx || scan.here !== "<" || !this.regexMayFollow) return false;
    return scan.peek(jsxStart) !== "" && scan.peek(typeParameter) === "";
  }

  /** The first `<` of a whole element is a bracket, so that code that counts brackets sees an element as one value. */
  private openTag(root: boolean): void {
    const from = this.scan.at;
    const closing = this.scan.sees("</");
    this.emit(root ? "open" : "punct", from, () => (this.scan.at += closing ? 2 : 1), false);
    this.frames.push({ in: "tag", root, closing });
  }

  private tag(frame: Frame & { in: "tag" }): void {
    const { scan } = this;
    const from = scan.at;
    if (/\s/.test(scan.here)) scan.at++;
    else if (scan.sees("/*")) this.comment(() => scan.skipComment(false));
    else if (scan.here === "{") this.container();
    else if (scan.here === ">" || scan.sees("/>")) this.closeTag(frame);
    else if (scan.here === '"' || scan.here === "'") {
      const quote = scan.here;
      this.emit("string", from, () => scan.skipBlock(quote, quote, false), false);
    } else if (scan.peek(jsxWord) !== "") this.emit("word", from, () => scan.take(jsxWord), false);
    else this.emit("punct", from, () => scan.at++, false);
  }

  private closeTag(frame: Frame & { in: "tag" }): void {
    const from = this.scan.at;
    const alone = this.scan.sees("/>");
    this.frames.pop();
    const element = frame.closing ? this.frames.at(-1) : frame;
    const ends = alone || frame.closing;
    if (frame.closing && element?.in === "children") this.frames.pop();
    const root = (element?.in === "children" || element?.in === "tag") && element.root;
    this.emit(ends && root ? "close" : "punct", from, () => (this.scan.at += alone ? 2 : 1), false);
    if (!ends) this.frames.push({ in: "children", root: frame.root });
  }

  private children(): void {
    const { scan } = this;
    if (scan.here === "{") this.container();
    else if (scan.here === "<") this.openTag(false);
    else this.emit("text", scan.at, () => scan.take(jsxText), false);
  }

  private container(): void {
    this.emit("open", this.scan.at, () => this.scan.at++, true);
    this.frames.push({ in: "container" });
  }
}

type Before = { readonly last: Token | null; readonly before: Token | null; readonly regexMayFollow: boolean };

/** Whether a regular expression may follow the bracket that closes this one. */
function regexAfter(bracket: string, { last, before, regexMayFollow }: Before): boolean {
  if (bracket === "[") return false;
  if (bracket === "(") return last !== null && beforeCondition.has(last.text) && before?.text !== ".";
  // A brace where a value is expected is an object, and a slash after an object divides.
  return last === null || !regexMayFollow || beforeBlock.has(last.text) || last.kind !== "punct";
}

function regexAfterOperator(text: string, { last, regexMayFollow }: Before): boolean {
  if (text === "++" || text === "--") return regexMayFollow;
  // TypeScript's `x!` is a value.
  if (text === "!" && !regexMayFollow && last !== null) return false;
  return text !== ")" && text !== "]";
}
