// Imports by name in JavaScript and TypeScript, static and dynamic, and exports.
import { after, partsIn, type Source, type Span, textAt } from "../lex/source.ts";
import type { ImportedName, Offered } from "./names.ts";

type Module = { readonly module: string; readonly at: number };

export function importedByScript(source: Source): readonly ImportedName[] {
  const { code } = source;
  const found: ImportedName[] = [];
  const add = ({ module, at }: Module, names: readonly string[]): void =>
    void found.push(...names.map((name) => ({ module, name, line: code[at]?.line ?? 0 })));
  code.forEach(({ kind, text }, at) => {
    if (kind !== "word" || textAt(source, at - 1) === ".") return;
    if (text === "export" && textAt(source, at + 1) === "{") {
      const module = moduleAfter(source, after(source, at + 1));
      if (module !== null) add({ module, at }, listed(source, at + 1));
    }
    if (text === "import" || text === "require") {
      const isCall = textAt(source, at + 1) === "(";
      const module = isCall ? stringAt(source, at + 2) : text === "import" ? moduleOf(source, at) : null;
      if (module === null || (isCall && isOptional(source, at))) return;
      const { names, whole } = isCall ? boundBy(source, at) : boundIn(source, at);
      add({ module, at }, names);
      for (const use of whole === null ? [] : usesOf(source, whole)) add({ module, at: use.at }, [use.name]);
    }
  });
  return found.filter(({ name }) => name !== "default");
}

function stringAt(source: Source, at: number): string | null {
  const token = source.code[at];
  return token?.kind === "string" ? token.text.slice(1, -1) : null;
}

const moduleAfter = (source: Source, at: number): string | null =>
  textAt(source, at) === "from" ? stringAt(source, at + 1) : null;

