// Modules that a change imports and that .gitignore leaves out of it: they are in the agent's folder, and in no commit.
import { posix } from "node:path";
import picomatch from "picomatch";
import { filesOfModule } from "../classify/index.ts";
import type { Sides } from "../sides.ts";
import { importedNames, neededModules } from "../source/index.ts";
import type { View } from "../view.ts";

export type Ignored = {
  readonly path: string;
  /** `.gitignore:1 (build/)` */
  readonly by: string;
};

export function ignoredImports({ candidate, changes }: Sides): readonly Ignored[] {
  const missing = changes
    .filter(({ kind }) => kind !== "deleted")
    .flatMap(({ path }) => {
      const text = candidate.text(path) ?? "";
      const modules = path.endsWith(".py")
        ? importedNames(path, text).map(({ module }) => module)
        : neededModules(path, text);
      return [...new Set(modules)]
        .filter((module) => filesOfModule(path, module, candidate).length === 0)
        .flatMap((module) => placesOf(path, module));
    });
  return [...new Set(missing)].flatMap((path) => {
    const by = ignoredBy(path, candidate);
    return by === null ? [] : [{ path, by }];
  });
}

function placesOf(path: string, module: string): readonly string[] {
  if (!path.endsWith(".py")) return module.startsWith(".") ? [posix.join(posix.dirname(path), module)] : [];
  const way = module.replaceAll(".", "/");
  return module.startsWith(".") ? [] : ["", "src/"].map((root) => `${root}${way}.py`);
}

/** As git reads it: of all lines that match the path or a folder above it, the last one counts. */
function ignoredBy(path: string, view: View): string | null {
  const folders = path.split("/").map((_, at, parts) => parts.slice(0, at).join("/"));
  let by: string | null = null;
  for (const folder of folders) {
    const file = posix.join(folder, ".gitignore");
    for (const [at, line] of (view.text(file) ?? "").split(/\r?\n/).entries()) {
      const [, not, rule = ""] = /^(!?)([^#\s].*?)\s*$/.exec(line) ?? [];
      if (rule === "" || !matches(rule, posix.relative(folder, path))) continue;
      by = not === "!" ? null : `${file}:${at + 1} (${rule})`;
    }
  }
  return by;
}

function matches(rule: string, path: string): boolean {
  const plain = rule.replace(/^\/|\/$/g, "");
  const glob = rule.slice(0, -1).includes("/") ? plain : `**/${plain}`;
  const parts = path.split("/");
  const above = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  const candidates = rule.endsWith("/") ? above.slice(0, -1) : above;
  return candidates.some((each) => picomatch.isMatch(each, glob, { dot: true }));
}
