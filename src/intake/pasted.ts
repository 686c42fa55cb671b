// What people paste into a request: logs, traces, code. It is evidence of what went wrong, not what they ask for.
import type { FromRequest } from "./evidence.ts";

export type Split = {
  readonly prose: string;
  readonly pasted: string;
  /** The first pasted line that names an error. */
  readonly trace: readonly FromRequest[];
};

const lineMax = 300;
const traceLines: readonly RegExp[] = [
  /^\s*at [\w$.<>[\] ]{0,120}\(?(?:\w+:)?[^\s()]{1,200}:\d+/,
  /^\s*File "[^"]{1,200}", line \d+/,
  /^Traceback \(most recent call last\)/,
  /^\s*(?:[\w$]{1,60}\.){0,8}[\w$]{0,60}(?:Error|Exception|Operation|Fault|Panic): /,
  /^\s*(?:Caused by|panic:|goroutine \d+|thread '[^']{1,60}' panicked|Require stack|npm (?:ERR!|error)|error\[E\d+\])/,
  /^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\s*\^+\s*$/,
  /^\s*-? ?(?:node:internal\/|\/(?:app|usr|opt|var|srv)\/)\S{1,200}(?:\s|$)/,
];
const errorLine = /error|exception|panic|fault|fail|invalid/i;

/** Both halves have the length of the text, with blanks for what is in the other. */
export function splitPasted(text: string): Split {
  const lines = text.split("\n");
  const indent = smallestIndent(lines);
  const prose: string[] = [];
  const pasted: string[] = [];
  const trace: FromRequest[] = [];
  let fence: string | null = null;
  let at = 0;
  for (const line of lines) {
    const start = line.slice(0, lineMax);
    const mark = /^\s{0,8}(```|~~~)/.exec(start)?.[1] ?? null;
    const isPasted = fence !== null || mark !== null || looksPasted(start, indent);
    if (mark !== null) fence = fence === null ? mark : fence === mark ? null : fence;
    prose.push(isPasted ? blank(line) : line);
    pasted.push(isPasted ? line : blank(line));
    if (isPasted && trace.length === 0 && errorLine.test(start)) trace.push(shown(line, at));
    at += line.length + 1;
  }
  return { prose: prose.join("\n"), pasted: pasted.join("\n"), trace };
}

function looksPasted(line: string, indent: number): boolean {
  const inner = line.slice(indent);
  const isCode = /^(?: {4}|\t)\s*(?![-*+•\s]|\d{1,3}[.)] )\S/.test(inner);
  return isCode || traceLines.some((pattern) => pattern.test(line));
}

/** A request that is indented as a whole is not code. */
function smallestIndent(lines: readonly string[]): number {
  let smallest = lineMax;
  for (const line of lines) {
    const width = line.search(/\S/);
    if (width >= 0 && width < smallest) smallest = width;
  }
  return smallest === lineMax ? 0 : smallest;
}

function shown(line: string, at: number): FromRequest {
  const width = Math.max(0, line.search(/\S/));
  const text = line.slice(width, width + 80).replace(/[\uD800-\uDBFF]$/, "");
  return { text: text.trimEnd(), at: at + width };
}

const blank = (text: string): string => " ".repeat(text.length);

/** Blanks out every match of the pattern. */
export const hiding = (text: string, pattern: RegExp): string => text.replace(pattern, blank);
