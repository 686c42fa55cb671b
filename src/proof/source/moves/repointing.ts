// What the rewriters of module paths work with.
import type { Source } from "../lex/source.ts";
import type { Move } from "./moves.ts";

/** The file, and the moves whose old place is empty now. */
export type Repointing = {
  readonly source: Source;
  readonly moved: readonly Move[];
  readonly exists: (path: string) => boolean;
};
