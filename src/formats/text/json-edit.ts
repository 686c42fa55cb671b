// Changes one place in a JSON text and leaves every other byte unchanged: settings files belong to their owner. The
// text must already be JSON of bounded depth (json-text.ts ensures that).

type Span = {
  readonly start: number;
  readonly end: number;
  /** Members or elements, in order; null for a scalar. A member's span starts at its key. */
  readonly parts: readonly (Span & { readonly key: string; readonly value: Span })[] | null;
};
export type Path = readonly (string | number)[];

/** Adds a value: under a new key of an object, or at the end of a list. The container must exist. */
export function appendAt(text: string, container: Path, key: string | null, value: unknown): string {
  const span = find(read(text, skip(text, 0)), container);
  if (span?.parts == null) throw new RangeError(`no container at ${container.join(".")}`);
  const unit = indentOf(text);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const last = span.parts.at(-1);
  const inner = unit.repeat(container.length + 1);
  const written = JSON.stringify(value, null, unit).replaceAll("\n", eol + inner);
  const item = key === null ? written : `${JSON.stringify(key)}: ${written}`;
  if (last !== undefined) return `${text.slice(0, last.end)},${eol}${inner}${item}${text.slice(last.end)}`;
  return `${text.slice(0, span.start + 1)}${eol}${inner}${item}${eol}${unit.repeat(container.length)}${text.slice(span.end - 1)}`;
}

/** Removes the value at the path, with its comma. */
export function removeAt(text: string, path: Path): string {
  const container = find(read(text, skip(text, 0)), path.slice(0, -1));
  const parts = container?.parts ?? null;
  const index = parts?.findIndex(({ key }) => key === String(path.at(-1))) ?? -1;
  const part = parts?.[index];
  if (container == null || parts === null || part === undefined) throw new RangeError(`nothing at ${path.join(".")}`);
  const before = parts[index - 1];
  const after = parts[index + 1];
  if (before !== undefined) return text.slice(0, before.end) + text.slice(part.end);
  if (after !== undefined) return text.slice(0, part.start) + text.slice(after.start);
  return text.slice(0, container.start + 1) + text.slice(container.end - 1);
}

function find(span: Span, path: Path): Span | null {
  let at: Span | null = span;
  for (const step of path) at = at?.parts?.find(({ key }) => key === String(step))?.value ?? null;
  return at;
}

function read(text: string, start: number): Span {
  const open = text[start];
  if (open !== "{" && open !== "[") return { start, end: endOfScalar(text, start), parts: null };
  const parts: (Span & { key: string; value: Span })[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== "}" && text[at] !== "]") {
    const keyEnd = open === "{" ? endOfScalar(text, at) : at;
    const key = open === "{" ? (JSON.parse(text.slice(at, keyEnd)) as string) : String(parts.length);
    const value = read(text, open === "{" ? skip(text, skip(text, keyEnd) + 1) : at);
    parts.push({ start: at, end: value.end, parts: null, key, value });
    at = skip(text, value.end);
    if (text[at] === ",") at = skip(text, at + 1);
  }
  return { start, end: at + 1, parts };
}

function endOfScalar(text: string, start: number): number {
  if (text[start] !== '"') {
    let at = start;
    while (at < text.length && /[-+.\w]/.test(text[at] ?? "")) at += 1;
    return at;
  }
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skip(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[\s\uFEFF]/.test(text[at] ?? "")) at += 1;
  return at;
}

/** The indentation of the first key on its own line. */
const indentOf = (text: string): string => /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
