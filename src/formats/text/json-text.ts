// Untrusted JSON text: bounded before it is parsed, refused if it is ambiguous.
import { jsonErrorAt } from "./json-error.ts";

export type JsonText = { ok: true; value: unknown } | { ok: false; line: number | null; says: string };

/** The position of an object's member in the text. `path` leads to the object: keys as strings, indexes as numbers. */
export type Member = {
  path: readonly (string | number)[];
  key: string;
  keyStart: number;
  valueStart: number;
  valueEnd: number;
};

export function parseJsonText(text: string, most: { bytes: number; depth: number }): JsonText {
  if (text.length > most.bytes || Buffer.byteLength(text) > most.bytes) {
    return { ok: false, line: null, says: `the file is larger than ${Math.floor(most.bytes / 1024)} KB` };
  }
  const deep = firstDeeper(text, most.depth);
  if (deep !== null)
    return { ok: false, line: lineAt(text, deep), says: `it is nested deeper than ${most.depth} levels` };
  try {
    const value: unknown = JSON.parse(withoutMark(text));
    const twice = firstDuplicate(text);
    if (twice === null) return { ok: true, value };
    return {
      ok: false,
      line: lineAt(text, twice.keyStart),
      says: `duplicate key ${JSON.stringify(twice.key)}`,
    };
  } catch {
    const at = jsonErrorAt(text);
    const says = at === text.length ? "it ends too early to be JSON" : `it is not JSON from ${quote(text, at)} on`;
    return { ok: false, line: lineAt(text, at), says };
  }
}

const quote = (text: string, at: number): string =>
  JSON.stringify((text.slice(at, at + 20).split("\n")[0] ?? "").trim());

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

// Some editors write a byte order mark; it stays in the file, but is not part of the JSON.
const withoutMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);

/** The offset of the first bracket that exceeds the depth. Works on any text. */
function firstDeeper(text: string, depthMax: number): number | null {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at) - 1;
    else if (letter === "{" || letter === "[") {
      depth += 1;
      if (depth > depthMax) return at;
    } else if (letter === "}" || letter === "]") depth -= 1;
  }
  return null;
}

/** The offset after a string that starts at `start`; the end of the text when it is not closed. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function firstDuplicate(text: string): Member | null {
  let found: Member | null = null;
  eachMember(text, (member, isTwice) => {
    if (isTwice) found ??= { ...member, path: [...member.path] };
  });
  return found;
}

/** An open object or list: its keys so far (null for a list), and the current member or index. */
type Frame = { keys: Set<string> | null; part: string | number; keyStart: number; valueStart: number; twice: boolean };

/**
 * Calls back for each member of each object, inner ones first. The text must be valid JSON. Uses its own stack, so any
 * depth works; `path` is reused, so copy it to keep it.
 */
export function eachMember(text: string, visit: (member: Member, isTwice: boolean) => void): void {
  const frames: Frame[] = [];
  const path: (string | number)[] = [];
  let keyComes = false;
  const endValue = (end: number): void => {
    const frame = frames.at(-1);
    if (!frame?.keys || typeof frame.part !== "string") return;
    const { part: key, keyStart, valueStart } = frame;
    visit({ path, key, keyStart, valueStart, valueEnd: end }, frame.twice);
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    const frame = frames.at(-1);
    if (letter === "{" || letter === "[") {
      if (frame) {
        frame.valueStart = at;
        path.push(frame.part);
      }
      frames.push(letter === "{" ? openObject() : openList());
      keyComes = letter === "{";
    } else if (letter === "}" || letter === "]") {
      frames.pop();
      path.pop();
      keyComes = false;
      endValue(at + 1);
    } else if (letter === ",") {
      if (typeof frame?.part === "number") frame.part += 1;
      keyComes = typeof frame?.part === "string";
    } else if (letter === '"' || /[-0-9tfn]/.test(letter)) {
      const end = letter === '"' ? endOfString(text, at) : endOfScalar(text, at);
      if (keyComes && frame) {
        readKey(frame, text, at, end);
        keyComes = false;
      } else {
        if (frame) frame.valueStart = at;
        endValue(end);
      }
      at = end - 1;
    }
  }
}

const openObject = (): Frame => ({ keys: new Set(), part: "", keyStart: -1, valueStart: -1, twice: false });
const openList = (): Frame => ({ keys: null, part: 0, keyStart: -1, valueStart: -1, twice: false });

function readKey(frame: Frame, text: string, start: number, end: number): void {
  const key = keyText(text.slice(start, end));
  frame.twice = frame.keys?.has(key) ?? false;
  frame.keys?.add(key);
  frame.part = key;
  frame.keyStart = start;
}

function endOfScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[-+.\w]/.test(text[at] ?? "")) at += 1;
  return at;
}

const keyText = (quoted: string): string =>
  quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
