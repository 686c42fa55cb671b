// A judge file whose product moved: only the module's path is rewritten.
import { type Edit, edited } from "../edit.ts";
import { sourceOf } from "../lex/source.ts";
import { includes, packageImports } from "./c-like-imports.ts";
import { goImports } from "./go-imports.ts";
import { javascriptSpecifiers } from "./javascript-specifiers.ts";
import type { Move } from "./moves.ts";
import { plainPaths } from "./plain-paths.ts";
import { pythonModules } from "./python-modules.ts";
import type { Repointing } from "./repointing.ts";
import { rustPaths } from "./rust-paths.ts";

export function repointed(
  path: string,
  text: string,
  moved: readonly Move[],
  exists: (path: string) => boolean,
): string {
  const source = sourceOf(path, text);
  const gone = moved.filter((move) => !exists(move.from));
  if (source === null || gone.length === 0) return text;
  const order = { source, moved: gone, exists };
  const edits = modulesIn(order);
  const taken = (path: Edit): boolean => edits.some((edit) => edit.from < path.to && path.from < edit.to);
  const paths = plainPaths(order).filter((edit) => !taken(edit));
  return edited(text, [...edits, ...paths]);
}

function modulesIn(order: Repointing): readonly Edit[] {
  switch (order.source.language) {
    case "javascript":
      return javascriptSpecifiers(order);
    case "python":
      return pythonModules(order);
    case "rust":
      return rustPaths(order);
    case "go":
      return goImports(order);
    case "c-like":
      return [...includes(order), ...packageImports(order)];
    case "shell":
      return [];
  }
}
