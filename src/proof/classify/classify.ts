// Splits a tree into product and judge. The first rule that matches decides. Rules look only at the base, so that no
// candidate can change the class of a file of the base.
import type { View } from "../view.ts";
import { addedBy } from "./added.ts";
import { type Base, baseOf } from "./base.ts";
import type { Class, Classification, Settings } from "./kinds.ts";
import { documentReason } from "./names/documents.ts";
import { isInShow } from "./packages/packages.ts";
import { folderOf } from "./paths.ts";
import { type Product, productOf } from "./product.ts";
import { treeOf } from "./tree.ts";

export function classify(view: View, settings: Settings): Classification {
  const base = baseOf(treeOf(view), settings);
  const product = productOf(base);
  const classes = new Map(base.tree.paths.map((path) => [path, classOf(path, base, product)]));
  const of = (path: string): Class => classes.get(path) ?? unknown;
  return {
    of,
    roots: product.roots,
    caches: base.tree.paths.filter((path) => of(path).kind === "cache"),
    added: (candidate) => addedBy(treeOf(candidate), base, product, of),
  };
}

const plain = { either: false, isDocument: false, isTest: false } as const;
const unknown: Class = { ...plain, kind: "judge", rule: "rest", reason: "not a file of the base" };

function classOf(path: string, base: Base, product: Product): Class {
  const named = base.named(path);
  switch (named.is) {
    case "cache":
      return { ...plain, kind: "cache", rule: "cache", reason: named.reason };
    case "ours":
      return { ...plain, kind: "ours", rule: "ours", reason: named.reason };
    case "product":
      return { ...plain, kind: "product", rule: "settings", reason: named.reason };
    case "settings-test":
      return { ...plain, kind: "judge", rule: "settings", reason: named.reason, isTest: true };
    case "dependencies":
      return { ...plain, kind: "product", rule: "dependencies", reason: named.reason };
    case "manifest":
      return { ...plain, kind: "mixed", rule: "dependencies", reason: named.reason };
    case "configuration":
      if (product.files.has(path)) return used(path, product);
      return { ...plain, kind: "judge", rule: "configuration", reason: named.reason };
    case "test":
      if (product.files.has(path)) return used(path, product);
      return { ...plain, kind: "judge", rule: "test-name", reason: named.reason, isTest: true };
    case "unnamed":
      return byPlace(path, base, product);
  }
}

function byPlace(path: string, base: Base, product: Product): Class {
  const document = documentReason(path, base.packageOf(path).folder);
  if (document !== null && base.isReadByTests(path))
    return {
      ...plain,
      kind: "judge",
      rule: "document",
      reason: `${document}, which tests read`,
      isDocument: true,
      either: true,
    };
  if (document !== null) return { ...plain, kind: "product", rule: "document", reason: document, isDocument: true };
  if (product.helpers.has(path))
    return {
      ...plain,
      kind: "judge",
      rule: "test-helper",
      reason: "only tests use it, and it uses a test library or holds nothing but data",
      isTest: true,
    };
  if (product.files.has(path)) return used(path, product);
  const either = base.libraryUse(path) === "none";
  const reason = isInShow(folderOf(path)) ? "an example, which tests may run" : "not known to be product";
  return { ...plain, kind: "judge", rule: "rest", reason, either };
}

function used(path: string, product: Product): Class {
  const root = product.rootOf(path, false);
  const by = product.files.get(path) ?? null;
  if (by !== null || root === null)
    return { ...plain, kind: "product", rule: "reached", reason: `${by ?? "product"} imports it` };
  const place = root.holds === "everything" ? `in ${root.path === "" ? "the top folder" : `${root.path}/`}, ` : "";
  return { ...plain, kind: "product", rule: "product-root", reason: `${place}${root.reason}` };
}
