// Folders that are product because a framework says so: Django's apps, and what Rails and Laravel load automatically.
import type { Base } from "../base.ts";
import { isTestFolder } from "../names/tests.ts";
import { joined, nameOf } from "../paths.ts";
import type { Package } from "./packages.ts";

/** Maps a folder to its reason. */
export function frameworkFolders(pack: Package, base: Base): ReadonlyMap<string, string> {
  const has = (path: string): boolean => base.tree.has(joined(pack.folder, path) ?? "");
  const named = (names: readonly string[], reason: string): readonly (readonly [string, string])[] =>
    names.flatMap((name) => [[joined(pack.folder, name) ?? "", reason] as const]);
  return new Map([
    ...(has("config/application.rb")
      ? named(["app", "lib", "config", "db", "public"], "a folder of the Rails application")
      : []),
    ...(has("artisan")
      ? named(
          ["app", "routes", "resources", "database", "config", "bootstrap", "public"],
          "a folder of the Laravel application",
        )
      : []),
    ...(has("manage.py") ? django(pack, base) : []),
  ]);
}

function django(pack: Package, base: Base): readonly (readonly [string, string])[] {
  const { tree } = base;
  const manage = tree.text(joined(pack.folder, "manage.py") ?? "") ?? "";
  const project = /DJANGO_SETTINGS_MODULE["']\s*,\s*["'](\w+)/.exec(manage)?.[1];
  const isApp = (folder: string): boolean =>
    ["apps.py", "models.py", "views.py", "urls.py"].some((name) => tree.has(`${folder}/${name}`)) ||
    tree.hasFolder(`${folder}/migrations`);
  return tree
    .foldersIn(pack.folder)
    .filter((folder) => !isTestFolder(nameOf(folder)) && (nameOf(folder) === project || isApp(folder)))
    .map((folder) => [folder, nameOf(folder) === project ? "the Django project's own folder" : "a Django app"]);
}
