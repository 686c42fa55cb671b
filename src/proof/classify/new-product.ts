// Which of the files that a candidate adds are product.
import type { Standing } from "./added.ts";
import { type Base, baseOf } from "./base.ts";
import { importsOf } from "./imports/index.ts";
import { namedModules } from "./imports/python.ts";
import type { Class, ProductRoot } from "./kinds.ts";
import { isPython } from "./names/code.ts";
import { isShowFolder, isToolFolder } from "./names/folders.ts";
import { isTestFolder, testName } from "./names/tests.ts";
import { newPlace, packageFolder } from "./packages/new-places.ts";
import { isBelow, joined, nameOf, seenFrom } from "./paths.ts";
import { type Product, productOf } from "./product.ts";
import { type Tree, treeOf } from "./tree.ts";

/** isUsed: product or the old tests import it, so it is not itself a test. */
export type Reason = { readonly text: string; readonly isUsed: boolean };

type Question = {
  readonly candidate: Tree;
  readonly base: Base;
  readonly product: Product;
  of(path: string): Class;
  standing(path: string): Standing;
};

/**
 * New files under a root, new files that the tests of the base import, and what product imports from there on. The
 * texts are the candidate's, but the candidate does not decide which files of the base are product.
 */
export function newProduct(asked: Question): ReadonlyMap<string, Reason> {
  const { candidate, base } = asked;
  const added = candidate.paths.filter((path) => !base.tree.has(path));
  const found = new Map<string, Reason>([...placed(added, asked), ...wanted(added, asked), ...begun(added, asked)]);
  const old = candidate.paths.filter((path) => base.tree.has(path) && asked.of(path).kind === "product");
  const queue = new Set([...old, ...found.keys()]);
  for (const path of queue)
    for (const to of usedBy(path, asked)) {
      const joins = !base.tree.has(to) && mayJoin(to, asked);
      if (joins) found.set(to, { text: found.get(to)?.text ?? `${path} imports it`, isUsed: true });
      if (!joins || queue.has(to)) continue;
      for (const each of [to, ...sameFolder(to, added, asked)]) {
        if (!found.has(each)) found.set(each, { text: "in a new Python package that product imports", isUsed: false });
        queue.add(each);
      }
    }
  return found;
}

function placed(
  added: readonly string[],
  { base, product, standing }: Question,
): readonly (readonly [string, Reason])[] {
  return added.flatMap((path) => {
    if (standing(path).is !== "open") return [];
    const root = product.rootOf(path, true);
    const text = root === null ? newPlace(path, base) : rootReason(root);
    return text === null ? [] : [[path, { text, isUsed: false }] as const];
  });
}

const rootReason = (root: ProductRoot): string =>
  root.holds === "everything" ? `in ${root.path}/, ${root.reason}` : root.reason;

/** Tests that existed before the code: their texts are the base's. */
function wanted(
  added: readonly string[],
  { candidate, base, standing }: Question,
): readonly (readonly [string, Reason])[] {
  const open = new Set(added.filter((path) => standing(path).is === "open" && base.isCode(path)));
  if (open.size === 0) return [];
  const paths = [...new Set([...base.tree.paths, ...added])].sort();
  const both = treeOf({ paths, text: (path) => (base.tree.has(path) ? base.tree : candidate).text(path) });
  const tests = base.tree.paths.filter((path) => base.isTest(path));
  const imported = tests.flatMap((test) => importsOf(test, both)).filter((path) => open.has(path));
  return imported.map((path) => [path, { text: "tests of the base import it", isUsed: true }] as const);
}

/** In a package that has no product yet, the candidate shows where it will be. */
function begun(
  added: readonly string[],
  { candidate, base, product, standing }: Question,
): readonly (readonly [string, Reason])[] {
  const begun = new Set(
    [...product.files.keys()].filter((path) => base.isCode(path)).map((path) => base.packageOf(path).folder),
  );
  const open = added.filter((path) => standing(path).is === "open" && !begun.has(base.packageOf(path).folder));
  if (open.length === 0) return [];
  const own = productOf(baseOf(candidate, base.settings));
  return open
    .filter((path) => own.files.has(path))
    .map((path) => [path, { text: "the package's first code", isUsed: false }]);
}

/** Imports, and modules that Python product names in strings: an app in Django's settings, a route's module. */
function usedBy(path: string, { candidate }: Question): readonly string[] {
  const imports = importsOf(path, candidate);
  return isPython(path) ? [...imports, ...namedModules(path, candidate.text(path) ?? "", candidate)] : imports;
}

/**
 * A folder's name does not rule out a new file that product uses in a product folder. The file's own name does, because
 * runners find tests by it.
 */
function mayJoin(to: string, { candidate, base, product, standing }: Question): boolean {
  const stands = standing(to);
  if (stands.is !== "likely") return stands.is === "open";
  const isPlaced = product.rootOf(to, true) !== null && testName(nameOf(to)) === null;
  return isPlaced && base.libraryUseOfNew(to, candidate.text(to)) === "none";
}

/** In Python a whole folder is one program, even a new one. */
function sameFolder(path: string, added: readonly string[], { base, standing }: Question): readonly string[] {
  const folder = packageFolder(path, base);
  const [top = "", ...rest] = seenFrom(folder, path).split("/");
  const place = joined(folder, top);
  if (!isPython(path) || rest.length === 0 || place === null || base.tree.hasFolder(place)) return [];
  if (isTestFolder(top) || isToolFolder(top) || isShowFolder(top)) return [];
  return added.filter((each) => isBelow(place, each) && standing(each).is === "open");
}
