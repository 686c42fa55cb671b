// A tree as the prover's pure code sees it.

/** Paths have forward slashes and are sorted. */
export type View = {
  readonly paths: readonly string[];
  /** Null: no such file, a link, a binary file, or one that is too large to read. */
  text(path: string): string | null;
};

/** Source and configuration files are far smaller; larger files are data. */
export const viewBytesMax = 512 << 10;
