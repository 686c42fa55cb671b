// Which ignored paths are installed dependencies: all other ignored paths are outputs or secrets.
import { posix } from "node:path";

/** What installs it; `other` has no lockfile that the loop understands. */
export type Ecosystem = "node" | "python" | "other";
export type DependencyRoot = { readonly path: string; readonly of: Ecosystem };

const names: Readonly<Record<string, Ecosystem>> = {
  node_modules: "node",
  ".yarn": "node",
  ".pnp.cjs": "node",
  ".pnp.js": "node",
  ".pnp.loader.mjs": "node",
  ".pnp.data.json": "node",
  bower_components: "node",
  jspm_packages: "node",
  __pypackages__: "python",
  "site-packages": "python",
  // Also where packages were installed into it without making an environment.
  ".venv": "python",
  venv: "python",
  vendor: "other",
  Pods: "other",
  deps: "other",
};

/** `has` says whether the workspace has a file. */
export function dependencyRoots(ignored: readonly string[], has: (path: string) => boolean): DependencyRoot[] {
  return ignored.flatMap((entry): DependencyRoot[] => {
    const path = entry.replace(/\/+$/, "");
    const of = path === "" || path.split("/").includes(".git") ? null : ecosystemOf(path, has);
    return of === null ? [] : [{ path, of }];
  });
}

function ecosystemOf(path: string, has: (path: string) => boolean): Ecosystem | null {
  if (has(`${path}/pyvenv.cfg`)) return isTool(path) ? null : "python";
  // Written by a build backend for an editable install: Python reads the package's name and version from it.
  if (path.endsWith(".egg-info")) return "python";
  const own = names[posix.basename(path)];
  if (own !== undefined) return own;
  // Where part of a folder is tracked, git lists the ignored entries in it: .yarn/cache, vendor/bundle.
  const above = path.split("/").slice(0, -1);
  return above.includes(".yarn") ? "node" : above.includes("vendor") ? "other" : null;
}

/** Environments that a test tool creates by itself. */
const isTool = (path: string): boolean => path.split("/").some((part) => part === ".tox" || part === ".nox");

/** Programs of the workspace's environments; the nearest to the top first. */
export const programFolders = (roots: readonly DependencyRoot[]): string[] =>
  roots
    .filter(({ path, of }) => of === "python" && /^(?:\.?venv|env)$/.test(path))
    .map(({ path }) => `${path}/bin`)
    .sort();
