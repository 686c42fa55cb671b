// Where a source file holds tests: whole items, and examples in documentation that a runner executes.
import { type Source, sourceOf } from "../lex/source.ts";
import { pythonDocs } from "./python-docs.ts";
import type { Docs, Range } from "./range.ts";
import { rustDocs } from "./rust-docs.ts";
import { rustItems } from "./rust-items.ts";
import { vitestBlocks } from "./vitest-blocks.ts";

export type InnerTests = Docs & { readonly source: Source; readonly items: readonly Range[] };

/** Null: the language has no tests inside source files. */
export function innerTests(path: string, text: string): InnerTests | null {
  const source = sourceOf(path, text);
  if (source === null) return null;
  switch (source.language) {
    case "rust": {
      const items = rustItems(source);
      return { source, items, ...outside(items, rustDocs(source)) };
    }
    case "javascript":
      return { source, items: vitestBlocks(source), docs: [], places: new Map() };
    case "python":
      return { source, items: [], ...pythonDocs(source) };
    case "go":
    case "shell":
    case "c-like":
      return null;
  }
}

/** Documentation inside a test is part of the test. */
function outside(items: readonly Range[], { docs, places }: Docs): Docs {
  const inside = (at: number): boolean => items.some((item) => item.from <= at && at < item.to);
  return {
    docs: docs.filter((doc) => !inside(doc.from)),
    places: new Map([...places].filter(([, { at }]) => !inside(at))),
  };
}
