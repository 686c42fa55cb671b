// Rust files that only tests use: `#[cfg(test)] mod helpers;` makes helpers.rs one.
import { posix } from "node:path";
import { sourceOf, textAt } from "../lex/source.ts";
import { rustItems } from "./rust-items.ts";

/** Possible paths of such files, for each module that a source file declares only for tests. */
export function testModuleFiles(path: string, text: string): readonly string[] {
  const source = sourceOf(path, text);
  if (source?.language !== "rust") return [];
  const items = rustItems(source);
  return source.code.flatMap((token, index) => {
    const isDeclared = token.text === "mod" && textAt(source, index + 2) === ";";
    const isTest = items.some(({ from, to }) => from <= token.from && token.from < to);
    return isDeclared && isTest ? filesOf(path, textAt(source, index + 1)) : [];
  });
}

function filesOf(path: string, name: string): readonly string[] {
  const base = posix.basename(path, ".rs");
  const folder = /^(?:mod|lib|main)$/.test(base) ? posix.dirname(path) : posix.join(posix.dirname(path), base);
  return [posix.join(folder, `${name}.rs`), posix.join(folder, name, "mod.rs")];
}
