// A kit writes the same small till (prices, receipts, shipping) in the language of one stack.
import type { Edit, Package, Stack, Truth } from "../case.ts";

/** One function of the product; without a name it is a statement that runs when the module is loaded. */
export type FunctionText = { readonly name: string | null; readonly text: string };

/** Module name → what is in it. A name with a slash lies in a folder. */
export type Modules = Readonly<Record<string, readonly FunctionText[]>>;

export type Argument = number | readonly number[];
export type Call = { readonly of: string; readonly args: readonly Argument[]; readonly is: number | string };
export type Import = { readonly module: string; readonly names: readonly string[] };

export const testStyles = [
  "plain",
  "skipped",
  "todo",
  /** The only one of its file that runs. */
  "only",
  /** The title, and nothing in it. */
  "emptied",
  /** The assertions are there and what they throw is caught. */
  "swallowed",
  /** It returns before it asserts. */
  "returned",
  /** It asserts that something came back. */
  "loose",
  /** It compares a call with the same call. */
  "self",
  /** It asserts that 1 is 1. */
  "trivial",
  /** The assertions are in a function that nothing calls. */
  "uncalled",
  /** The assertions are in a loop over an empty list. */
  "empty-loop",
  /** Every line is a comment. */
  "commented",
  /** The runner does not take it for a test. */
  "unnamed",
] as const;
export type TestStyle = (typeof testStyles)[number];

/** The styles of a stack in which these cannot be written. */
export const stylesBut = (...missing: readonly TestStyle[]): readonly TestStyle[] =>
  testStyles.filter((style) => !missing.includes(style));

export type TestText = { readonly title: string; readonly calls: readonly Call[]; readonly style?: TestStyle };
export type TestFile = {
  readonly path: string;
  readonly imports: readonly Import[];
  /** Assert with this helper file's `same` instead of the assertion library. */
  readonly helper?: string;
  /** Code before the tests. */
  readonly head?: string;
  readonly tests: readonly TestText[];
};

/** What the modules are made of. `total` and `receipt` are old; `shipping` is the feature of most cases. */
export type Snippet =
  | "total"
  | "total-broken"
  | "total-refactored"
  | "total-truncating"
  | "total-minimum"
  | "total-discounted"
  | "sum"
  | "receipt"
  | "receipt-broken"
  | "receipt-titled"
  | "legacy"
  | "shipping"
  | "shipping-stub"
  | "shipping-constant"
  | "shipping-wrong"
  | "refund"
  | "exits";

export interface Kit {
  readonly stack: Stack;
  readonly run: string;
  readonly needs: readonly Package[];
  /** The command for one test file alone. */
  runOnly(file: TestFile): string;
  /** Manifest, ignore file, runner settings: what every project of the stack has. */
  readonly frame: Edit;
  readonly styles: readonly TestStyle[];
  readonly code: Readonly<Record<Snippet, FunctionText>>;
  comment(text: string): string;
  /** Where a module is. */
  source(module: string): string;
  /** Where a test file is, in the usual folder or in another one that the runner finds too. */
  test(name: string, folder?: string): string;
  sources(modules: Modules): Edit;
  tests(file: TestFile): Edit;
  /** A helper with the function `same`; emptied, it compares nothing. */
  helper(path: string, how: "whole" | "emptied"): string;
  /** Where helpers lie in projects of this stack. */
  readonly helpers: readonly { readonly path: string; readonly where: string }[];
  /** A test file that compares `receipt` of 250 and 100 with the text in a file. */
  golden(path: string, expected: string): Edit;
  /** Calls the product without any test runner. */
  probe(imports: readonly Import[], calls: readonly Call[]): Truth;
}

export const snake = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, "_");
export const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);
