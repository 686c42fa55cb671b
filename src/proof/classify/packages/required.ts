// The names of the dependencies that a manifest requires.
import { objectAt, objectIn } from "../json.ts";
import { inPyproject, inSetupCfg } from "../manifests/mix.ts";
import { scanIni } from "../manifests/plain-sections.ts";
import type { IsDependency, Section } from "../manifests/sections.ts";
import { scanToml, tomlKeys, tomlStrings, tomlValue } from "../manifests/toml.ts";
import { isDependencyList, manifestFormat } from "../names/dependencies.ts";
import type { Tree } from "../tree.ts";
import type { Package } from "./packages.ts";

/**
 * What a package needs to run, and its own name. A test library among them is part of the product: a plugin for it, say.
 */
export function shippedWith(pack: Package, tree: Tree): ReadonlySet<string> {
  return new Set(pack.manifests.flatMap((manifest) => runtimeNames(manifest, tree.text(manifest) ?? "")));
}

function runtimeNames(manifest: string, text: string): readonly string[] {
  switch (manifestFormat(manifest)) {
    case "package-json": {
      const json = objectIn(text);
      const own = typeof json?.["name"] === "string" ? [json["name"]] : [];
      return [...own, ...["dependencies", "peerDependencies"].flatMap((key) => Object.keys(objectAt(json, key)))];
    }
    case "pyproject": {
      const sections = scanToml(text);
      const listed = tomlStrings(tomlValue(sections, ["project", "dependencies"]));
      return [...listed, ...tomlKeys(sections, ["tool", "poetry", "dependencies"])].map(moduleName);
    }
    case "setup-cfg":
      return listed(scanIni(text), ([section, key]) => section === "options" && key === "install_requires").map(
        moduleName,
      );
    default:
      return [];
  }
}

/** Everything that a manifest or list requires, for development too, as module names. */
export function requiredIn(path: string, text: string | null): readonly string[] {
  if (text === null) return [];
  if (isDependencyList(path)) return text.split("\n").map(moduleName);
  switch (manifestFormat(path)) {
    case "package-json": {
      const json = objectIn(text);
      return ["dependencies", "devDependencies", "peerDependencies"].flatMap((key) => Object.keys(objectAt(json, key)));
    }
    case "pyproject": {
      const sections = scanToml(text);
      const strings = (sections ?? []).flatMap(({ entries }) => entries.filter((entry) => inPyproject(entry.path)));
      const groups = tomlKeys(sections, ["tool", "poetry", "group"]).map((name) => [
        "tool",
        "poetry",
        "group",
        name,
        "dependencies",
      ]);
      const tables = [["tool", "poetry", "dependencies"], ["tool", "poetry", "dev-dependencies"], ...groups];
      const keys = tables.flatMap((table) => tomlKeys(sections, table));
      return [...keys, ...strings.flatMap(({ value }) => tomlStrings(value))].map(moduleName);
    }
    case "pipfile":
      return ["packages", "dev-packages"].flatMap((table) => tomlKeys(scanToml(text), [table])).map(moduleName);
    case "setup-cfg":
      return listed(scanIni(text), inSetupCfg).map(moduleName);
    case "ruby":
      return Array.from(
        text.matchAll(/^[ \t]*(?:gem|\w+\.add\w*_dependency)[ \t(]+["']([\w-]+)/gm),
        (match) => match[1] ?? "",
      );
    default:
      return [];
  }
}

/** The lines of the values that are dependencies. */
const listed = (sections: readonly Section[] | null, wanted: IsDependency): readonly string[] =>
  (sections ?? []).flatMap(({ entries }) =>
    entries.filter(({ path }) => wanted(path)).flatMap(({ value }) => value.split("\n")),
  );

/** "Flask-Login>=7; extra" is the module flask_login. */
const moduleName = (requirement: string): string =>
  (/^[\w.-]+/.exec(requirement.trim())?.[0] ?? "").toLowerCase().replaceAll("-", "_");
