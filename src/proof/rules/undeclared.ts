// Packages that new code imports and no manifest declares: they are installed only because something else needs them.
import { isBuiltin } from "node:module";
import type { Case } from "../case.ts";
import { importsIn, importsOf } from "../classify/index.ts";
import { listed } from "../findings/said.ts";
import { changedCode } from "../sides.ts";
import { dependenciesIn } from "./dependencies.ts";
import { pythonStandard } from "./python-standard.ts";

export function undeclaredQuestions(c: Pick<Case, "sides">): string[] {
  const found = [...undeclared(c, /\.[cm]?[jt]sx?$/, packageJson), ...undeclared(c, /\.py$/, python)];
  if (found.length === 0) return [];
  return [
    `Undeclared dependency: ${listed(found)}. A fresh install will not have it. Declare it, or remove the import.`,
  ];
}

type Tree = Case["sides"]["candidate"];
type Ecosystem = {
  readonly manifest: RegExp;
  /** The modules that a text imports, as written. */
  readonly imports: (text: string) => readonly string[];
  /** The package that a module belongs to; null: none. */
  readonly packageOf: (specifier: string) => string | null;
  /** Whether it leads to a file of the project. */
  readonly isOwn: (specifier: string, path: string, tree: Tree) => boolean;
  readonly isDeclared: (name: string, declared: ReadonlySet<string>) => boolean;
};

const packageJson: Ecosystem = {
  manifest: /(?:^|\/)package\.json$/,
  imports: importedModules,
  packageOf: nodePackage,
  isOwn: (specifier, path, tree) =>
    importsOf(path, only(tree, path, `import ${JSON.stringify(specifier)};\n`)).length > 0,
  isDeclared: (name, declared) => declared.has(name) || declared.has(`@types/${name}`),
};

/** Only statements: `Buffer.from("x")` and `register("x")` import nothing. */
const moduleStatement =
  /^[ \t]*(?:import|export)\b[^;"'\n]{0,500}?\bfrom\s*["']([^"'\n]{1,300})["']|^[ \t]*import\s*["']([^"'\n]{1,300})["']|(?<![\w.])(?:require|import)\(\s*["']([^"'\n]{1,300})["']\s*\)/gm;

function importedModules(text: string): readonly string[] {
  const found = Array.from(
    text.replaceAll(/\{[^{}]{0,2000}\}/g, (braces) => braces.replaceAll("\n", " ")).matchAll(moduleStatement),
  );
  return [...new Set(found.map(([, one, other, called]) => one ?? other ?? called ?? ""))];
}

/** `lodash/fp` belongs to lodash, `@a/b/c` to @a/b; paths, aliases and URLs are not packages. */
function nodePackage(specifier: string): string | null {
  if (!/^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/|$)/.test(specifier) || specifier.includes(":")) return null;
  const parts = specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1);
  const name = parts.join("/");
  return isBuiltin(name) ? null : name;
}

const python: Ecosystem = {
  manifest: /(?:^|\/)(?:pyproject\.toml|requirements[^/]*\.(?:txt|in)|Pipfile|setup\.(?:py|cfg))$/,
  // An indented import is optional or conditional.
  imports: (text) => importsIn(text.replaceAll(/^[ \t]+(?:import|from)\b/gm, "#")).map(({ module }) => module),
  packageOf: (module) => {
    const name = module.split(".")[0] ?? "";
    return name === "" || pythonStandard.has(name) ? null : name;
  },
  isOwn: (module, path, tree) => importsOf(path, only(tree, path, `import ${module}\n`)).length > 0,
  // Distributions often have other names: PyYAML, python-dateutil, beautifulsoup4.
  isDeclared: (name, declared) =>
    [...declared].some((one) => plain(one).includes(plain(name)) || isOtherwise(name, one)),
};

/** The project, with this as the whole text of one file. */
const only = (tree: Tree, path: string, text: string): Tree => ({
  ...tree,
  paths: tree.paths,
  has: (other) => tree.has(other),
  text: (other) => (other === path ? text : tree.text(other)),
});

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
const otherwise: Readonly<Record<string, string>> = {
  bs4: "beautifulsoup4",
  PIL: "pillow",
  cv2: "opencv",
  sklearn: "scikitlearn",
  skimage: "scikitimage",
  attr: "attrs",
  google: "google",
  Crypto: "pycrypto",
  serial: "pyserial",
  zmq: "pyzmq",
  OpenSSL: "pyopenssl",
  MySQLdb: "mysqlclient",
  psycopg2: "psycopg2",
};
const isOtherwise = (name: string, declared: string): boolean =>
  otherwise[name] !== undefined && plain(declared).startsWith(otherwise[name]);

/** Only where the project has a manifest, and only packages that nothing in it imported before. */
function undeclared({ sides }: Pick<Case, "sides">, code: RegExp, of: Ecosystem): string[] {
  const { base, candidate } = sides;
  const manifests = candidate.paths.filter((path) => of.manifest.test(path));
  const files = changedCode(sides).filter(({ path, kind }) => code.test(path) && kind !== "deleted");
  if (manifests.length === 0 || files.length === 0) return [];
  const declared = new Set(manifests.flatMap((path) => namesIn(path, candidate.text(path) ?? "")));
  const packagesIn = (text: string): string[] => of.imports(text).flatMap((specifier) => of.packageOf(specifier) ?? []);
  const before = new Set(
    base.paths.filter((path) => code.test(path)).flatMap((path) => packagesIn(base.text(path) ?? "")),
  );
  return files.flatMap(({ path }) => {
    const lacking = of.imports(candidate.text(path) ?? "").flatMap((specifier) => {
      const name = of.packageOf(specifier);
      if (name === null || before.has(name) || of.isDeclared(name, declared)) return [];
      return of.isOwn(specifier, path, candidate) ? [] : [name];
    });
    return [...new Set(lacking)].map((name) => `${name} (${path})`);
  });
}

function namesIn(path: string, text: string): readonly string[] {
  // setup.py is never executed: any quoted name in it, or any line of setup.cfg, may be a dependency.
  if (/(?:^|\/)setup\.(?:py|cfg)$/.test(path))
    return Array.from(
      text.matchAll(/["']([A-Za-z0-9][\w.-]*)|^\s+([A-Za-z0-9][\w.-]*)/gm),
      ([, one, other]) => one ?? other ?? "",
    );
  const own = /(?:^|\/)package\.json$/.test(path) ? (/"name"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? null) : null;
  return own === null ? dependenciesIn(path, text) : [...dependenciesIn(path, text), own];
}
