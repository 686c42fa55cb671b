// A manifest for a room: everything as the judge has it, the dependency tables as the product has them.
import { isDependencyList, type ManifestFormat, manifestFormat } from "../names/dependencies.ts";
import { mixJson } from "./json.ts";
import { scanGoMod, scanIni } from "./plain-sections.ts";
import { mixRuby } from "./ruby.ts";
import { type IsDependency, mixSections } from "./sections.ts";
import { mixSetupPy } from "./setup-py.ts";
import { scanToml } from "./toml.ts";

/**
 * The judge's text with the product's dependency tables. Null: the judge has no such file, so the room has none either.
 * Where the product has no such file, or either text cannot be read for certain, the judge's text stays unchanged.
 */
export function mixManifest(path: string, product: string | null, judge: string | null): string | null {
  if (isDependencyList(path)) return product;
  const format = manifestFormat(path);
  if (format === null || judge === null || product === null || product === judge) return judge;
  return mixed(format, product, judge);
}

function mixed(format: ManifestFormat, product: string, judge: string): string {
  switch (format) {
    case "package-json":
    case "composer-json":
      return mixJson(format, product, judge);
    case "cargo":
      return mixSections({ scan: scanToml, isDependency: inCargo }, product, judge);
    case "pyproject":
      return mixSections({ scan: scanToml, isDependency: inPyproject }, product, judge);
    case "pipfile":
      return mixSections({ scan: scanToml, isDependency: inPipfile }, product, judge);
    case "setup-cfg":
      return mixSections({ scan: scanIni, isDependency: inSetupCfg }, product, judge);
    case "go-mod":
      return mixSections({ scan: scanGoMod, isDependency: ([verb]) => verb === "require" }, product, judge);
    case "ruby":
      return mixRuby(product, judge);
    case "setup-py":
      return mixSetupPy(product, judge);
  }
}

const isCargoTable = (key: string | undefined): boolean => /^(?:dev[-_]|build[-_])?dependencies$/.test(key ?? "");

const inCargo: IsDependency = ([first, second, third]) =>
  isCargoTable(first) ||
  (first === "workspace" && second === "dependencies") ||
  (first === "target" && second !== undefined && isCargoTable(third));

const inPipfile: IsDependency = ([top]) => top === "packages" || top === "dev-packages";

const pyprojectTables: readonly (readonly string[])[] = [
  ["project", "dependencies"],
  ["project", "optional-dependencies"],
  ["dependency-groups"],
  ["tool", "poetry", "dependencies"],
  ["tool", "poetry", "dev-dependencies"],
  ["tool", "poetry", "group", "*", "dependencies"],
  ["tool", "pdm", "dev-dependencies"],
  ["tool", "uv", "dev-dependencies"],
  ["tool", "uv", "constraint-dependencies"],
  ["tool", "uv", "override-dependencies"],
  ["tool", "uv", "sources"],
];
export const inPyproject: IsDependency = (path) =>
  pyprojectTables.some((table) =>
    table.every((key, at) => path[at] !== undefined && (key === "*" || key === path[at])),
  );

export const inSetupCfg: IsDependency = ([section, key]) =>
  section === "options.extras_require" ||
  (section === "options" && (key === "install_requires" || key === "tests_require"));
