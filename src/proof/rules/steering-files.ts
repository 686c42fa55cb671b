// Files that a person's tools execute or obey once the folder is opened, or a command is run in it: agents, editors, shells,
// git. Files that only an install, a build or a CI service runs are code like any other.
import { matcher } from "../globs.ts";

const agents = [
  ".{claude,codex,gemini,opencode,cursor,windsurf,aider,continue,roo,clinerules,kiro,agents,claude-plugin,loop}{,/**}",
  "**/{CLAUDE,CLAUDE.local,AGENTS,AGENT,GEMINI,CONVENTIONS}.md",
  "**/.{cursorrules,windsurfrules,clinerules,goosehints}",
  ".aider.conf.yml",
  "opencode.{json,jsonc}",
  "**/.mcp.json",
  ".github/{copilot-instructions.md,instructions/**,prompts/**,chatmodes/**,agents/**}",
  "{loop,autoloop,superloop}.{yaml,yml,config}",
];
const editors = [
  "**/.{vscode,theia}/{tasks,settings,launch,mcp}.json",
  "**/.{idea,zed}/**",
  "**/*.code-workspace",
  ".devcontainer/**",
  ".devcontainer.json",
  "**/.{exrc,nvimrc,vimrc,nvim.lua,dir-locals.el,dir-locals-2.el}",
];
const shells = ["**/.envrc{,.*}", "**/{,.}mise{,.*}.toml", "**/.mise/**", ".config/mise/**", ".config/mise.toml"];
const hooks = [
  ".{husky,githooks,git-hooks}/**",
  "{lefthook,lefthook-local,.lefthook,.pre-commit-config,.overcommit}.{yml,yaml}",
];
const steering = [...agents, ...editors, ...shells, ...hooks];

/** Which files steer a person's tools. `paths`: all that there are, since a repository may be made bit by bit. */
export function steeringAmong(paths: readonly string[]): (path: string) => boolean {
  const [steers, repositories] = [matcher(steering), bareRepositories(paths)];
  return (path) => steers(path) || repositories.some((folder) => path.startsWith(folder));
}

/**
 * Folders that git takes for a repository although they have no `.git`: run there, it starts what their configuration names.
 * As prefixes of paths.
 */
function bareRepositories(paths: readonly string[]): string[] {
  const lower = paths.map((path) => path.toLowerCase());
  return paths
    .filter((path) => /(?:^|\/)head$/i.test(path))
    .map((path) => path.slice(0, -"head".length))
    .filter((folder) =>
      ["objects/", "refs/", "config", "commondir"].some((part) => {
        const inside = folder.toLowerCase() + part;
        return lower.some((path) => path === inside || (part.endsWith("/") && path.startsWith(inside)));
      }),
    );
}
