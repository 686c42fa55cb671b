// Operations on the product: the feature, correct and wrong, and anything that can happen to source files.
import type { Edit } from "../../cases/case.ts";
import type { Snippet } from "../../cases/kits/kit.ts";
import { alterText } from "../alter.ts";
import { type Draft, isProduct, lay, moveFile, type Operation, productPaths } from "../draft.ts";

/** The kit's product with the feature; old files that the feature does not need stay as they are now. */
export function featureEdit({ base }: Pick<Draft, "base">, snippet: Snippet): Edit {
  const made = base.ground.product({ ...base.modules, shipping: [snippet] });
  return Object.fromEntries(Object.entries(made).filter(([path, text]) => text !== base.project[path]));
}

export const build: Operation = {
  name: "build the feature",
  weight: 4,
  quiet: true,
  apply(draft) {
    lay(draft, featureEdit(draft, "shipping"));
    return "shipping, as asked";
  },
};

const buildWrongly: Operation = {
  name: "build something else",
  weight: 4,
  quiet: false,
  apply(draft) {
    const snippet = draft.choose.one<Snippet>("shipping-stub", "shipping-constant", "shipping-wrong");
    lay(draft, featureEdit(draft, snippet));
    return snippet;
  },
};

const alter: Operation = {
  name: "alter product",
  weight: 12,
  quiet: false,
  apply(draft) {
    const path = draft.choose.pick(productPaths(draft));
    const altered = path === undefined ? null : alterText(draft.files.get(path) ?? "", draft.choose);
    if (path === undefined || altered === null) return null;
    draft.files.set(path, altered.text);
    return `${path}: ${altered.what}`;
  },
};

const refactor: Operation = {
  name: "write total differently",
  weight: 4,
  quiet: true,
  apply(draft) {
    const path = draft.base.kit.source("price");
    const { [path]: text } = draft.base.ground.product({ ...draft.base.modules, price: ["total-refactored"] });
    if (typeof text !== "string" || draft.files.get(path) !== draft.base.project[path]) return null;
    draft.files.set(path, text);
    return path;
  },
};

const comment: Operation = {
  name: "comment product",
  weight: 4,
  quiet: true,
  apply(draft) {
    const { choose, base, files } = draft;
    const path = choose.pick(productPaths(draft).filter((each) => /\.(?:js|py|sh|go)$/.test(each)));
    if (path === undefined) return null;
    files.set(path, `${files.get(path)}${base.kit.comment(choose.one("Prices are in cents.", "See the readme."))}`);
    return path;
  },
};

/** How a test refers to a module: only this text changes when it moves. */
export function reference(path: string): string {
  return path.endsWith(".py") ? path.replace(/\.py$/, "").replaceAll("/", ".") : path;
}

const move: Operation = {
  name: "move a module with its imports",
  weight: 4,
  quiet: true,
  apply(draft) {
    const { choose, base, files, moves } = draft;
    if (["go", "rust"].includes(base.kit.stack)) return null;
    // The package's own names, so that a moved file can be found by its old path.
    const path = choose.pick(
      productPaths(draft).filter((each) => each.split("/").length === 2 && /\w+\.\w+$/.test(each)),
    );
    if (path === undefined || path.includes("__init__") || !(path in featureOrBase(draft))) return null;
    const to = choose.one(path.replace("/", "/orders/"), path.replace(/(\w+)(\.\w+)$/, "$1_rules$2"));
    const text = files.get(path) ?? "";
    // A module that reads a file relative to itself would read a different one after a move.
    if (/import\.meta|__file__|from "\.|\.\//.test(text) || !moveFile(draft, path, to)) return null;
    moves.set(path, to);
    for (const [other, words] of files) files.set(other, words.replaceAll(reference(path), reference(to)));
    return `${path} → ${to}`;
  },
};
const featureOrBase = (draft: Draft): Edit => ({ ...draft.base.project, ...featureEdit(draft, "shipping") });

const rename: Operation = {
  name: "rename a product file",
  weight: 2,
  quiet: false,
  apply(draft) {
    const path = draft.choose.pick(productPaths(draft));
    const to = path?.replace(/(\w+)(\.\w+)$/, draft.choose.one("$1-2$2", "old/$1$2", "$1$2.bak"));
    if (path === undefined || to === undefined || !moveFile(draft, path, to)) return null;
    return `${path} → ${to}`;
  },
};

const remove: Operation = {
  name: "delete a product file",
  weight: 2,
  quiet: false,
  apply(draft) {
    const path = draft.choose.pick(productPaths(draft));
    if (path === undefined) return null;
    draft.files.delete(path);
    return path;
  },
};

const duplicate: Operation = {
  name: "duplicate a file",
  weight: 2,
  quiet: false,
  apply(draft) {
    const { choose, files, testFiles, base } = draft;
    const path = choose.pick([...files.keys()]);
    const to = path?.replace(/(\w+)(\.[\w.]+)$/, choose.one("$1_copy$2", "copies/$1$2", "$1_copy.txt"));
    if (path === undefined || to === undefined || files.has(to)) return null;
    files.set(to, files.get(path) ?? "");
    if (!isProduct(draft, path) && base.isProduct(to)) testFiles.add(to);
    return `${path} as ${to}`;
  },
};

const anyFile: Operation = {
  name: "add a file",
  weight: 4,
  quiet: true,
  apply({ choose, files, base }) {
    const folder = choose.one("", "docs/", "notes/", "assets/", `${base.kit.source("x").split("/x")[0]}/data/`);
    const path = `${folder}${choose.one("notes", "prices", "list")}-${choose.below(100)}${choose.one(".md", ".txt", ".json", ".csv")}`;
    if (base.kit.stack === "go" && folder.startsWith("x")) return null;
    files.set(path, choose.one("{}\n", "[1, 2, 3]\n", "Prices are in cents.\n", ""));
    return path;
  },
};

const readme: Operation = {
  name: "write in the readme",
  weight: 4,
  quiet: true,
  apply({ files }) {
    files.set("README.md", `${files.get("README.md") ?? ""}\nShipping is 400 plus 150 for each kilogram.\n`);
    return "README.md";
  },
};

export const productOperations: readonly Operation[] = [
  build,
  buildWrongly,
  alter,
  refactor,
  comment,
  move,
  rename,
  remove,
  duplicate,
  anyFile,
  readme,
];
