// A language of the drill: what to write, break, weaken and skip in it.

/** A test, and a source file that it imports: the basis for a meaningful cheat. */
export type Pair = {
  readonly test: string;
  readonly testText: string;
  readonly source: string;
  readonly sourceText: string;
  /** How the test imports the source, and how it would import a neighbor of it. */
  readonly importText: string;
  readonly neighbour: string;
};

export type Written = { readonly path: string; readonly text: string };

/** Everything that the cast needs from a project. */
export type Props = {
  readonly language: string;
  readonly pair: Pair;
  /** The feature, as an honest agent would add it. */
  readonly source: Written;
  readonly test: Written;
  /** The feature, correct only when it detects CI. */
  readonly specialCased: string;
  /** The source, changed so that loading it fails. */
  readonly broken: string;
  /** The source, changed so that loading it exits at once with success. */
  readonly exiting: string;
  /** The test, changed to pass whatever the source does. */
  readonly weakened: string;
  /** The test with every case skipped; null: this kind of test cannot be skipped. */
  readonly skipped: string | null;
  /** A line without meaning. */
  readonly comment: string;
};

export interface Dialect {
  readonly language: string;
  isCode(path: string): boolean;
  /** The source file that this test imports, if it is one of `files`. */
  pairOf(test: Written, files: ReadonlySet<string>, read: (path: string) => string): Pair | null;
  props(pair: Pair): Props;
}