/** From `import` to its module: a default, `* as all`, and a list. */
function moduleOf(source: Source, at: number): string | null {
  for (let next = at + 1; next < at + 12; next = after(source, next)) {
    const module = moduleAfter(source, next);
    if (module !== null) return module;
    if (!/^(?:[\w$]+|[*,{])$/.test(textAt(source, next))) return null;
  }
  return null;
}

type Bound = { readonly names: readonly string[]; readonly whole: string | null };
const nothing: Bound = { names: [], whole: null };

function boundIn(source: Source, at: number): Bound {
  if (isOfTypes(source, at)) return nothing;
  for (let next = at + 1; textAt(source, next) !== "from" && next < at + 12; next = after(source, next)) {
    if (textAt(source, next) === "{") return { names: listed(source, next), whole: null };
    if (textAt(source, next) === "*") return { names: [], whole: textAt(source, next + 2) };
  }
  return nothing;
}

/** `const { a } = await import("x")`, `require("x").a`, `import("x").then(({ a }) => a())`. */
function boundBy(source: Source, at: number): Bound {
  let [from, to] = [at, after(source, at + 1)];
  if (textAt(source, from - 1) === "await") from -= 1;
  while (textAt(source, from - 1) === "(" && textAt(source, to) === ")") [from, to] = [from - 1, to + 1];
  if (textAt(source, to) === ".") {
    const name = textAt(source, to + 1);
    if (name === "then" && textAt(source, to + 2) === "(") return boundAt(source, to + 3);
    return /^(?:then|catch|finally)$/.test(name) ? nothing : { names: [name], whole: null };
  }
  if (textAt(source, from - 1) !== "=") return nothing;
  const close = from - 2;
  if (textAt(source, close) === "}") return boundAt(source, source.partner[close] ?? -1);
  return /^(?:const|let|var)$/.test(textAt(source, close - 1)) ? { names: [], whole: textAt(source, close) } : nothing;
}

/** A pattern, or a name for all of it; in a callback, in brackets of its own. */
function boundAt(source: Source, at: number): Bound {
  const open = textAt(source, at) === "(" ? at + 1 : at;
  if (textAt(source, open) === "{") return { names: listed(source, open), whole: null };
  return source.code[open]?.kind === "word" && textAt(source, open) !== "async"
    ? { names: [], whole: textAt(source, open) }
    : nothing;
}

/** The names in a list or a pattern, as the module calls them; without types, and without those that have a default. */
const listed = (source: Source, open: number): readonly string[] =>
  partsIn(source, open).flatMap(({ from, to }) => {
    const isType = textAt(source, from) === "type" && to - from > 1 && textAt(source, from + 1) !== "as";
    const isFree = range({ from, to }).some((at) => textAt(source, at) === "=") || textAt(source, from) === "...";
    return isType || isFree ? [] : [unquoted(textAt(source, from))];
  });

const unquoted = (text: string): string => text.replace(/^["']|["']$/g, "");
const range = ({ from, to }: Span): number[] => Array.from({ length: to - from }, (_, index) => from + index);

/** Code that asks first whether it is there does not need it. */
const asks = /^(?:\?\.|\?\??|\|\||&&|[!=]==?|=|instanceof|in)$/;

const usesOf = (source: Source, whole: string): { readonly name: string; readonly at: number }[] =>
  source.code.flatMap(({ text }, at) => {
    const isUse = text === whole && textAt(source, at - 1) !== "." && textAt(source, at + 1) === ".";
    const isAsked = asks.test(textAt(source, at + 3)) || /^(?:typeof|!)$/.test(textAt(source, at - 1));
    return isUse && !isAsked ? [{ name: textAt(source, at + 2), at }] : [];
  });

function isOptional(source: Source, at: number): boolean {
  const end = after(source, at + 1);
  if (textAt(source, end) === "." && textAt(source, end + 1) === "catch") return true;
  for (let open = source.parent[at] ?? -1; open >= 0; open = source.parent[open] ?? -1)
    if (textAt(source, open) === "{" && textAt(source, open - 1) === "try") return true;
  return false;
}

/** What it cannot be loaded or run without: no types, and nothing that may fail. */
export function neededByScript(source: Source): readonly string[] {
  return source.code.flatMap(({ kind, text }, at) => {
    if (kind !== "word" || textAt(source, at - 1) === ".") return [];
    const isCall = textAt(source, at + 1) === "(";
    if (isCall && /^(?:import|require)$/.test(text))
      return isOptional(source, at) ? [] : (stringAt(source, at + 2) ?? []);
    if (isCall || !/^(?:import|export)$/.test(text) || isOfTypes(source, at)) return [];
    return stringAt(source, at + 1) ?? moduleOf(source, at) ?? [];
  });
}

/** `import type { A } from`, `import { type A } from`. */
function isOfTypes(source: Source, at: number): boolean {
  if (textAt(source, at + 1) === "type" && !/^(?:from|,)$/.test(textAt(source, at + 2))) return true;
  const parts = textAt(source, at + 1) === "{" ? partsIn(source, at + 1) : [];
  return parts.length > 0 && parts.every(({ from, to }) => textAt(source, from) === "type" && to - from > 1);
}

// ---- exports ----

const modifiers = /^(?:declare|async|abstract|function|class|interface|type|enum|namespace|module|const|let|var|\*)$/;

export function offeredByScript(source: Source): Offered {
  const names = new Set<string>();
  const all: string[] = [];
  let isOpen = false;
  source.code.forEach(({ kind, text }, at) => {
    if (kind !== "word" || (textAt(source, at - 1) === "." && textAt(source, at - 2) !== "module")) return;
    if (text === "export") {
      const found = exportedAt(source, at);
      for (const name of found.names) names.add(name);
      all.push(...found.all);
      isOpen ||= found.isOpen;
    }
    if (text === "exports") {
      const found = assignedAt(source, at);
      for (const name of found ?? []) names.add(name);
      isOpen ||= found === null;
    }
  });
  return { names, all, isOpen };
}

function exportedAt(source: Source, at: number): Offered {
  const offers = (names: readonly string[]): Offered => ({ names: new Set(names), all: [], isOpen: false });
  let next = at + 1;
  if (textAt(source, next) === "type" && /^[{*]$/.test(textAt(source, next + 1))) next += 1;
  const first = textAt(source, next);
  if (first === "default") return offers(["default"]);
  if (first === "{") return offers(partsIn(source, next).map(({ to }) => unquoted(textAt(source, to - 1))));
  if (first === "*") {
    if (textAt(source, next + 1) === "as") return offers([unquoted(textAt(source, next + 2))]);
    const module = moduleAfter(source, next + 1);
    return { names: new Set(), all: module === null ? [] : [module], isOpen: module === null };
  }
  if (!modifiers.test(first)) return { names: new Set(), all: [], isOpen: true };
  const isList = /^(?:const|let|var)$/.test(first) && textAt(source, next + 1) !== "enum";
  while (modifiers.test(textAt(source, next)) || textAt(source, next) === "enum") next += 1;
  return offers(isList ? declaredFrom(source, next) : [textAt(source, next)]);
}

/** `a = 1, b = 2`, `{ a, b: c } = all`. */
function declaredFrom(source: Source, from: number): readonly string[] {
  const names = new Set<string>();
  let isName = true;
  for (let at = from; at < source.code.length; at = after(source, at)) {
    const text = textAt(source, at);
    if (text === ";" || (!isName && /^(?:export|import|const|let|var|function|class)$/.test(text))) break;
    if (isName)
      for (const each of range({ from: at, to: after(source, at) }))
        if (source.code[each]?.kind === "word") names.add(textAt(source, each));
    isName = text === ",";
  }
  return [...names];
}

/** `exports.a = …`, `module.exports = { a }`. Null: whatever else is done with it. */
function assignedAt(source: Source, at: number): readonly string[] | null {
  if (textAt(source, at + 1) === ".") return [textAt(source, at + 2)];
  if (textAt(source, at + 1) !== "=" || textAt(source, at + 2) !== "{") return null;
  const parts = partsIn(source, at + 2);
  return parts.some(({ from }) => /^(?:\.\.\.|\[)$/.test(textAt(source, from)))
    ? null
    : parts.map(({ from, to }) =>
        unquoted(
          range({ from, to })
            .map((each) => textAt(source, each))
            .find((each) => !/^(?:async|get|\*)$/.test(each)) ?? "",
        ),
      );
}
