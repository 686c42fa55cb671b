// The Triage Inbox of LOOP.md: the only list in a person's file that the loop writes. Every other byte is theirs.
import { isBlank, isListLine, type Line, markdownLines, plainTitle } from "./markdown-lines.ts";

const lengthMax = 500;

/** The text with `items` as the list under its heading "Triage Inbox", which is appended if missing. */
export function setInbox(text: string, items: readonly string[]): string {
  const lines = markdownLines(text);
  const at = lines.findIndex((line) => line.heading !== null && plainTitle(line.heading.title) === "triage inbox");
  const heading = lines[at];
  if (heading === undefined) return append(text, items);
  const first = at + (heading.heading?.lines ?? 1);
  const after = lines.findIndex((line, index) => index >= first && line.heading !== null);
  const section = lines.slice(first, after < 0 ? lines.length : after);
  const eol = lineEnd(text);
  const list = render(items, eol);
  const region = listIn(section);
  if (region !== null) return text.slice(0, region.start) + list + text.slice(region.end);
  const lastWritten = section.findLast((line) => !isBlank(line)) ?? lines[first - 1] ?? heading;
  return text.slice(0, lastWritten.end) + eol + eol + list + text.slice(lastWritten.end);
}

/** The first list: its items and the lines indented under them. A blank line ends it, unless another item follows. */
function listIn(section: readonly Line[]): { start: number; end: number } | null {
  const from = section.findIndex((line) => !line.hidden && isListLine(line.text));
  const first = section[from];
  if (first === undefined) return null;
  let last = first;
  for (let at = from + 1; at < section.length; at++) {
    const line = section[at];
    if (line === undefined) break;
    if (isBlank(line) && !line.hidden) continue;
    const follows = line.start === last.next;
    const isItem = !line.hidden && isListLine(line.text);
    // A comment or fence that starts in the list ends in it.
    const isInside = follows && (/^(?: {2,}|\t)/.test(line.text) || (line.hidden && !line.opensFence));
    if (!isItem && !isInside) break;
    last = line;
  }
  return { start: first.start, end: last.end };
}

function append(text: string, items: readonly string[]): string {
  const eol = lineEnd(text);
  const gap = text === "" ? "" : /(?:\n|\r)$/.test(text) ? eol : eol + eol;
  return `${text}${gap}## Triage Inbox${eol}${eol}${render(items, eol)}${eol}`;
}

const lineEnd = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";

const render = (items: readonly string[], eol: string): string =>
  items.length === 0 ? "(empty)" : items.map((item) => `- ${oneItem(item)}`).join(eol);

/** Text from an agent stays one line: it cannot end the list, open a comment or draw a rule. */
function oneItem(item: string): string {
  const line = item
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim()
    .replaceAll("<!--", "&lt;!--")
    .replaceAll("-->", "--&gt;")
    .replace(/^[-*+_]/, "\\$&");
  if (line === "") return "(no text)";
  return line.length > lengthMax ? `${line.slice(0, lengthMax)}…` : line;
}
