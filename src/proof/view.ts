// A tree as the pure parts of the prover see it.

/** Paths have forward slashes and are sorted. */
export type View = {
  readonly paths: readonly string[];
  /** Null: no such file, a link, a binary file, or one that is too large to look at. */
  text(path: string): string | null;
};

/** Source and configuration files are far smaller; what is larger is data. */
export const viewBytesMax = 512 << 10;
