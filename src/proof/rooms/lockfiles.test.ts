// When two trees require the same packages.
import { expect, test } from "vitest";
import { dependencyKeys, nodePackages } from "./lockfiles.ts";

const base = {
  "package.json": JSON.stringify({
    name: "a",
    scripts: { test: "x" },
    dependencies: { left: "1" },
    workspaces: ["packages/*"],
  }),
  "package-lock.json": "{}",
  "packages/b/package.json": JSON.stringify({ name: "b", version: "1.0.0" }),
  "test/fixtures/c/package.json": JSON.stringify({ dependencies: { right: "1" } }),
  "pyproject.toml":
    '[project]\nname = "p"\nversion = "1"\ndependencies = [\n  "attrs",\n]\n[tool.ruff]\nline-length = 80\n',
  "requirements-dev.txt": "pytest\n",
};
const keys = (changes: Record<string, string> = {}) => dependencyKeys(new Map(Object.entries({ ...base, ...changes })));

test.each([
  { what: "a script", path: "package.json", to: base["package.json"].replace('"x"', '"y"') },
  { what: "a fixture's manifest", path: "test/fixtures/c/package.json", to: "{}" },
  { what: "a member's version", path: "packages/b/package.json", to: '{"name":"b","version":"2.0.0"}' },
  { what: "a linter's setting", path: "pyproject.toml", to: base["pyproject.toml"].replace("80", "100") },
])("$what does not require other packages", ({ path, to }) => {
  expect(keys({ [path]: to })).toEqual(keys());
});

test.each([
  { what: "a dependency", path: "package.json", to: base["package.json"].replace('"1"', '"2"'), of: "node" },
  { what: "a lockfile", path: "package-lock.json", to: '{"a":1}', of: "node" },
  {
    what: "a member's dependency",
    path: "packages/b/package.json",
    to: '{"name":"b","dependencies":{"x":"1"}}',
    of: "node",
  },
  {
    what: "a project's dependency",
    path: "pyproject.toml",
    to: base["pyproject.toml"].replace("attrs", "attrs>2"),
    of: "python",
  },
  { what: "a requirement", path: "requirements-dev.txt", to: "pytest>8\n", of: "python" },
] as const)("$what asks for other packages of $of alone", ({ path, to, of }) => {
  const [now, then] = [keys({ [path]: to }), keys()];
  expect(Object.keys(now).filter((name) => now[name as typeof of] !== then[name as typeof of])).toEqual([of]);
});

test("reads the members of a pnpm workspace", () => {
  const texts = new Map([
    ["pnpm-workspace.yaml", 'packages:\n  - "libs/*"\n  - "!libs/old"\n'],
    ["libs/x/package.json", "{}"],
    ["other/package.json", "{}"],
  ]);
  expect(nodePackages(texts)).toEqual(["libs/x/package.json"]);
});
