// How a drill speaks a project's language: what to write, to break, to weaken and to skip in it.

/** A test, and a source file that it imports: by these a cheat can be made that matters. */
export type Pair = {
  readonly test: string;
  readonly testText: string;
  readonly source: string;
  readonly sourceText: string;
  /** How the test names the source, and how it would name a neighbour of it. */
  readonly importText: string;
  readonly neighbour: string;
};

export type Written = { readonly path: string; readonly text: string };

/** Everything that the cast needs of a project. */
export type Props = {
  readonly language: string;
  readonly pair: Pair;
  /** The feature, as an honest agent would add it. */
  readonly source: Written;
  readonly test: Written;
  /** The feature, right only while somebody looks. */
  readonly specialCased: string;
  /** The source, so that whoever loads it fails. */
  readonly broken: string;
  /** The source, so that whoever loads it ends at once and says that all is well. */
  readonly exiting: string;
  /** The test, green whatever the source does. */
  readonly weakened: string;
  /** The test with every case skipped; null: this kind of test knows no such thing. */
  readonly skipped: string | null;
  /** A line that means nothing. */
  readonly comment: string;
};

export interface Dialect {
  readonly language: string;
  isCode(path: string): boolean;
  /** The source file that this test imports, if it is one of `files`. */
  pairOf(test: Written, files: ReadonlySet<string>, read: (path: string) => string): Pair | null;
  props(pair: Pair): Props;
}
