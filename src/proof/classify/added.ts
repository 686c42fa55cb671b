// Classifies files that a candidate adds: product only in a product place, or where product or the old tests use them.
import type { Base } from "./base.ts";
import type { Class, NewClass } from "./kinds.ts";
import { documentReason } from "./names/documents.ts";
import { newProduct } from "./new-product.ts";
import type { Product } from "./product.ts";
import { shadows } from "./shadowing.ts";
import type { Tree } from "./tree.ts";

/**
 * What the name of a new file says. likely: this class, unless product uses it. open: its place and its users decide.
 */
export type Standing = { readonly is: "settled" | "likely"; readonly class: NewClass } | { readonly is: "open" };

export function addedBy(
  candidate: Tree,
  base: Base,
  product: Product,
  of: (path: string) => Class,
): (path: string) => NewClass {
  const shadowed = shadows(base, of);
  const standing = (path: string): Standing => standingOf(path, base, shadowed);
  const found = newProduct({ candidate, base, product, of, standing });
  return (path) => {
    if (base.tree.has(path)) return known(of(path));
    const stands = standing(path);
    if (stands.is === "settled") return stands.class;
    const reason = found.get(path);
    if (reason === undefined)
      return stands.is === "likely" ? stands.class : { ...other("not in a place for product"), unplaced: true };
    return isNewTest(path, candidate, base, reason)
      ? settled("test", "a test, by the library that it uses")
      : settled("product", reason.text);
  };
}

/** Only tests are written with such a library, so a new file in a product folder is one, unless product imports it. */
function isNewTest(path: string, candidate: Tree, base: Base, reason: { readonly isUsed: boolean }): boolean {
  return !reason.isUsed && base.libraryUseOfNew(path, candidate.text(path)) === "runner";
}

const settled = (kind: NewClass["kind"], reason: string): NewClass => ({ kind, reason, isDocument: false });
const other = (reason: string): NewClass => settled("other", reason);

/** Names classify new files as they do old ones; new settings of any kind are never product. */
function standingOf(path: string, base: Base, shadowed: (path: string) => string | null): Standing {
  const name = base.names(path);
  switch (name.is) {
    case "cache":
    case "ours":
    case "product":
      return { is: "settled", class: settled(name.is, name.reason) };
    case "settings-test":
      return { is: "settled", class: settled("test", name.reason) };
    case "dependencies":
      return { is: "settled", class: settled("product", name.reason) };
    case "manifest":
      return { is: "settled", class: other("a new manifest") };
    case "configuration":
      return { is: name.how === "likely" ? "likely" : "settled", class: other(name.reason) };
    case "test":
      return { is: name.how === "likely" ? "likely" : "settled", class: settled("test", name.reason) };
    case "unnamed":
      return withoutName(path, base, shadowed);
  }
}

function withoutName(path: string, base: Base, shadowed: (path: string) => string | null): Standing {
  const document = documentReason(path, base.packageOf(path).folder);
  if (document !== null) return { is: "settled", class: { kind: "product", reason: document, isDocument: true } };
  const shadow = shadowed(path);
  return shadow === null ? { is: "open" } : { is: "settled", class: other(shadow) };
}

/** A file of the base keeps its kind. */
function known({ kind, reason, isDocument, isTest }: Class): NewClass {
  if (kind === "judge" || kind === "mixed") return { kind: isTest ? "test" : "other", reason, isDocument };
  return { kind, reason, isDocument };
}
