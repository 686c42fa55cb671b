// New files that tools obey by themselves are asked about, unless the feature names them.
import { expect, test } from "vitest";
import { sidesBetween, type Texts } from "../../testing/sides-rig.ts";
import { feature } from "../../testing/world/contracts.ts";
import type { Sides } from "../sides.ts";
import { unaskedFileQuestions } from "./unasked-files.ts";

const base: Texts = {
  "package.json": '{ "type": "module" }',
  "src/sum.js": "export const sum = (a, b) => a + b;\n",
  ".github/workflows/ci.yml": "on: push\n",
  ".eslintrc.json": "{}",
};

type Given = {
  readonly description?: string;
  readonly mayTouch?: readonly string[];
  readonly programs?: readonly string[];
};

function questions(paths: readonly string[], { description = "", mayTouch = [], programs = [] }: Given = {}): string[] {
  const sides = sidesBetween(base, {
    ...base,
    ...Object.fromEntries([...paths, ...programs].map((path) => [path, "x\n"])),
  });
  const changes = sides.changes.map((change) =>
    programs.includes(change.path) ? { ...change, executable: true as const } : change,
  );
  return unaskedFileQuestions({
    order: { contract: { scope: { mayTouch: [], mustNot: [] } } } as unknown as Parameters<
      typeof unaskedFileQuestions
    >[0]["order"],
    feature: feature("F1", { description, mayTouch }),
    sides: { ...sides, changes } as Sides,
    release: () => false,
  });
}

test.each([
  ".pdbrc .irbrc .pryrc .Rprofile .ghci .gdbinit .lldbinit .lvimrc .local.vimrc .kakrc .luarc.json .clangd .project",
  ".hg/hgrc .jj/repo/config.toml .sl/config .helix/config.toml .vim/vimrc .fleet/run.json .settings/x.prefs .run/x.run.xml",
  ".tool-versions .python-version .nvmrc .autoenv.zsh .gitpod.yml .replit .tmux.conf src/.pdbrc",
  ".amp/settings.json .crush.json .factory/mcp.json .github/workflows/other.yml .github/dependabot.yml",
  "flake.nix shell.nix devbox.json x.sublime-project launch.vs.json sitecustomize.py",
])("asked about: %s", (line) => {
  for (const path of line.split(" "))
    expect(questions([path]), path).toEqual([expect.stringContaining(`does not name them: ${path}.`)]);
});

test.each([
  [".editorconfig", { description: "Add an .editorconfig with two spaces" }],
  [".editorconfig", { description: "Add an editorconfig" }],
  [".github/workflows/release.yml", { description: "Add a workflow that publishes to npm" }],
  [".github/workflows/release.yml", { description: "Add release.yml" }],
  [".github/dependabot.yml", { description: "Turn on updates in .github" }],
  [".gitlab-ci.yml", { description: "Run the tests in CI" }],
  [".prettierrc.json", { description: "Format with a prettierrc" }],
  ["flake.nix", { description: "A flake.nix with node 20" }],
  [".helix/config.toml", { mayTouch: [".helix/**"] }],
] as const)("%s is not asked about by a feature with %j", (path, given) => {
  expect(questions([path], given)).toEqual([]);
});

test("what only leaves something out, or is an example, is not asked about", () => {
  expect(questions([".gitignore", ".editorconfig", "src/.npmignore", ".env.example", "data/.gitkeep", ".dockerignore"])).toEqual([]);
});

test("a file that was there, and one that is refused anyway, are not", () => {
  expect(questions([".github/workflows/ci.yml", ".eslintrc.json", ".envrc", "AGENTS.md"])).toEqual([]);
});

test("a word of the feature is no name of a folder", () => {
  expect(questions([".helix/config.toml"], { description: "Read the config of github" })).toHaveLength(1);
  expect(questions([".github/dependabot.yml"], { description: "Call the API of github" })).toHaveLength(1);
});

test.each([
  ["run.sh", {}, 1],
  ["data/deep/run", {}, 1],
  ["run.sh", { description: "Add run.sh" }, 0],
  ["bin/list", {}, 0],
  ["scripts/release.sh", {}, 0],
  ["src/twice.js", {}, 0],
  ["test/run.test.sh", {}, 0],
] as const)("a program %s with %j", (path, given, count) => {
  expect(questions([], { ...given, programs: [path] })).toHaveLength(count);
});
