// Which files of `.git` differ from a checkpoint and must be restored.
import type { Misdeed } from "../../workspace.ts";
import { type GitFiles, sameFile } from "./git-files.ts";

export type FileChange = { path: string; misdeed: Misdeed | null };

// Leftovers of an agent's own git operation; the person had none in progress.
const operation =
  /^(?:MERGE_\w+|CHERRY_PICK_HEAD|REVERT_HEAD|AUTO_MERGE|REBASE_HEAD|BISECT_\w+|SQUASH_MSG|(?:rebase-merge|rebase-apply|sequencer)(?:\/.*)?)$/;
const configuration =
  /^(?:config|config\.worktree|commondir|gitdir|shallow|info(?:\/(?!refs$).*)?|objects\/info\/alternates|branches\/.*|remotes\/.*)$/;
const hooks = /^hooks(?:\/.*)?$/;

/** `exact` (a restore) also reverts reflogs and everything else of this worktree; a fold only what matters. */
export function examineFiles(before: GitFiles, now: GitFiles, own: string, exact: boolean): FileChange[] {
  const paths = [...new Set([...Object.keys(before.files), ...Object.keys(now.files)])].sort();
  return paths
    .filter((path) => !sameFile(before.files[path], now.files[path]))
    .flatMap((path) => judge(path, before, now, own, exact));
}

function judge(path: string, before: GitFiles, now: GitFiles, own: string, exact: boolean): FileChange[] {
  if (path === "packed-refs" || path.startsWith("refs/")) return []; // Refs are compared by value.
  const inModule =
    /^modules\/(.+?)\/((?:config|hooks|info|refs|logs|objects|HEAD|index|packed-refs|ORIG_HEAD)(?:\/.*)?)$/.exec(path);
  const name = inModule?.[2] ?? path;
  // A submodule that the agent added has no state to return to.
  if (inModule !== null && before.files[`modules/${inModule[1]}/HEAD`] === undefined) return [];
  if (hooks.test(name))
    return [{ path, misdeed: { kind: "hook-changed", what: `.git/${path} was ${how(path, before, now)}` } }];
  const mine = path.startsWith(own) ? path.slice(own.length) : null;
  if (configuration.test(name) || (mine !== null && configuration.test(mine)))
    return [{ path, misdeed: { kind: "config-changed", what: `.git/${path} was ${how(path, before, now)}` } }];
  const gone = now.files[path] === undefined;
  if (mine === null || (own === "" && path.startsWith("worktrees/"))) return gone ? [{ path, misdeed: null }] : [];
  if (mine === "HEAD") return [{ path, misdeed: { kind: "branch-switched", what: "HEAD was pointed elsewhere" } }];
  if (mine === "index" || operation.test(mine)) return [{ path, misdeed: null }];
  return exact && (before.files[path] !== undefined || path.startsWith("logs/")) ? [{ path, misdeed: null }] : [];
}

const how = (path: string, before: GitFiles, now: GitFiles): string =>
  now.files[path] === undefined ? "removed" : before.files[path] === undefined ? "added" : "changed";
