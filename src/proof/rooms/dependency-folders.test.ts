// Which ignored paths are taken for installed dependencies.
import { expect, test } from "vitest";
import { dependencyRoots, programFolders } from "./dependency-folders.ts";

const venvs = new Set([".venv/pyvenv.cfg", "env/pyvenv.cfg", ".tox/py312/pyvenv.cfg"]);
const of = (...ignored: string[]) => dependencyRoots(ignored, (path) => venvs.has(path));

test.each([
  { path: "node_modules/", is: "node" },
  { path: "packages/a/node_modules/", is: "node" },
  { path: ".venv/", is: "python" },
  { path: "env/", is: "python" },
  { path: "venv/", is: "python" },
  { path: "lib/site-packages/", is: "python" },
  { path: "src/thing.egg-info/", is: "python" },
  { path: ".yarn/cache/", is: "node" },
  { path: ".pnp.cjs", is: "node" },
  { path: "vendor/", is: "other" },
  { path: "vendor/bundle/", is: "other" },
])("$path is installed by $is", ({ path, is }) => {
  expect(of(path)).toEqual([{ path: path.replace(/\/$/, ""), of: is }]);
});

test.each(["dist/", ".env", "coverage/", "target/", ".tox/py312/", "env.local", "environment/", "/"])(
  "%s is not a dependency",
  (path) => {
    expect(of(path)).toEqual([]);
  },
);

test("only environments at the top provide programs", () => {
  expect(programFolders(of(".venv/", "node_modules/", "env/"))).toEqual([".venv/bin", "env/bin"]);
});
