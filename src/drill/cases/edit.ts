// Edits, combined: what a tree is after one.
import type { Edit } from "./case.ts";

/** Later edits win. A deleted path stays in the result as null, so that the result is an edit as well. */
export const over = (...edits: readonly Edit[]): Edit => Object.assign({}, ...edits) as Edit;

/** Deletes these paths. */
export const without = (...paths: readonly string[]): Edit => Object.fromEntries(paths.map((path) => [path, null]));

/** The text of one file of an edit with a piece of it replaced; the piece has to be there. */
export function replaced(edit: Edit, path: string, piece: string, by: string): Edit {
  const text = edit[path];
  if (typeof text !== "string" || !text.includes(piece)) throw new Error(`${path} does not contain ${piece}`);
  return { [path]: text.replace(piece, () => by) };
}

/** A text of these lines. */
export const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;
