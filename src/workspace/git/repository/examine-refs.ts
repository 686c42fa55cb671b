// What happened to the refs since a checkpoint, and by whom. Commits are read from the store, never from the workspace.

import { agentCommitterEmail } from "../../../core/agent-identity.ts";
import { type CommitId, commitId } from "../../../core/ids.ts";
import type { Folded, Misdeed } from "../../workspace.ts";
import { fields } from "../git.ts";
import { type Ground, inStore } from "../ground.ts";
import type { GitFiles } from "./git-files.ts";
import { agentsChanges, isShared, removedMisdeed } from "./others.ts";
import type { RefChange } from "./put-back-ref.ts";
import { headOf, type Refs, refsOf, resolveRef, tipsOf } from "./refs.ts";

export type ExaminedRefs = {
  /** The agent's commits on the current branch, oldest first. */
  commits: readonly CommitId[];
  movedBy: Folded["movedBy"];
  putBack: readonly RefChange[];
  misdeeds: readonly Misdeed[];
  /** Tips that no ref will hold afterwards. */
  tips: readonly string[];
};
type NewCommit = { id: CommitId; email: string; who: string; subject: string };

export async function examineRefs(ground: Ground, before: GitFiles, now: GitFiles, own: string): Promise<ExaminedRefs> {
  const shared = isShared(before, now, own);
  const [old, current] = [refsOf(ground.vault, before), refsOf(ground.vault, now)];
  const [oldHead, head] = [headOf(ground.vault, before, own), headOf(ground.vault, now, own)];
  const branch = oldHead.branch === null ? null : `refs/heads/${oldHead.branch}`;
  // In a shared repository, commits that another branch has are not news on this one: the agent only merged them.
  const elsewhere = shared ? tipsOf(new Map([...current].filter(([name]) => name !== branch))) : [];
  const known = [...tipsOf(old), ...elsewhere, ...(oldHead.commit === null ? [] : [oldHead.commit])];
  const branchTip = branch === null ? head.commit : resolveRef(current, branch);
  const tips = [...new Set([branchTip, head.commit].filter((tip) => tip !== null))].filter(
    (tip) => !known.includes(tip),
  );
  const fresh = await newCommits(ground, tips, known);
  const stranger = fresh.find(({ email }) => email !== agentCommitterEmail);
  const moved = differing(old, current);
  const notOwn = moved.filter(({ name }) => name !== branch);
  const isLost = async (tip: string) => (await newCommits(ground, [tip], tipsOf(current))).length > 0;
  const others = shared
    ? await agentsChanges(ground, notOwn, now, isLost)
    : await judgeOthers(ground, notOwn, [...tipsOf(old), ...(oldHead.commit === null ? [] : [oldHead.commit])]);
  const own_ = moved.filter(({ name }) => name === branch);
  const rewritten = branchTip !== oldHead.commit && !(await isAncestor(ground, oldHead.commit, branchTip));
  return {
    commits: fresh.map(({ id }) => id).reverse(),
    movedBy:
      stranger === undefined
        ? null
        : {
            commit: stranger.id,
            who: stranger.who,
            subject: stranger.subject,
            agents: fresh.findIndex(({ email }) => email !== agentCommitterEmail),
          },
    putBack: [...own_, ...others],
    misdeeds: [
      ...own_
        .filter(() => rewritten)
        .map(({ name, from }) => ({
          kind: "ref-changed" as const,
          what: from === null ? `${name} was removed` : `the history of ${name} was changed`,
        })),
      ...others.map((change) => (shared && change.from === null ? removedMisdeed(change.name) : misdeedOf(change))),
    ],
    tips: [
      ...new Set([...tips, ...[...own_, ...others].flatMap(({ from }) => (from !== null && isId(from) ? [from] : []))]),
    ],
  };
}

const isId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

function differing(old: Refs, current: Refs): RefChange[] {
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((name) => ({ name, from: current.get(name) ?? null, to: old.get(name) ?? null }))
    .filter(({ from, to }) => from !== to);
}

function misdeedOf({ name, from, to }: RefChange): Misdeed {
  if (name === "refs/stash")
    return { kind: "stash-changed", what: from === null ? "the stash was dropped" : "the stash was changed" };
  // Many agents work on a branch of their own. Nothing of anyone else's is changed by that.
  if (to === null && name.startsWith("refs/heads/")) return { kind: "branch-made", what: `${name} was made` };
  const how = from === null ? "removed" : to === null ? "made" : "moved";
  return { kind: "ref-changed", what: `${name} was ${how}` };
}

/**
 * A person may fetch, or commit in another worktree, while an agent works here. A ref that only moved forward, to a new
 * commit that none of our agents made, is theirs and stays.
 */
async function judgeOthers(
  ground: Ground,
  changes: readonly RefChange[],
  known: readonly string[],
): Promise<RefChange[]> {
  const putBack: RefChange[] = [];
  for (const change of changes) {
    const fresh = change.from === null || !isId(change.from) ? [] : await newCommits(ground, [change.from], known);
    const theirs = fresh[0] !== undefined && fresh[0].email !== agentCommitterEmail && change.name !== "refs/stash";
    if (!theirs || !(await isAncestor(ground, change.to, change.from))) putBack.push(change);
  }
  return putBack;
}

/** Commits reachable from `tips` but not from `known`, newest first. Ignores tips that are missing or no commits. */
async function newCommits(ground: Ground, tips: readonly string[], known: readonly string[]): Promise<NewCommit[]> {
  const from = await onlyCommits(ground, tips);
  if (from.length === 0) return [];
  const input = [...from, ...(await onlyCommits(ground, known)).map((id) => `^${id}`)]
    .map((rev) => `${rev}\n`)
    .join("");
  const args = ["log", "-z", "--topo-order", "--format=%H%x1f%ce%x1f%cn%x1f%s", "--stdin"];
  return fields(await ground.git(args, { ...inStore(ground), input })).map((text) => {
    const [id = "", email = "", name = "", ...subject] = text.split("\x1f");
    return { id: commitId(id), email, who: `${name} <${email}>`, subject: subject.join(" ") };
  });
}

async function onlyCommits(ground: Ground, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const input = ids.map((id) => `${id}^{commit}\n`).join("");
  const { stdout } = await ground.git(["cat-file", "--batch-check"], { ...inStore(ground), input });
  return stdout
    .toString("utf8")
    .split("\n")
    .flatMap((text) => /^([0-9a-f]+) commit \d+$/.exec(text)?.[1] ?? []);
}

async function isAncestor(ground: Ground, old: string | null, current: string | null): Promise<boolean> {
  if (old === null) return true;
  if (current === null) return false;
  const { code } = await ground.git(["merge-base", "--is-ancestor", old, current], {
    ...inStore(ground),
    codes: [1, 128],
  });
  return code === 0;
}
