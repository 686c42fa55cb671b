// What a Python file imports: relative modules, and absolute ones from every folder that may be on Python's path.
import { folderOf, joined } from "../paths.ts";
import type { Tree } from "../tree.ts";

const statement =
  /^[ \t]*(?:from[ \t]+([\w.]{1,300})[ \t]+import[ \t]+(\([^()]{0,4000}\)|[^\n]{1,1000})|import[ \t]+([\w. \t,]{1,1000}))/gm;

type Import = { readonly module: string; readonly names: readonly string[] };

export function importsIn(text: string): readonly Import[] {
  return Array.from(text.matchAll(statement)).flatMap(([, from, names = "", plain = ""]) => {
    if (from === undefined)
      return plain.split(",").map((part) => ({ module: part.trim().split(/\s/)[0] ?? "", names: [] }));
    const bare = names.replace(/#[^\n]*/g, "").replace(/[()\\]/g, " ");
    return [{ module: from, names: bare.split(",").map((name) => name.trim().split(/\s/)[0] ?? "") }];
  });
}

export function pythonImports(path: string, text: string, tree: Tree): readonly string[] {
  return importsIn(text).flatMap(({ module, names }) => modulesNamed(path, module, names, tree));
}

/** The files of a module, and of those of its names that are modules themselves. */
export function modulesNamed(path: string, module: string, names: readonly string[], tree: Tree): readonly string[] {
  const places = module.startsWith(".") ? [relative(path, module)] : absolute(path, module, tree);
  return places.flatMap((place) => (place === null ? [] : modulesAt(place, names, tree)));
}

function relative(path: string, module: string): string | null {
  const dots = /^\.+/.exec(module)?.[0].length ?? 0;
  const above = joined(folderOf(path), Array.from({ length: dots - 1 }, () => "..").join("/") || ".");
  return above === null ? null : joined(above, module.slice(dots).replaceAll(".", "/") || ".");
}

/** Every root that has the first part of the name counts: next to the file, at the top, in `src` of a folder above. */
function absolute(path: string, module: string, tree: Tree): readonly string[] {
  const way = module.replaceAll(".", "/");
  const first = way.split("/")[0] ?? "";
  if (first === "") return [];
  return pythonRoots(folderOf(path), tree)
    .filter((root) => isModule(joined(root, first) ?? "", tree))
    .flatMap((root) => joined(root, way) ?? []);
}

const isModule = (place: string, tree: Tree): boolean =>
  tree.has(`${place}.py`) || tree.has(`${place}.pyi`) || tree.hasFolder(place);

/** Folders that may be on Python's path for a file: its own, all above, and the `src`, `lib` and `python` in them. */
function pythonRoots(folder: string, tree: Tree): readonly string[] {
  const above = [folder];
  for (let at = folder; at !== ""; at = folderOf(at)) above.push(folderOf(at));
  const inner = above.flatMap((at) => ["src", "lib", "python"].flatMap((name) => joined(at, name) ?? []));
  return [...above, ...inner.filter((at) => tree.hasFolder(at))];
}

/** `from a.b import c`: the module a.b, and a.b.c where that is a module. A package's own `__init__.py` runs too. */
function modulesAt(place: string, names: readonly string[], tree: Tree): readonly string[] {
  const inside = names.flatMap((name) => (/^\w+$/.test(name) ? [joined(place, name) ?? ""] : []));
  return [place, ...inside].flatMap((at) =>
    [`${at}.py`, `${at}.pyi`, at === "" ? "__init__.py" : `${at}/__init__.py`].filter((file) => tree.has(file)),
  );
}

/** Modules that a text names in quotes, as Django's settings name apps: `"billing"`, `"billing.apps.BillingConfig"`. */
export function namedModules(path: string, text: string, tree: Tree): readonly string[] {
  const names = Array.from(text.matchAll(/["']([a-z_]\w*(?:\.\w+){0,8})["']/g), (match) => match[1] ?? "");
  return [...new Set(names)].flatMap((name) => {
    const parts = name.split(".");
    const prefixes = parts.map((_, at) => parts.slice(0, at + 1).join("."));
    return prefixes.flatMap((module) => absolute(path, module, tree).flatMap((place) => modulesAt(place, [], tree)));
  });
}
