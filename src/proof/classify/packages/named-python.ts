// What pyproject.toml, setup.cfg and setup.py name: packages, modules, folders to look in, and the commands' modules.
import { scanIni } from "../manifests/plain-sections.ts";
import { scanToml, tomlKeys, tomlStrings, tomlValue } from "../manifests/toml.ts";
import { nameOf } from "../paths.ts";

/** Paths below the package, in both layouts; the caller drops those that do not exist. */
export function pythonNames(manifest: string, text: string): readonly string[] {
  const name = nameOf(manifest);
  const found =
    name === "pyproject.toml" ? inPyproject(text) : name === "setup.cfg" ? inSetupCfg(text) : inSetupPy(text);
  const modules = found.modules.map((module) => (module.split(/[.:]/)[0] ?? "").replaceAll("-", "_"));
  const known = modules.filter((module) => /^\w+$/.test(module));
  return [
    ...found.folders.filter((folder) => folder !== "."),
    ...known.flatMap((module) => [module, `${module}.py`, `src/${module}`, `src/${module}.py`]),
  ];
}

type Found = { readonly modules: readonly string[]; readonly folders: readonly string[] };

function inPyproject(text: string): Found {
  const sections = scanToml(text);
  const strings = (...path: string[]): readonly string[] => tomlStrings(tomlValue(sections, path));
  const scripts = [
    ["project", "scripts"],
    ["project", "gui-scripts"],
    ["tool", "poetry", "scripts"],
  ];
  return {
    modules: [
      ...strings("project", "name"),
      ...strings("tool", "poetry", "name"),
      ...strings("tool", "flit", "module", "name"),
      ...strings("tool", "setuptools", "packages"),
      ...strings("tool", "setuptools", "py-modules"),
      ...scripts.flatMap((path) => tomlKeys(sections, path).flatMap((key) => strings(...path, key))),
    ],
    folders: [
      ...strings("tool", "poetry", "packages"),
      ...strings("tool", "setuptools", "packages", "find", "where"),
      ...strings("tool", "setuptools", "package-dir"),
      ...strings("tool", "setuptools", "package-dir", ""),
      ...strings("tool", "hatch", "build", "targets", "wheel", "packages"),
    ],
  };
}

function inSetupCfg(text: string): Found {
  const entries = (scanIni(text) ?? []).flatMap((section) => section.entries);
  const words = (section: string, key: string): readonly string[] => {
    const value = entries.find(({ path }) => path[0] === section && path[1] === key)?.value ?? "";
    return value.split(/[\s,=]+/).filter((word) => word !== "" && !word.startsWith("find"));
  };
  return {
    modules: [...words("metadata", "name"), ...words("options", "packages"), ...words("options", "py_modules")],
    folders: [...words("options.packages.find", "where"), ...words("options", "package_dir")],
  };
}

function inSetupPy(text: string): Found {
  const lists = text.matchAll(/\b(?:packages|py_modules)\s{0,20}=\s{0,20}\[([^\]]{0,2000})\]/g);
  const named = /\bname\s{0,20}=\s{0,20}["']([\w.-]+)["']/.exec(text)?.[1];
  const where = text.matchAll(/\bfind_(?:namespace_)?packages\(\s{0,20}(?:where\s{0,20}=\s{0,20})?["']([\w./-]+)["']/g);
  const modules = Array.from(lists).flatMap((match) => tomlStrings(match[1] ?? ""));
  return {
    modules: named === undefined ? modules : [named, ...modules],
    folders: Array.from(where, (match) => match[1] ?? ""),
  };
}

/** Packages that a manifest of setuptools lists one by one, and the folders that they are in. Null: it finds them itself. */
export function pythonPackages(
  manifest: string,
  text: string,
): { readonly packages: readonly string[]; readonly folders: readonly string[] } | null {
  const found = listedPackages(nameOf(manifest), text);
  if (found === null || found.packages.length === 0) return null;
  return { packages: found.packages, folders: ["src", "lib", ...found.folders] };
}

function listedPackages(name: string, text: string) {
  if (name === "pyproject.toml") {
    const sections = scanToml(text);
    const value = tomlValue(sections, ["tool", "setuptools", "packages"]);
    const table = tomlValue(sections, ["tool", "setuptools", "package-dir"]) ?? "";
    const folders = [
      ...tomlStrings(/""\s*=\s*("[^"\n]*")/.exec(table)?.[1] ?? null),
      ...tomlStrings(tomlValue(sections, ["tool", "setuptools", "package-dir", ""])),
    ];
    return value === null ? null : { packages: tomlStrings(value), folders };
  }
  const list =
    name === "setup.cfg"
      ? /^packages[ \t]*=[ \t]*(?!\s*find)((?:[^\n]*\n?)(?:[ \t]+[^\n]*\n?)*)/m.exec(text)?.[1]
      : /\bpackages\s*=\s*\[([^\]()*]*)\](?!\s*\+)/.exec(text)?.[1];
  return list === undefined ? null : { packages: list.match(/[A-Za-z_][\w.]*/g) ?? [], folders: [] };
}
