// Which of the ignored paths are installed dependencies: everything else that is ignored is an output or a secret.
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
  // Also where packages were installed into it and no environment was made.
  ".venv": "python",
  venv: "python",
  vendor: "other",
  Pods: "other",
  deps: "other",
};

/** `has` says whether a file is there in the workspace. */
export function dependencyRoots(ignored: readonly string[], has: (path: string) => boolean): DependencyRoot[] {
  return ignored.flatMap((entry): DependencyRoot[] => {
    const path = entry.replace(/\/+$/, "");
    const of = path === "" || path.split("/").includes(".git") ? null : ecosystemOf(path, has);
    return of === null ? [] : [{ path, of }];
  });
}

function ecosystemOf(path: string, has: (path: string) => boolean): Ecosystem | null {
  if (has(`${path}/pyvenv.cfg`)) return isTool(path) ? null : "python";
  // What a build backend wrote for an editable install: the package's name and version are read from it.
  if (path.endsWith(".egg-info")) return "python";
  const own = names[posix.basename(path)];
  if (own !== undefined) return own;
  // Where part of a folder is tracked, git lists what is ignored in it: .yarn/cache, vendor/bundle.
  const above = path.split("/").slice(0, -1);
  return above.includes(".yarn") ? "node" : above.includes("vendor") ? "other" : null;
}

/** Environments that a test tool makes itself and would make again. */
const isTool = (path: string): boolean => path.split("/").some((part) => part === ".tox" || part === ".nox");

/** Programs that an environment of the workspace brings; the nearest to the top first. */
export const programFolders = (roots: readonly DependencyRoot[]): string[] =>
  roots
    .filter(({ path, of }) => of === "python" && /^(?:\.?venv|env)$/.test(path))
    .map(({ path }) => `${path}/bin`)
    .sort();
