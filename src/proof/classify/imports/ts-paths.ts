// Import aliases: `paths` and `baseUrl` of the tsconfig.json or jsconfig.json above a file, and `imports` of package.json.
import { objectAt, objectIn, stringsIn } from "../json.ts";
import { folderOf, joined } from "../paths.ts";
import type { Tree } from "../tree.ts";

type Alias = {
  readonly prefix: string;
  readonly suffix: string;
  readonly exact: boolean;
  readonly to: readonly string[];
};
export type PathSettings = { readonly baseUrl: string | null; readonly aliases: readonly Alias[] };

/** Paths from the top that a module name may refer to. */
export function aliasesFor(path: string, specifier: string, tree: Tree): readonly string[] {
  const { baseUrl, aliases } = pathSettings(folderOf(path), tree);
  const named = aliases.flatMap((alias) => {
    if (alias.exact) return alias.prefix === specifier ? alias.to : [];
    if (!specifier.startsWith(alias.prefix) || !specifier.endsWith(alias.suffix)) return [];
    const middle = specifier.slice(alias.prefix.length, specifier.length - alias.suffix.length);
    return alias.to.map((to) => to.replace("*", () => middle));
  });
  const below = baseUrl === null ? null : joined(baseUrl, specifier);
  return below === null ? named : [...named, below];
}

/** The folders that `baseUrl` makes import roots, over the whole tree. */
export function baseUrls(tree: Tree): readonly string[] {
  const settings = tree.paths.filter((path) => /(?:^|\/)[tj]sconfig\.json$/.test(path));
  return settings.flatMap((path) => pathSettings(folderOf(path), tree).baseUrl ?? []);
}

const kept = new WeakMap<Tree, Map<string, PathSettings>>();

function pathSettings(folder: string, tree: Tree): PathSettings {
  const known = kept.get(tree) ?? new Map<string, PathSettings>();
  kept.set(tree, known);
  const found = known.get(folder) ?? readSettings(folder, tree);
  known.set(folder, found);
  return found;
}

function readSettings(folder: string, tree: Tree): PathSettings {
  const above: PathSettings = folder === "" ? { baseUrl: null, aliases: [] } : pathSettings(folderOf(folder), tree);
  const at = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
  const file = [at("tsconfig.json"), at("jsconfig.json"), at("tsconfig.base.json")].find((path) => tree.has(path));
  const options =
    file === undefined ? {} : objectAt(objectIn(withoutComments(tree.text(file) ?? "")), "compilerOptions");
  const base = typeof options["baseUrl"] === "string" ? joined(folder, options["baseUrl"]) : null;
  const own = [
    ...aliasesOf(objectAt(options, "paths"), base ?? folder),
    ...aliasesOf(objectAt(objectIn(tree.text(at("package.json"))), "imports"), folder),
  ];
  return { baseUrl: base ?? above.baseUrl, aliases: [...own, ...above.aliases] };
}

function aliasesOf(paths: { readonly [name: string]: unknown }, folder: string): readonly Alias[] {
  return Object.entries(paths).map(([name, to]) => {
    const star = name.indexOf("*");
    const places = stringsIn(to).flatMap((place) => joined(folder, place) ?? []);
    return star < 0
      ? { prefix: name, suffix: "", exact: true, to: places }
      : { prefix: name.slice(0, star), suffix: name.slice(star + 1), exact: false, to: places };
  });
}

/** Real settings are never longer, and finding the end of each comment would take too long. */
const settingsMax = 32 << 10;

/** Removes comments and trailing commas, which these files may have and JSON may not. Strings stay as they are. */
function withoutComments(text: string): string {
  if (text.length > settingsMax) return "";
  return text
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) => (found.startsWith('"') ? found : " "))
    .replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (found) => (found === "," ? "" : found));
}
