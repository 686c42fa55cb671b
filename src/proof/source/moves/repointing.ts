// The input of the functions that rewrite module paths.
import type { Source } from "../lex/source.ts";
import type { Move } from "./moves.ts";

/** The file, and the moves whose old path is now empty. */
export type Repointing = {
  readonly source: Source;
  readonly moved: readonly Move[];
  readonly exists: (path: string) => boolean;
};
