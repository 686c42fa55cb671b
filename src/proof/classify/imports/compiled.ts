// The files that Rust, Go and C files are compiled together with.
import { scanToml, tomlStrings, tomlValue } from "../manifests/toml.ts";
import { isGo } from "../names/code.ts";
import { folderOf, isBelow, joined, nameOf, seenFrom, stemOf, withoutExtension } from "../paths.ts";
import { filesNamed, type Tree } from "../tree.ts";

const declared =
  /((?:#\[[^\]\n]{0,200}\]\s*){0,10})(?:pub(?:\([^)\n]{0,60}\))?\s+)?mod\s+(\w+)\s*;|\binclude(?:_str|_bytes)?!\(\s*"([^"\n]{1,300})"/g;

/** Modules of the file, and crates of the same repository that it uses. */
export function rustImports(path: string, text: string, tree: Tree): readonly string[] {
  const crates = cratesOf(tree);
  const used = new Set(Array.from(text.matchAll(/\b([a-z]\w{0,60})::/g), (match) => match[1] ?? ""));
  return [...rustModules(path, text, tree), ...[...used].flatMap((name) => crates.get(name) ?? [])];
}

/** Modules under `cfg(test)` are left out: tests need them, not the product. */
function rustModules(path: string, text: string, tree: Tree): readonly string[] {
  const here = folderOf(path);
  const inner = /^(?:mod|lib|main)$/.test(stemOf(path)) ? here : withoutExtension(path);
  return Array.from(text.matchAll(declared)).flatMap(([, attributes = "", module = "", data = ""]) => {
    if (/cfg\(\s*(?:all\(\s*)?test\b/.test(attributes)) return [];
    const named = /path\s*=\s*"([^"]+)"/.exec(attributes)?.[1];
    const places = data !== "" ? [data] : named !== undefined ? [named] : [];
    const usual = module === "" || named !== undefined ? [] : [`${inner}/${module}.rs`, `${inner}/${module}/mod.rs`];
    const top = inner === "" ? usual.map((place) => place.slice(1)) : usual;
    return [...places.flatMap((place) => joined(here, place) ?? []), ...top].filter((file) => tree.has(file));
  });
}

/** Files that are compiled only for tests, according to the module that declares them. */
export function rustTestModules(path: string, text: string, tree: Tree): readonly string[] {
  const unmarked = text.replace(/#\[cfg\(\s*(?:all\(\s*)?test\b[^\]\n]*\]/g, "#[marked]");
  const all = new Set(rustModules(path, unmarked, tree));
  for (const kept of rustModules(path, text, tree)) all.delete(kept);
  return [...all];
}

const keptCrates = new WeakMap<Tree, ReadonlyMap<string, string>>();

/** Maps the name that code uses for a crate to the first file of its library. */
function cratesOf(tree: Tree): ReadonlyMap<string, string> {
  const known = keptCrates.get(tree);
  if (known !== undefined) return known;
  const manifests = tree.paths.filter((path) => nameOf(path) === "Cargo.toml");
  const crates = manifests.flatMap((path) => {
    const sections = scanToml(tree.text(path) ?? "");
    const named = tomlValue(sections, ["lib", "name"]) ?? tomlValue(sections, ["package", "name"]);
    const [name = ""] = tomlStrings(named);
    const [place = "src/lib.rs"] = tomlStrings(tomlValue(sections, ["lib", "path"]));
    const file = joined(folderOf(path), place);
    return name !== "" && file !== null && tree.has(file) ? [[name.replaceAll("-", "_"), file] as const] : [];
  });
  const made = new Map(crates);
  keptCrates.set(tree, made);
  return made;
}

/** A package is a folder: an import means all of its files, and files of one folder belong together. */
export function goImports(path: string, text: string, tree: Tree): readonly string[] {
  const module = goModule(path, tree);
  const imported = Array.from(text.matchAll(/"([\w.~/-]{1,300})"/g), (match) => match[1] ?? "").flatMap((name) => {
    if (module === null || (name !== module.name && !name.startsWith(`${module.name}/`))) return [];
    return joined(module.folder, name.slice(module.name.length).replace(/^\//, "") || ".") ?? [];
  });
  const files = [folderOf(path), ...imported].flatMap((folder) => tree.filesIn(folder));
  return files.filter((file) => isGo(file) && !file.endsWith("_test.go"));
}

export function goModule(path: string, tree: Tree): { readonly folder: string; readonly name: string } | null {
  for (let at = folderOf(path); ; at = folderOf(at)) {
    const text = tree.text(at === "" ? "go.mod" : `${at}/go.mod`);
    const name = text === null ? null : /^module\s+"?([^\s"]+)/m.exec(text)?.[1];
    if (name !== null && name !== undefined) return { folder: at, name };
    if (at === "") return null;
  }
}

/** Included headers, and for a header the source file of the same name: that is where its functions are. */
export function cImports(path: string, text: string, tree: Tree): readonly string[] {
  const included = Array.from(
    text.matchAll(/^[ \t]*#[ \t]*(?:include|import)[ \t]*["<]([^">\n]{1,300})[">]/gm),
    (match) => {
      const places = [folderOf(path), "include", "src", "lib", ""];
      return (
        places.map((place) => joined(place, match[1] ?? "")).find((file) => file !== null && tree.has(file)) ?? null
      );
    },
  );
  const headers = included.flatMap((file) => (file === null ? [] : [file]));
  return [...headers, ...headers.flatMap((header) => sourcesOf(header, tree))];
}

function sourcesOf(header: string, tree: Tree): readonly string[] {
  const same = new RegExp(`^${stemOf(header).replace(/[^\w-]/g, "\\$&")}\\.(?:c|cc|cpp|cxx|m|mm)$`);
  const below = isBelow("include", header) ? folderOf(seenFrom("include", header)) : null;
  const folders = [folderOf(header), "src", ...(below === null ? [] : [joined("src", below) ?? "src"])];
  return [...new Set(folders)]
    .flatMap((folder) => filesNamed(tree, folder, same))
    .filter((file) => nameOf(file) !== "");
}
