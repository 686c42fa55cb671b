// The role of a file in a proof: product, which a feature may change, or judge, which decides whether it passes.
import type { View } from "../view.ts";

export type Settings = {
  /** Globs of `proof.product` in loop.yaml. */
  readonly product: readonly string[];
  /** Globs of `checks[].tests`: judge. */
  readonly tests: readonly string[];
  /** The loop's own files: loop.yaml, the queue, records. */
  ours(path: string): boolean;
};

/** mixed: a manifest, whose dependency tables are product and whose other content is judge. */
export type Kind = "product" | "judge" | "mixed" | "cache" | "ours";

/** The rule that decided. Rules are tried in this order. */
export type RuleName =
  | "cache"
  | "ours"
  | "settings"
  | "dependencies"
  | "configuration"
  | "test-name"
  | "document"
  | "test-helper"
  | "product-root"
  | "reached"
  | "rest";

export type Class = {
  readonly kind: Kind;
  readonly rule: RuleName;
  /** For a person: "a test, by its name", "in src/, a product folder". */
  readonly reason: string;
  /** Judge, but it could be product as well: run U takes it from the candidate. */
  readonly either: boolean;
  readonly isDocument: boolean;
  readonly isTest: boolean;
};

export type NewKind = "product" | "test" | "other" | "cache" | "ours";
export type NewClass = {
  readonly kind: NewKind;
  readonly reason: string;
  readonly isDocument: boolean;
  /** No rule knows its name or its place: its users may decide. */
  readonly unplaced?: true;
};

/**
 * A place for product.
 * everything: the folder and all below it. file: that file. go: Go code anywhere below the folder, and data in the same
 * folders. new-code: code that the candidate adds directly in the folder; files of the base there have their own class.
 */
export type ProductRoot = {
  readonly path: string;
  readonly holds: "everything" | "file" | "go" | "new-code";
  /** The folder of the package that it belongs to; "" is the top. */
  readonly package: string;
  /** "a product folder that package.json names" */
  readonly reason: string;
};

export type Classification = {
  /** Files of the base. It does not depend on any candidate. */
  of(path: string): Class;
  readonly roots: readonly ProductRoot[];
  /** Tracked files in caches and folders of installed packages. Rooms leave them out, and a person should know. */
  readonly caches: readonly string[];
  /** Files that the candidate adds. */
  added(candidate: View): (path: string) => NewClass;
};
