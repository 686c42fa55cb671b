// The Triage Inbox of LOOP.md: the only list in a person's file that the loop writes. Every other byte is theirs.

import { shortened } from "../text/shortened.ts";
import { isBlank, isListLine, isPlaceholder, type Line, markdownLines, plainTitle } from "./markdown-lines.ts";

const lengthMax = 500;

/** An item as it is written, up to the next one. */
export type WrittenItem = {
  readonly raw: string;
  /** What an item of the loop's is about: a feature, or the run. Null: it is a person's. */
  readonly about: string | null;
};

/**
 * The text with `items` as the list under its heading "Triage Inbox", which is appended if missing. Items that are
 * `kept` follow as they are written.
 */
export function setInbox(text: string, items: readonly string[], kept: readonly WrittenItem[] = []): string {
  const eol = lineEnd(text);
  const own = items.length === 0 && kept.length > 0 ? "" : render(items, eol);
  const joined = kept.reduce((list, { raw }) => `${list}${list === "" || /[\r\n]$/.test(list) ? "" : eol}${raw}`, own);
  return putInbox(text, joined.trimEnd());
}

export function itemsInInbox(text: string): WrittenItem[] {
  const found = inboxSection(text);
  const region = found === null ? null : listIn(found.section);
  if (found === null || region === null) return [];
  const lines = found.section.filter(({ start, end }) => start >= region.start && end <= region.end);
  const starts = lines.filter((line) => !line.hidden && isListLine(line.text));
  return starts.flatMap(({ start, text: first }, at) => {
    const raw = text.slice(start, starts[at + 1]?.start ?? region.end);
    return isPlaceholder(first) ? [] : [{ raw, about: ofLoop.exec(raw)?.[1] ?? null }];
  });
}

/** As the loop writes its items. A part without text leaves one blank. */
const ofLoop = /^\s*[-*+]\s+(\S+): (?:.* )?Root cause: (?:.* )?Next: /;

/** The list under the heading, as it is written; null: there is none. */
export function inboxIn(text: string): string | null {
  const found = inboxSection(text);
  const region = found === null ? null : listIn(found.section);
  return region === null ? null : text.slice(region.start, region.end);
}

/** The same with a list that is already written. */
export function putInbox(text: string, list: string): string {
  const found = inboxSection(text);
  const eol = lineEnd(text);
  if (found === null) return append(text, list);
  const { heading, section } = found;
  const region = listIn(section);
  if (region !== null) return text.slice(0, region.start) + list + text.slice(region.end);
  const lastWritten = section.findLast((line) => !isBlank(line)) ?? heading;
  return text.slice(0, lastWritten.end) + eol + eol + list + text.slice(lastWritten.end);
}

/** `heading`: its last line. */
function inboxSection(text: string): { heading: Line; section: readonly Line[] } | null {
  const lines = markdownLines(text);
  const at = lines.findIndex((line) => line.heading !== null && plainTitle(line.heading.title) === "triage inbox");
  const heading = lines[at];
  if (heading === undefined) return null;
  const first = at + (heading.heading?.lines ?? 1);
  const after = lines.findIndex((line, index) => index >= first && line.heading !== null);
  return { heading: lines[first - 1] ?? heading, section: lines.slice(first, after < 0 ? lines.length : after) };
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

function append(text: string, list: string): string {
  const eol = lineEnd(text);
  const gap = text === "" ? "" : /(?:\n|\r)$/.test(text) ? eol : eol + eol;
  return `${text}${gap}## Triage Inbox${eol}${eol}${list}${eol}`;
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
  return shortened(line, lengthMax + 1);
}
