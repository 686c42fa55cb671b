// Packages that published code needs and that only the project's developers have: devDependencies.
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import type { Case } from "../case.ts";
import { importsOf } from "../classify/index.ts";
import { listed } from "../findings/said.ts";
import { neededModules } from "../source/index.ts";
import type { View } from "../view.ts";
import { entriesOf, isThere } from "./entry-points.ts";
import { publishedBy } from "./unpublished.ts";

export function devOnlyQuestions({ sides }: Pick<Case, "sides">): string[] {
  const { base, candidate, changes, classes } = sides;
  const sideOf = new Map<string, string>(changes.map(({ path, side }) => [path, side]));
  const isProduct = (path: string): boolean => (sideOf.get(path) ?? classes.of(path).kind) === "product";
  if (!changes.some(({ side }) => side === "product" || side === "mixed")) return [];
  const found = candidate.paths
    .filter((path) => posix.basename(path) === "package.json")
    .flatMap((manifest) => {
      const now = devOnlyIn(manifest, candidate, isProduct);
      if (now.length === 0) return [];
      const before = new Set(devOnlyIn(manifest, base, isProduct).map(({ name }) => name));
      return now.filter(({ name }) => !before.has(name)).map(({ name, path }) => `${name} (${path})`);
    });
  return found.length === 0
    ? []
    : [
        `Published code imports packages that only the project's developers have (devDependencies): ${listed(found)}. Move them to dependencies, or do without.`,
      ];
}

type Manifest = { readonly [section: string]: unknown };

function devOnlyIn(manifest: string, view: View, isProduct: (path: string) => boolean) {
  const text = view.text(manifest) ?? "";
  const read = parsed(text);
  const names = (section: string): string[] => Object.keys((read?.[section] ?? {}) as object);
  const others = new Set(["dependencies", "peerDependencies", "optionalDependencies"].flatMap(names));
  const own = new Set(names("devDependencies").filter((name) => !others.has(name)));
  if (read === null || read["private"] === true || own.size === 0) return [];
  return shippedFiles(manifest, text, view, read["exports"] !== undefined)
    .filter(isProduct)
    .flatMap((path) =>
      [...new Set(neededModules(path, view.text(path) ?? "").map(packageOf))]
        .filter((name) => own.has(name))
        .map((name) => ({ name, path })),
    );
}

/** Scripts that users may load. None: it is not published as it is, but as a build makes it, which may put packages in. */
function shippedFiles(manifest: string, text: string, view: View, isClosed: boolean): readonly string[] {
  const dir = posix.dirname(manifest);
  const entries = entriesOf(text, ["main", "module", "bin", "exports"])
    .map((entry) => posix.normalize(posix.join(dir, entry)))
    .flatMap((entry) => isThere(entry, view) ?? [])
    .filter((path) => script.test(path));
  if (entries.length === 0) return [];
  const nested = view.paths.filter((path) => path !== manifest && path.endsWith("/package.json")).map(posix.dirname);
  const isOwn = (path: string): boolean =>
    (dir === "." || path.startsWith(`${dir}/`)) &&
    !nested.some((other) => (dir === "." || other.startsWith(`${dir}/`)) && path.startsWith(`${other}/`));
  const isPublished = publishedBy(manifest, text) ?? (() => true);
  const own = view.paths.filter((path) => script.test(path) && isOwn(path) && isPublished(path));
  if (!isClosed) return own;
  const reached = new Set(entries);
  for (const path of reached) for (const to of importsOf(path, view)) reached.add(to);
  return own.filter((path) => reached.has(path));
}

const script = /(?<!\.d)\.[cm]?[jt]s$/;

const packageOf = (specifier: string): string =>
  isBuiltin(specifier)
    ? ""
    : specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");

function parsed(text: string): Manifest | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? (found as Manifest) : null;
  } catch {
    return null;
  }
}
