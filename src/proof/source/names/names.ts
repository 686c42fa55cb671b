// What a file imports from other modules by name, and which names a module offers to others: found without running it.
import { type Source, sourceOf } from "../lex/source.ts";
import { importedByScript, neededByScript, offeredByScript } from "./javascript.ts";
import { importedByPython, offeredByPython } from "./python.ts";

export type ImportedName = {
  /** As written: `./cart.js`, `ledger.money`. */
  readonly module: string;
  readonly name: string;
  readonly line: number;
};

export type Offered = {
  readonly names: ReadonlySet<string>;
  /** Modules whose names it passes on. */
  readonly all: readonly string[];
  /** It may offer more than its text shows. */
  readonly isOpen: boolean;
};

/** Without imports that may fail: in a `try`, or of types only. */
export function importedNames(path: string, text: string): readonly ImportedName[] {
  const source = sourceOf(path, text);
  return source === null ? [] : (of(source)?.imported(source) ?? []);
}

/** The modules that a script cannot run without. */
export function neededModules(path: string, text: string): readonly string[] {
  const source = sourceOf(path, text);
  return source?.language === "javascript" ? neededByScript(source) : [];
}

/** Null: of this language it is not known. */
export function offeredNames(path: string, text: string): Offered | null {
  const source = sourceOf(path, text);
  return source === null ? null : (of(source)?.offered(source) ?? null);
}

function of({ language }: Source) {
  if (language === "javascript") return { imported: importedByScript, offered: offeredByScript };
  return language === "python" ? { imported: importedByPython, offered: offeredByPython } : null;
}
