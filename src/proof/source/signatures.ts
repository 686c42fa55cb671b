// What callers may write before `=` in a call: the parameters of Python's functions and methods.
import { pythonBlocks } from "./bodies/python-blocks.ts";
import { after, partsIn, type Source, sourceOf, textAt } from "./lex/source.ts";

export type Signature = {
  readonly parameters: ReadonlySet<string>;
  /** It has `**options`: any name is taken. */
  readonly takesAny: boolean;
};

/** Public functions and methods, by name: `parse`, `Cart.add`. Decorators that change how they are called leave one out. */
export function signatures(path: string, text: string): ReadonlyMap<string, Signature> {
  const source = sourceOf(path, text);
  if (source?.language !== "python") return new Map();
  const blocks = pythonBlocks(source);
  const classes = new Set(blocks.filter(({ kind }) => kind === "class").map(({ owner }) => owner));
  const found = new Map<string, Signature>();
  for (const { kind, name, owner, start, line } of blocks) {
    const of = owner.split(".").slice(0, -1).join(".");
    const at = source.code.findIndex((token, index) => token.line === line && textAt(source, index - 1) === "def");
    if (kind !== "def" || (of !== "" && !classes.has(of)) || !isPublic(owner, name) || at < 0) continue;
    const head = text.slice(start, source.code[at]?.from);
    if (Array.from(head.matchAll(/@([\w.]+)/g)).some(([, by = ""]) => !transparent.test(by))) continue;
    const { parameters, takesAny } = signatureAt(source, at + 1);
    const known = found.get(owner);
    found.set(owner, {
      parameters: new Set([...(known?.parameters ?? []), ...parameters]),
      takesAny: takesAny || known?.takesAny === true,
    });
  }
  return found;
}

const transparent =
  /^(?:staticmethod|classmethod|(?:abc\.)?abstractmethod|(?:typing\.)?(?:override|overload|final)|(?:functools\.)?(?:lru_cache|cache|wraps)|(?:contextlib\.)?(?:async)?contextmanager)$/;

const isPublic = (owner: string, name: string): boolean =>
  owner.split(".").every((part) => !part.startsWith("_") || (part === name && name === "__init__"));

function signatureAt(source: Source, at: number): Signature {
  const open = textAt(source, at) === "[" ? after(source, at) : at;
  let names: string[] = [];
  let takesAny = false;
  for (const { from } of partsIn(source, open)) {
    const first = textAt(source, from);
    // What comes before can be given by its place only.
    if (first === "/") names = [];
    else if (first === "**") takesAny = true;
    else if (/^[A-Za-z]\w*$/.test(first) && first !== "self" && first !== "cls") names.push(first);
  }
  return { parameters: new Set(names), takesAny };
}
