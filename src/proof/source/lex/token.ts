// The output of a lexer: tokens in order; and the scanner that all lexers share.

/**
 * `open` and `close` are brackets; so are the first and last piece of a template literal with substitutions, and the
 * first `<` and last `>` of a JSX element. `text` is the text between such pieces, and the body of a here-document.
 */
export type TokenKind =
  | "word"
  | "number"
  | "string"
  | "text"
  | "regex"
  | "comment"
  | "open"
  | "close"
  | "punct"
  | "newline";

/** `line` counts from 1 and is where the token begins. */
export type Token = {
  readonly kind: TokenKind;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly text: string;
};

const spaces = /[^\S\n]+/y;
const lineEnd = /[^\n]*/y;
const punctuation =
  /=>|===|!==|==|!=|<=|>=|&&=?|\|\|=?|\?\?=?|\?\.(?!\d)|\.\.\.|\.\.=|\.\.|\*\*|\+\+|--|[-+*/%&|^:]=|->|::|<-|[\s\S]/uy;

/** Walks over a text and collects tokens. Every lexer advances it in each step, so none can hang. */
export class Scanner {
  readonly text: string;
  readonly tokens: Token[] = [];
  at = 0;
  private line = 1;
  private counted = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  get here(): string {
    return this.text.charAt(this.at);
  }

  sees(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Moves over the match of a sticky pattern here and returns it; empty if there is none. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  /** The match of a sticky pattern here, without moving. */
  peek(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? "";
  }

  skipSpaces(): void {
    this.take(spaces);
  }

  /** Moves to the end of the line, before its newline. */
  skipLine(): void {
    this.take(lineEnd);
  }

  /** Moves past the next occurrence of a text, or to the end. */
  skipPast(text: string): void {
    const found = this.text.indexOf(text, this.at);
    this.at = found < 0 ? this.text.length : found + text.length;
  }

  /** Makes a token of the text from an offset up to here. */
  push(kind: TokenKind, from: number): Token {
    for (; this.counted < from; this.counted++) if (this.text.charCodeAt(this.counted) === 10) this.line++;
    const token = { kind, from, to: this.at, line: this.line, text: this.text.slice(from, this.at) };
    this.tokens.push(token);
    return token;
  }

  /** Any operator or bracket here. */
  pushPunctuation(): Token {
    const from = this.at;
    const found = this.take(punctuation);
    if (found === "") this.at++;
    return this.push("([{".includes(found) ? "open" : ")]}".includes(found) ? "close" : "punct", from);
  }

  /** Moves over a one-line string with backslash escapes; it ends at its quote or at the end of the line. */
  skipQuoted(quote: string): void {
    for (this.at += quote.length; !this.done && !this.sees(quote) && this.here !== "\n"; this.at++) {
      if (this.here === "\\") this.at++;
    }
    if (this.sees(quote)) this.at += quote.length;
    this.at = Math.min(this.at, this.text.length);
  }

  /** The same over several lines, up to a closing mark. */
  skipBlock(open: string, close: string, escapes = true): void {
    for (this.at += open.length; !this.done && !this.sees(close); this.at++) {
      if (escapes && this.here === "\\") this.at++;
    }
    this.at = Math.min(this.at + close.length, this.text.length);
  }

  /** Moves over a comment with marks around it; in some languages comments nest. */
  skipComment(nested: boolean): void {
    this.at += 2;
    if (!nested) this.skipPast("*/");
    for (let depth = nested ? 1 : 0; depth > 0 && !this.done; ) {
      const step = this.sees("/*") ? 1 : this.sees("*/") ? -1 : 0;
      depth += step;
      this.at += step === 0 ? 1 : 2;
    }
  }
}

/** The tokens of a text, one step after the other. */
export function tokensOf(text: string, step: (scan: Scanner) => void): readonly Token[] {
  const scan = new Scanner(text);
  while (!scan.done) step(scan);
  return scan.tokens;
}
