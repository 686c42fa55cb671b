// Other people and other runs in the same repository: what they may change while an agent works in one worktree of it.
import { agentCommitterEmail } from "../../../core/agent-identity.ts";
import type { Misdeed } from "../../workspace.ts";
import type { Ground } from "../ground.ts";
import { type GitFiles, textOf } from "./git-files.ts";
import type { RefChange } from "./put-back-ref.ts";

/**
 * Whether others may work in this repository too: it has linked worktrees, or a run has begun in one meanwhile. `own` is
 * this worktree's prefix.
 */
export const isShared = (before: GitFiles, now: GitFiles, own: string): boolean =>
  own !== "" || has(before, "worktrees/") || has(now, "worktrees/loop-");

const has = ({ files }: GitFiles, prefix: string): boolean =>
  Object.keys(files).some((path) => path.startsWith(prefix));

/** Branches of runs in other worktrees, and branches that show held work. Their runs look after them. */
const ofRuns = /^refs\/heads\/loop\//;
/** Whoever fetches or pops a stash removes these in passing. */
const passing = /^refs\/(?:remotes\/|stash$)/;

/**
 * Of the refs that changed, those that this worktree's agent changed. Its git commands sign the reflog. A removed ref has
 * no reflog: it is restored if its commits would be lost, and no violation is recorded.
 */
export async function agentsChanges(
  ground: Ground,
  changes: readonly RefChange[],
  now: GitFiles,
  isLost: (tip: string) => Promise<boolean>,
): Promise<RefChange[]> {
  const found: RefChange[] = [];
  for (const change of changes) {
    if (ofRuns.test(change.name)) continue;
    const isTheirs =
      change.from === null
        ? !passing.test(change.name) && change.to !== null && (await isLost(change.to))
        : isByAgent(ground, now, change.name, change.from);
    if (isTheirs) found.push(change);
  }
  return found;
}

function isByAgent({ vault }: Ground, now: GitFiles, name: string, to: string): boolean {
  const lines = (textOf(vault, now.files[`logs/${name}`]) ?? "").trimEnd().split("\n");
  const [, id, email] = /^\S+ (\S+) .*<([^>]*)> \d+ [+-]\d+/.exec(lines.at(-1) ?? "") ?? [];
  return id === to && email === agentCommitterEmail;
}

export const removedMisdeed = (name: string): Misdeed => ({
  kind: "ref-removed",
  what: `${name} was removed, and nothing else holds its commits; it was put back`,
});

/** Whether a changed file of `.git` belongs to others, so that it stays as it is. */
export function isOthersFile(ground: Ground, path: string, before: GitFiles, now: GitFiles, own: string): boolean {
  if (path === "config") return branchesOnly(ground, before, now);
  if (own === "") return path.startsWith("worktrees/") || path.startsWith("logs/refs/heads/loop/");
  return !path.startsWith(own) && !/^(?:hooks\/|info\/(?:exclude|attributes)$|objects\/info\/alternates$)/.test(path);
}

/** A lock of another process may be in use right now. */
export const isOwnLock = (lock: string, own: string): boolean =>
  own === "" ? lock === "index.lock" || lock === "HEAD.lock" : lock.startsWith(own);

/** `git push -u` and `git switch` note where a branch comes from. No such line can run a program. */
function branchesOnly({ vault }: Ground, before: GitFiles, now: GitFiles): boolean {
  const [was, is] = [before, now].map(({ files }) => textOf(vault, files["config"]));
  return was != null && is != null && withoutBranches(was) === withoutBranches(is);
}

function withoutBranches(config: string): string {
  let isBranch = false;
  const kept = config.split("\n").filter((line) => {
    if (/^\s*\[/.test(line)) isBranch = /^\s*\[branch\s+"(?:[^"\\]|\\.)*"\]\s*$/.test(line);
    return !isBranch && line.trim() !== "";
  });
  return kept.join("\n");
}
