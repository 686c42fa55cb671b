// Rule 5: documents, which a feature may always change.
import { folderOf, isBelow, nameOf, seenFrom } from "../paths.ts";

const text = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|org|tex)$/i;
const picture = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|pdf|drawio|mmd|puml|mp4|webm)$/i;

/** In any folder: `README.md`, `README_zh-CN.md`, `LICENSE-MIT`. */
const anywhere =
  /^(?:README|CHANGELOG|CHANGES|HISTORY|(?:UN)?LICEN[CS]E|COPYING|NOTICE|CONTRIBUTING|AUTHORS|CODE_OF_CONDUCT)(?:[-_][\w-]+|\.[a-z]{2}(?:[-_][a-z]{2,4})?(?=\.)|\.(?:MIT|APACHE|BSD|GPL)[\w-]*)?(?:\.(?:md|mdx|markdown|rst|adoc|txt|org))?$/i;
/** At the top of the tree or of a package, where only documents have such a name without an extension. */
const atTop =
  /^(?:NEWS|NOTES|CONTRIBUTORS|MAINTAINERS|SECURITY|SUPPORT|GOVERNANCE|ROADMAP|TODO|FAQ|UPGRADING|MIGRATION|RELEASING|INSTALL|USAGE|HACKING|DEVELOPMENT|ARCHITECTURE|DESIGN|GLOSSARY|CREDITS|THANKS|PATENTS|CITATION(?:\.cff)?)$/i;

/** Known by its name alone, and not because it lies among documents. */
export const isDocumentName = (path: string): boolean => {
  const name = nameOf(path);
  return anywhere.test(name) || atTop.test(name.replace(/\.\w+$/, ""));
};

/** Null: not a document. `packageFolder`: where the nearest manifest is. */
export function documentReason(path: string, packageFolder: string): string | null {
  const name = nameOf(path);
  if (anywhere.test(name)) return "a document, by its name";
  const folder = folderOf(path);
  if (atTop.test(name) && (folder === "" || folder === packageFolder)) return "a document, by its name";
  if (!text.test(name) && !picture.test(name)) return null;
  if (folder === "" && /\.(?:md|mdx|markdown|rst|adoc)$/i.test(name)) return "a document at the top";
  const seen = isBelow(packageFolder, path) ? seenFrom(packageFolder, path) : path;
  return /^(?:docs?|documentation)\//i.test(seen) || /^docs?\//i.test(path) ? "in a folder of documents" : null;
}
