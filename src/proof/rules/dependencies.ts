// Which dependencies a manifest names, to detect new ones. Reads lines and keys: no manifest is ever executed.
import type { TreeId } from "../../core/ids.ts";
import type { Change, Workspace } from "../../workspace/workspace.ts";

type Manifest = { readonly file: RegExp; names(text: string): string[] };

const manifests: readonly Manifest[] = [
  {
    file: /(?:^|\/)package\.json$/,
    names: jsonKeys("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"),
  },
  { file: /(?:^|\/)composer\.json$/, names: jsonKeys("require", "require-dev") },
  { file: /(?:^|\/)deno\.jsonc?$/, names: jsonKeys("imports") },
  { file: /(?:^|\/)requirements[^/]*\.(?:txt|in)$/, names: byLine(/^([A-Za-z0-9][\w.-]*)/) },
  {
    file: /(?:^|\/)pyproject\.toml$/,
    names: (text) => [
      ...inSections(text, /^tool\.poetry\.(?:.*\.)?dependencies$/, /^([A-Za-z0-9][\w.-]*)\s*=/),
      ...inSections(
        text,
        /^project(?:\.optional-dependencies)?$|^dependency-groups$|^tool\.pdm\.dev-dependencies$/,
        // In a list: after its bracket, after a comma, or alone on its line. The last one may have no comma after it.
        /(?:^|[[,]\s*)["']([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[<>=!~;@][^"']*)?["']/,
      ),
    ],
  },
  {
    file: /(?:^|\/)Pipfile$/,
    names: (text) => inSections(text, /^(?:dev-)?packages$/, /^"?([A-Za-z0-9][\w.-]*)"?\s*=/),
  },
  { file: /(?:^|\/)go\.mod$/, names: byLine(/^(?:require\s+)?([a-z0-9][\w.-]*\.[a-z]+\/\S+)\s+v\d/) },
  {
    file: /(?:^|\/)Cargo\.toml$/,
    names: (text) => [
      ...inSections(text, /(?:^|\.)(?:dev-|build-|workspace\.)?dependencies$/, /^([A-Za-z0-9][\w-]*)(?:\.\w+)?\s*=/),
      ...Array.from(
        text.matchAll(/^\[(?:.*\.)?(?:dev-|build-)?dependencies\.([A-Za-z0-9][\w-]*)\]/gm),
        (match) => match[1] ?? "",
      ),
    ],
  },
  { file: /(?:^|\/)Gemfile$|\.gemspec$/, names: byLine(/^(?:gem|\w+\.add_\w*dependency)\s*\(?\s*["']([^"']+)/) },
  {
    file: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Packages\.props$/,
    names: everywhere(/<Package(?:Reference|Version)\s+Include="([^"]+)"/g),
  },
  {
    file: /(?:^|\/)pom\.xml$/,
    names: everywhere(/<dependency>\s*<groupId>([^<]+)<\/groupId>\s*<artifactId>([^<]+)</g),
  },
  {
    file: /\.gradle(?:\.kts)?$/,
    names: byLine(/^\w*(?:mplementation|api|ompileOnly|untimeOnly)\w*[\s(]+["']([^"']+?:[^"':]+)/),
  },
];

export const isManifest = (path: string): boolean => manifests.some(({ file }) => file.test(path));

export type NewDependency = { readonly path: string; readonly name: string };

export async function newDependencies(
  workspace: Pick<Workspace, "read">,
  span: { readonly from: TreeId; readonly to: TreeId },
  changes: readonly Change[],
): Promise<NewDependency[]> {
  const found: NewDependency[] = [];
  for (const { path, kind } of changes
    .filter((change) => change.kind !== "deleted" && isManifest(change.path))
    .slice(0, 50)) {
    const before = kind === "added" ? "" : ((await workspace.read(span.from, path))?.toString() ?? "");
    const after = (await workspace.read(span.to, path))?.toString() ?? "";
    const known = new Set(dependenciesIn(path, before));
    for (const name of dependenciesIn(path, after)) if (!known.has(name)) found.push({ path, name });
  }
  return found;
}

export function dependenciesIn(path: string, text: string): string[] {
  return [...new Set(manifests.find(({ file }) => file.test(path))?.names(text) ?? [])];
}

function jsonKeys(...sections: readonly string[]): Manifest["names"] {
  return (text) => {
    try {
      const json = JSON.parse(text) as Record<string, unknown>;
      return sections.flatMap((section) => Object.keys((json?.[section] ?? {}) as object));
    } catch {
      return [];
    }
  };
}

function byLine(pattern: RegExp): Manifest["names"] {
  return (text) => text.split("\n").flatMap((line) => pattern.exec(line.trim())?.[1] ?? []);
}

function everywhere(pattern: RegExp): Manifest["names"] {
  return (text) => Array.from(text.matchAll(pattern), (match) => match.slice(1).join(":"));
}

function inSections(text: string, sections: RegExp, pattern: RegExp): string[] {
  let inside = false;
  return text.split("\n").flatMap((line) => {
    const heading = /^\s*\[\[?([^\]]+)\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
    if (heading !== undefined) inside = sections.test(heading.replaceAll(/["'\s]/g, ""));
    // A list may name several on one line.
    return inside && heading === undefined
      ? Array.from(line.trim().matchAll(new RegExp(pattern.source, "g")), (match) => match[1] ?? "")
      : [];
  });
}
