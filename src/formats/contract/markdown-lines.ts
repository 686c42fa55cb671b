// Markdown as lines: which are headings, and which only look like one inside a code fence or a comment.

export type Heading = { level: number; title: string /** 2 when underlined. */; lines: 1 | 2 };
export type Line = {
  text: string;
  start: number;
  /** The end of the text, before the line end. */
  end: number;
  /** The start of the next line. */
  next: number;
  /** Starts inside a code fence (its own two lines included) or inside a comment. */
  hidden: boolean;
  /** The first line of a code fence. */
  opensFence: boolean;
  heading: Heading | null;
};

export function markdownLines(text: string): Line[] {
  const lines = splitLines(text);
  hide(lines, text);
  for (const [at, line] of lines.entries()) line.heading = headingAt(lines, at);
  return lines;
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start;
    while (end < text.length && text[end] !== "\n" && text[end] !== "\r") end += 1;
    const next = Math.min(text.length, end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1));
    lines.push({ text: text.slice(start, end), start, end, next, hidden: false, opensFence: false, heading: null });
    start = next;
  }
  return lines;
}

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * Marks lines in fences and comments. An unclosed one hides nothing: it is more likely an accident than a wish to hide
 * the rest of the file, and text that the loop appends must be found again.
 */
function hide(lines: Line[], text: string): void {
  const lastCommentEnd = text.lastIndexOf("-->");
  // The shortest fence of each kind known to be unclosed, so that nothing is searched twice.
  const endless: Record<string, number> = {};
  let commented = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined) return;
    if (!commented) {
      const end = fenceEnd(lines, at, endless);
      if (end !== null) {
        line.opensFence = true;
        for (; at < end; at++) hideLine(lines[at]);
        hideLine(lines[end]);
        continue;
      }
    }
    line.hidden = commented;
    commented = commentedAfter(line, commented, lastCommentEnd);
  }
}

const hideLine = (line: Line | undefined): void => {
  if (line) line.hidden = true;
};

/** The line that closes the fence opened at `at`, or null when none opens there, or it is not closed. */
function fenceEnd(lines: readonly Line[], at: number, endless: Record<string, number>): number | null {
  const [, marks, info] = fence.exec(lines[at]?.text ?? "") ?? [];
  const kind = marks?.[0];
  if (marks === undefined || kind === undefined || (kind === "`" && info?.includes("`"))) return null;
  if (marks.length >= (endless[kind] ?? Number.POSITIVE_INFINITY)) return null;
  for (let end = at + 1; end < lines.length; end++) {
    const [, closing, rest] = fence.exec(lines[end]?.text ?? "") ?? [];
    if (closing?.[0] === kind && closing.length >= marks.length && rest?.trim() === "") return end;
  }
  endless[kind] = marks.length;
  return null;
}

function commentedAfter(line: Line, before: boolean, lastEnd: number): boolean {
  // The start of a comment inside code opens nothing.
  const text = before ? line.text : line.text.replace(/`[^`]*`/g, (code) => " ".repeat(code.length));
  let commented = before;
  for (let at = 0; ; ) {
    const found = text.indexOf(commented ? "-->" : "<!--", at);
    if (found < 0) return commented;
    if (!commented && lastEnd < line.start + found + 4) return false;
    at = found + (commented ? 3 : 4);
    commented = !commented;
  }
}

function headingAt(lines: readonly Line[], at: number): Heading | null {
  const line = lines[at];
  if (line === undefined || line.hidden) return null;
  const hashes = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line.text)?.[1];
  if (hashes !== undefined) return { level: hashes.length, title: titleOf(line.text), lines: 1 };
  const under = lines[at + 1];
  const level = under === undefined || under.hidden ? null : underline(under.text);
  // Only after a blank line, so that a list written before it cannot change its meaning.
  const isAlone = at === 0 || isBlank(lines[at - 1]);
  if (level === null || !isAlone || !isProse(line.text)) return null;
  return { level, title: titleOf(line.text), lines: 2 };
}

function underline(text: string): number | null {
  if (/^ {0,3}=+[ \t]*$/.test(text)) return 1;
  return /^ {0,3}-+[ \t]*$/.test(text) ? 2 : null;
}

const titleOf = (text: string): string =>
  withoutComments(text)
    .replace(/^ {0,3}#{1,6}/, "")
    .trim()
    .replace(/(?<=^|[ \t])#+$/, "")
    .trim();

const isProse = (text: string): boolean => /^ {0,3}[^\s]/.test(text) && !isListLine(text) && !/^ {0,3}[>|<]/.test(text);

export const isBlank = (line: Line | undefined): boolean => line !== undefined && line.text.trim() === "";

/** A list item, or the placeholder for an empty list. */
export const isListLine = (text: string): boolean =>
  isPlaceholder(text) || (/^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/.test(text) && !isRule(text));

export const isPlaceholder = (text: string): boolean =>
  /^ {0,3}[_*]{0,2}\((?:empty|none)\)[_*]{0,2}[ \t]*$/i.test(text);
const isRule = (text: string): boolean =>
  /^[-*_]{3,}$/.test(text.replace(/[ \t]/g, "")) && new Set(text.trim().replace(/[ \t]/g, "")).size === 1;

/** The rendered text, without comments. An unclosed one stays. */
export function withoutComments(text: string): string {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const open = text.indexOf("<!--", at);
    const close = open < 0 ? -1 : text.indexOf("-->", open + 4);
    if (close < 0) return [...parts, text.slice(at)].join("");
    parts.push(text.slice(at, open));
    at = close + 3;
  }
}

/** A title for comparison: letters and digits only, without parentheses, in lower case. */
export const plainTitle = (title: string): string =>
  title
    .replace(/\([^()]*\)/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
