// Packages of the same repository that import each other by name.
import { objectIn, stringsIn } from "../json.ts";
import { folderOf, joined } from "../paths.ts";
import type { Tree } from "../tree.ts";

type Member = { readonly folder: string; readonly entries: readonly string[] };

/** Paths from the top that a package name of this repository may refer to. */
export function workspacePackages(specifier: string, tree: Tree): readonly string[] {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "";
  const member = membersOf(tree).get(name);
  if (member === undefined) return [];
  const rest = specifier.slice(name.length).replace(/^\//, "");
  const places =
    rest === ""
      ? [...member.entries, "src/index", "src", "index", "lib/index", "src/main"]
      : [rest, `src/${rest}`, `lib/${rest}`];
  return places.flatMap((place) => joined(member.folder, place) ?? []);
}

const kept = new WeakMap<Tree, ReadonlyMap<string, Member>>();

function membersOf(tree: Tree): ReadonlyMap<string, Member> {
  const known = kept.get(tree);
  if (known !== undefined) return known;
  const manifests = tree.paths.filter((path) => /(?:^|\/)package\.json$/.test(path) && !path.includes("node_modules/"));
  const members = new Map<string, Member>();
  for (const path of manifests) {
    const manifest = objectIn(tree.text(path));
    const name = manifest?.["name"];
    if (manifest === null || typeof name !== "string" || members.has(name)) continue;
    const entries = ["source", "main", "module", "types"].flatMap((key) => stringsIn(manifest[key]));
    members.set(name, { folder: folderOf(path), entries: entries.filter((entry) => !entry.includes("*")) });
  }
  kept.set(tree, members);
  return members;
}
