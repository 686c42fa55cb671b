// What a script that a check names is made of: the files that it loads from beside it, as far as they can be read off it.
import { dirname, join } from "node:path/posix";

/**
 * Folders of tools, not of the program under test. Only there an import is followed: what a script elsewhere loads may be
 * the very thing that a feature is to change, and sealing that would refuse honest work.
 */
const toolFolder = (path: string): string =>
  /^(?:.*?\/)?(?:scripts?|tools?|tooling|ci|\.ci|checks?|verify|hack)\//.exec(path)?.[0] ?? "";

const inJavascript = /(?:\bfrom\s*|\brequire\(\s*|\bimport\s*\(?\s*)["'](\.{1,2}\/[^"'\n]{1,300})["']/g;
const inPython = /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+\(?[ \t]*(\w+)|import[ \t]+([\w.]+))/gm;
/** `. "$(dirname "$0")/lib.sh"`, `source "$here/lib.sh"`, `. ./lib.sh` */
const inShell =
  /(?:^|[;&|\s])(?:\.|source|sh|bash)[ \t]+"?(?:\$\(dirname[^)\n]{1,40}\)|\$\{?\w+\}?|\.)\/([\w./-]{1,300})/gm;

const extensions = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", "/index.js", "/index.mjs", "/index.ts"];

/** Paths in the same folder of tools that the script would load; whether they exist is for the caller to see. */
export function importedFiles(path: string, text: string): string[] {
  const folder = toolFolder(path);
  if (folder === "") return [];
  return [...new Set(candidates(path, text))].filter((found) => found !== path && found.startsWith(folder));
}

function candidates(path: string, text: string): string[] {
  const here = dirname(path);
  if (/\.[cm]?[jt]s$/.test(path))
    return Array.from(text.matchAll(inJavascript)).flatMap(([, specifier = ""]) => {
      const plain = join(here, specifier);
      // TypeScript names the file that will be there once it is compiled.
      const source = plain.replace(/\.([cm]?)js$/, ".$1ts");
      return [...extensions.map((extension) => `${plain}${extension}`), source];
    });
  if (path.endsWith(".py"))
    return Array.from(text.matchAll(inPython)).flatMap(([, from, name = "", whole = ""]) =>
      from === undefined
        ? pythonFiles(here, whole)
        : [...pythonFiles(here, from), ...pythonFiles(here, /\.$/.test(from) ? `${from}${name}` : `${from}.${name}`)],
    );
  if (/\.(?:sh|bash)$|(?:^|\/)[^./]+$/.test(path))
    return Array.from(text.matchAll(inShell), ([, found = ""]) => join(here, found));
  return [];
}

/** Beside the script, and from the top, since both are where Python looks. */
function pythonFiles(here: string, module: string): string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const way = module.slice(dots).replace(/^\.+/, "").replaceAll(".", "/");
  if (way === "") return [];
  const above = join(here, ...Array.from({ length: Math.max(0, dots - 1) }, () => ".."));
  return [above, "."].flatMap((place) => [join(place, `${way}.py`), join(place, way, "__init__.py")]);
}
