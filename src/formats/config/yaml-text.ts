// Turns YAML text into plain data, or a list of problems with their lines. Nothing in it can run, grow or hang.
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  Parser,
  visit,
} from "yaml";

export type Problem = { line: number | null; says: string };
export type YamlText =
  | { ok: true; value: unknown; lineOf(path: readonly PropertyKey[], key?: string): number | null }
  | { ok: false; problems: readonly Problem[] };

const bytesMax = 256 * 1024;
const depthMax = 20;
// Comparing keys for duplicates is quadratic, so their number is bounded too.
const tokensMax = 5000;
const aliasCountMax = 20;

export function parseYamlText(text: string): YamlText {
  if (text.length > bytesMax || Buffer.byteLength(text) > bytesMax) {
    return refused(null, `the file is larger than ${bytesMax / 1024} KB`);
  }
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const unfit = measure(tokens, lines);
  if (unfit !== null) return { ok: false, problems: [unfit] };
  return compose(tokens, text.length, lines);
}

const refused = (line: number | null, says: string): YamlText => ({ ok: false, problems: [{ line, says }] });

/**
 * The composer is recursive, and a deep document kills the whole process (a fatal error in the engine, not an
 * exception). The parser before it is not, so depth is measured on its result.
 */
function measure(tokens: readonly CST.Token[], lines: LineCounter): Problem | null {
  const todo: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  let count = 0;
  let aliases = 0;
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { token, depth } = next;
    const at = (says: string): Problem => ({ line: lineAt(lines, token), says });
    if (token.type === "directive") return at("directives (%) are not allowed");
    if (token.type === "alias") aliases += 1;
    if (aliases > aliasCountMax) return at(`it has more than ${aliasCountMax} aliases`);
    if (depth > depthMax) return at(`it is nested deeper than ${depthMax} levels`);
    for (const child of childrenOf(token)) {
      count += 1;
      if (count > tokensMax) return at("it has too many entries");
      todo.push({ token: child, depth: isNest(child) ? depth + 1 : depth });
    }
  }
  return null;
}

const isNest = (token: CST.Token): boolean => "items" in token;
const lineAt = (lines: LineCounter, token: CST.Token): number | null =>
  "offset" in token ? lines.linePos(token.offset).line : null;

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap((item) => [item.key, item.value].filter((child) => child !== undefined && child !== null));
}

function compose(tokens: readonly CST.Token[], length: number, lines: LineCounter): YamlText {
  const documents = [...new Composer({ uniqueKeys: true, strict: true }).compose(tokens, true, length)];
  const [document, second] = documents;
  if (document === undefined) return { ok: true, value: null, lineOf: () => null };
  if (second !== undefined) return refused(lines.linePos(second.range[0]).line, "it holds more than one document");
  const found = [...document.errors, ...document.warnings].map((error) => ({
    line: lines.linePos(error.pos[0]).line,
    says: firstLetterLower(error.message),
  }));
  const problems = [...found, ...oddities(document, lines)];
  if (problems.length > 0) return { ok: false, problems };
  try {
    const value: unknown = document.toJS({ maxAliasCount: aliasCountMax });
    return { ok: true, value, lineOf: (path, key) => lineOf(document, lines, path, key) };
  } catch (error) {
    return refused(null, firstLetterLower(error instanceof Error ? error.message : String(error)));
  }
}

/** Legal YAML that a configuration does not need, and that surprises people. */
function oddities(document: Document, lines: LineCounter): Problem[] {
  const problems: Problem[] = [];
  const open = new Set<unknown>();
  const say = (node: unknown, says: string): void => {
    const range = isNode(node) ? node.range : null;
    problems.push({ line: range ? lines.linePos(range[0]).line : null, says });
  };
  visit(document, {
    Pair: (_, { key }) => {
      if (!isScalar(key)) say(key, "a key must be a plain word");
      else if (key.value === "__proto__") say(key, "__proto__ is not allowed as a key");
    },
    Node: (_, node, path) => {
      if (!isAlias(node) && node.tag !== undefined) say(node, `tags are not allowed: ${node.tag.slice(0, 40)}`);
      if (isAlias(node)) {
        const target = node.resolve(document);
        for (const parent of path) if (isCollection(parent)) open.add(parent);
        if (target !== undefined && open.has(target)) say(node, "an alias must not stand inside what it names");
        open.clear();
      }
    },
  });
  return problems;
}

/** The line of a key in the mapping at `path`, or of the value there; otherwise of the nearest enclosing node. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[], key?: string): number | null {
  let node: unknown = document.contents;
  let line: number | null = null;
  const see = (seen: unknown): void => {
    if (isNode(seen) && seen.range) line = lines.linePos(seen.range[0]).line;
  };
  see(node);
  for (const part of key === undefined ? path : [...path, key]) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part));
      if (pair === undefined) return line;
      see(pair.key);
      node = pair.value;
    } else if (isCollection(node) && typeof part === "number") {
      node = node.items[part];
      see(node);
    } else return line;
  }
  return line;
}

const firstLetterLower = (text: string): string => {
  const line = text.split("\n")[0] ?? "";
  return line.slice(0, 1).toLowerCase() + line.slice(1, 300);
};
