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
  "data/a.csv": "a,1\n",
};

type Given = {
  readonly description?: string;
  readonly mayTouch?: readonly string[];
  readonly programs?: readonly string[];
};

const questions = (paths: readonly string[], given: Given = {}): string[] =>
  asked(Object.fromEntries([...paths, ...(given.programs ?? [])].map((path) => [path, "x\n"])), {}, given);

const asked = (files: Texts, before: Texts = {}, given: Given = {}): string[] =>
  questionsAbout(sidesBetween({ ...base, ...before }, { ...base, ...before, ...files }), given);

function questionsAbout(sides: Sides, { description = "", mayTouch = [], programs = [] }: Given = {}): string[] {
  const changes = sides.changes.map((change) =>
    programs.includes(change.path) ? { ...change, executable: true as const } : change,
  );
  return unaskedFileQuestions({
    order: { contract: { scope: { mayTouch: [], mustNot: [] } } } as unknown as Parameters<
      typeof unaskedFileQuestions
    >[0]["order"],
    feature: feature("F1", { description, mayTouch }),
    sides: { ...sides, changes },
    release: () => false,
  });
}

test.each([
  ".pdbrc .irbrc .pryrc .Rprofile .ghci .gdbinit .lldbinit .lvimrc .local.vimrc .kakrc .luarc.json .clangd .project",
  ".hg/hgrc .jj/repo/config.toml .sl/config .helix/config.toml .vim/vimrc .fleet/run.json .settings/x.prefs .run/x.run.xml",
  ".tool-versions .python-version .nvmrc .autoenv.zsh .gitpod.yml .replit .tmux.conf src/.pdbrc",
  ".amp/settings.json .crush.json .factory/mcp.json .github/workflows/other.yml .github/dependabot.yml",
  "flake.nix shell.nix devenv.nix devbox.json x.sublime-project launch.vs.json sitecustomize.py",
  "GNUmakefile makefile justfile binding.gyp bunfig.toml deno.json eslint.config.mjs compose.override.yaml",
  "hooks/pre-commit husky/pre-commit gradlew ansible.cfg Session.vim Jenkinsfile fly.toml app.json tasks.py nbproject/project.xml",
  "WARP.md QWEN.md packages/x/package.json src/GNUmakefile no-such-tool.xyz",
])("asked about: %s", (line) => {
  for (const path of line.split(" "))
    expect(questions([path]), path).toEqual([expect.stringContaining(`does not name them: ${path}.`)]);
});

test.each([
  [".nvmrc", { description: "Add an .nvmrc with node 20" }],
  [".nvmrc", { description: "Add an nvmrc" }],
  [".github/workflows/release.yml", { description: "Add a workflow that publishes to npm" }],
  [".github/workflows/release.yml", { description: "Add release.yml" }],
  [".github/dependabot.yml", { description: "Turn on updates in .github" }],
  [".gitlab-ci.yml", { description: "Run the tests in CI" }],
  [".prettierrc.json", { description: "Format with a prettierrc" }],
  ["flake.nix", { description: "A flake.nix with node 20" }],
  [".helix/config.toml", { mayTouch: [".helix/**"] }],
  ["GNUmakefile", { mayTouch: ["GNUmakefile"] }],
  ["Makefile", { description: "Add a makefile with a target test" }],
  ["Dockerfile", { description: "Add a Dockerfile" }],
  ["eslint.config.mjs", { description: "Lint with eslint" }],
  ["ARCHITECTURE.md", { description: "Describe the architecture in ARCHITECTURE.md" }],
  ["packages/money/package.json", { description: "Move it to a package called money" }],
] as const)("%s is not asked about by a feature with %j", (path, given) => {
  expect(questions([path], given)).toEqual([]);
});

test("what only leaves something out, or is an example, is not asked about", () => {
  expect(
    questions([".gitignore", "src/.npmignore", ".env.example", "data/.gitkeep", ".dockerignore", ".editorconfig"]),
  ).toEqual([]);
});

test.each([
  ["product", "src/twice.js"],
  ["a test, and what it reads", "test/twice.test.js test/fixtures/a.json"],
  ["a document", "README.md docs/twice.md CHANGELOG.md SECURITY.md LICENSE notes.md"],
  ["a first lockfile", "package-lock.json"],
  ["one more of its kind, away from the top", "data/b.csv"],
  ["an example, or a tool of the project", "examples/twice.js scripts/release.sh tools/gen.py"],
])("not asked about: %s", (_, line) => {
  expect(questions(line.split(" "))).toEqual([]);
});

test("what only a new test reads is not asked about, except at the top", () => {
  const sides = (data: string) => ({ [data]: "a,1\n", "test/rows.test.js": `read("${data.split("/").at(-1)}")\n` });
  expect(asked(sides("rows/first.csv"))).toEqual([]);
  expect(asked(sides("compose.override.yml"))).toHaveLength(1);
});

test("in a folder without a manifest, one more of its kind is not asked about, and another is", () => {
  const texts = sidesBetween(
    { "one.txt": "1\n", LICENSE: "x\n" },
    { "one.txt": "1\n", LICENSE: "x\n", "two.txt": "2\n", tags: "x\n" },
  );
  expect(questionsAbout(texts)).toEqual([expect.stringContaining("does not name them: tags.")]);
});

test("a second lockfile is asked about", () => {
  expect(asked({ "npm-shrinkwrap.json": "{}\n" }, { "package-lock.json": "{}\n" })).toHaveLength(1);
});

test("a word is no name of a file", () => {
  expect(questions(["tasks.py"], { description: "Add dates to tasks" })).toHaveLength(1);
  expect(questions(["BUILD"], { description: "Make the build faster" })).toHaveLength(1);
  expect(questions(["app.json"], { description: "Start the app" })).toHaveLength(1);
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
