// Which changed files count as steering a person's tools.
import { expect, test } from "vitest";
import { steeringAmong } from "./steering-files.ts";

const among = (...paths: string[]): string[] => paths.filter(steeringAmong(paths));

test.each([
  "CLAUDE.md .agents/skills/a/SKILL.md .kiro/hooks/a.json .claude-plugin/plugin.json opencode.json .mcp.json",
  ".devcontainer.json .devcontainer/devcontainer.json .idea/workspace.xml .zed/tasks.json .theia/tasks.json",
  ".vscode/tasks.json packages/a/.vscode/settings.json x.code-workspace .exrc .nvim.lua src/.dir-locals.el",
  ".envrc .envrc.local sub/.envrc mise.toml .mise.toml mise.local.toml .config/mise/config.toml",
  ".husky/pre-commit lefthook.yml .pre-commit-config.yaml .overcommit.yml",
])("%s", (line) => {
  const paths = line.split(" ");
  expect(among(...paths)).toEqual(paths);
});

test("neither code nor what only an install or a CI service reads", () => {
  expect(among("src/mise.ts", "docs/agents.md", "idea/a.txt", "promise.toml", ".github/workflows/a.yml")).toEqual([]);
});

test.each(["objects/a", "refs/heads/main", "config", "commondir"])(
  "a repository in plain files, by HEAD and %s",
  (file) => {
    const planted = ["bare/HEAD", `bare/${file}`];
    expect(among(...planted, "src/a.js", "bare.js")).toEqual(planted);
  },
);

test("a repository that is made over two changes is seen with the second", () => {
  expect(
    ["bare/config", "bare/refs/heads/main"].filter(steeringAmong(["bare/HEAD", "bare/config", "src/a.js"])),
  ).toEqual(["bare/config", "bare/refs/heads/main"]);
});

test("a file that is only called so is none", () => {
  expect(among("docs/HEAD", "src/config", "refs/a")).toEqual([]);
});
