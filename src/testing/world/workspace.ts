// A workspace in memory that fulfills the contract of workspace.ts, and can crash in the middle of every method.
import { Bug, UserError } from "../../core/errors.ts";
import type { CommitId } from "../../core/ids.ts";
import type {
  Checkpoint,
  CommitOrder,
  Committed,
  Folded,
  LaidFile,
  Merged,
  MergeOrder,
  Misdeed,
  Workspace,
} from "../../workspace/workspace.ts";
import type { WorldClock } from "./clock.ts";
import type { Faults } from "./faults.ts";
import { branch, type KeptCheckpoint, type Repository } from "./repository.ts";
import type { Tree } from "./trees.ts";

/** Checkouts by folder name, for the checks that run in them. */
export type Scratches = Map<string, Tree>;

/** A workspace over the simulated repository. */
export function worldWorkspace(repo: Repository, scratches: Scratches, clock: WorldClock, faults: Faults): Workspace {
  const { trees } = repo;
  const step = (name: string) => faults.step(name);
  const kept = ({ id }: Checkpoint): KeptCheckpoint => {
    const found = repo.checkpoints.get(id);
    if (found === undefined) throw new Bug(`the world has no checkpoint ${id}`);
    return found;
  };

  return {
    root: "/workspace",
    kind: "git",
    inspect: async () => {
      step("inspecting");
      const head = repo.history()[0];
      const dirty = head === undefined ? [] : trees.changes(head.tree, repo.treeNow()).map(({ path }) => path);
      return { branch, head: repo.head, dirty, obstacles: [] };
    },
    checkpoint: async (id) => {
      const known = repo.checkpoints.get(id);
      if (known !== undefined) return known.checkpoint;
      step("before a checkpoint");
      const checkpoint: Checkpoint = { id, tree: repo.treeNow(), head: repo.head, branch };
      repo.checkpoints.set(id, { checkpoint, refs: new Map(repo.refs) });
      step("after a checkpoint");
      return checkpoint;
    },
    findCheckpoint: async (id) => {
      faults.mustLive();
      return repo.checkpoints.get(id)?.checkpoint ?? null;
    },
    forget: async (isOver) => {
      for (const { checkpoint } of [...repo.checkpoints.values()]) {
        step("while forgetting checkpoints");
        if (isOver(checkpoint.id)) repo.checkpoints.delete(checkpoint.id);
      }
    },
    tree: async (lay = []) => {
      step("taking a tree");
      return trees.keep(trees.lay(trees.get(repo.treeNow()), lay));
    },
    fold: async (before) => {
      step("before folding");
      const folded = fold(repo, kept(before), clock.now(), step);
      step("after folding");
      return folded;
    },
    restore: async (to, why) => {
      step("before a restore");
      const { checkpoint, refs } = kept(to);
      const differing = trees.changes(repo.treeNow(), checkpoint.tree);
      const isSame = differing.length === 0 && sameRefs(repo.refs, refs);
      const quarantine = isSame ? null : repo.setAside(clock.now(), why);
      const wanted = trees.get(checkpoint.tree);
      for (const { path } of differing) {
        step(`in the middle of a restore, before ${path}`);
        const text = wanted.get(path);
        if (text === undefined) repo.folder.delete(path);
        else repo.folder.set(path, text);
      }
      step("between the files and the refs of a restore");
      putBackRefs(repo, refs);
      step("after a restore");
      return { tree: checkpoint.tree, quarantine, files: differing.map(({ path }) => path) };
    },
    setFiles: async (tree, { why, except }) => {
      step("before setting files");
      const wanted = trees.get(tree);
      const paths = trees.changes(repo.treeNow(), tree).map(({ path }) => path);
      const files = paths.filter((path) => except?.has(path) !== true);
      if (files.length === 0) return { tree, quarantine: null, files };
      const quarantine = repo.setAside(clock.now(), why);
      step("in the middle of setting files");
      setPaths(repo, wanted, files);
      step("after setting files");
      return { tree, quarantine, files };
    },
    clear: async (before, why) => {
      step("before clearing");
      for (const [name, tip] of kept(before).refs) if (name !== branch) repo.refs.set(name, tip);
      const tip = repo.history()[0];
      if (tip === undefined) throw new Bug("a branch was moved to nothing");
      const files = trees.changes(repo.treeNow(), tip.tree).map(({ path }) => path);
      if (files.length === 0) return { tree: tip.tree, quarantine: null, files };
      const quarantine = repo.setAside(clock.now(), why);
      step("in the middle of clearing");
      setPaths(repo, trees.get(tip.tree), files);
      step("after clearing");
      return { tree: tip.tree, quarantine, files };
    },
    merge: async (order) => {
      faults.mustLive();
      return merge(repo, order);
    },
    hold: async ({ name, tree, parent, subject }) => {
      step("before holding");
      repo.refs.set(`loop/held/${name}`, repo.object("loop", tree, parent, subject, {}));
      step("after holding");
      return `loop/held/${name}`;
    },
    release: async ({ name }) => {
      step("before releasing");
      repo.refs.delete(`loop/held/${name}`);
      step("after releasing");
    },
    changes: async (from, to) => {
      faults.mustLive();
      return trees.changes(from, to);
    },
    diff: async (from, to, bytesMax) => {
      faults.mustLive();
      return trees
        .changes(from, to)
        .map(({ path, kind }) => `${kind} ${path}\n`)
        .join("")
        .slice(0, bytesMax);
    },
    read: async (tree, path) => {
      const text = trees.get(tree).get(path);
      return text === undefined ? null : Buffer.from(text);
    },
    list: async (tree) => [...trees.get(tree).keys()],
    head: async () => repo.head,
    newestWithout: async (commit, trailer) =>
      repo.history(commit).find(({ trailers }) => trailers[trailer] === undefined)?.tree ?? null,
    readAll: async (tree, paths) =>
      new Map(paths.flatMap((path) => bytesIn(trees.get(tree), path).map((bytes) => [path, bytes] as const))),
    compose: async (tree, lay) =>
      trees.keep(
        trees.lay(
          trees.get(tree),
          lay.map((file) =>
            "content" in file ? file : { path: file.path, content: trees.get(file.from).get(file.path) ?? null },
          ),
        ),
      ),
    commit: async (order) => {
      step("before a commit");
      return commit(repo, order, step);
    },
    scratch: async (name, tree, { lay = [] }) => {
      step(`checking out ${name}`);
      scratches.set(`/scratch/${name}`, trees.lay(trees.get(tree), lay));
      return { dir: `/scratch/${name}`, tree, dispose: async () => void scratches.delete(`/scratch/${name}`) };
    },
    quarantine: {
      list: async () => repo.quarantine.map(({ id, at, why, tree }) => ({ id, at, why, files: trees.get(tree).size })),
      files: async (id) => [...trees.get(setAside(repo, id)).keys()],
      bringBack: async (id, { paths }) => {
        const found = [...trees.get(setAside(repo, id))].filter(([path]) => paths?.includes(path) ?? true);
        repo.setAside(clock.now(), `before ${id} was brought back`);
        for (const [path, text] of found) repo.folder.set(path, text);
        return found.map(([path]) => path);
      },
    },
  };
}

function setPaths(repo: Repository, wanted: Tree, paths: readonly string[]): void {
  for (const path of paths) {
    const text = wanted.get(path);
    if (text === undefined) repo.folder.delete(path);
    else repo.folder.set(path, text);
  }
}

/** By file only: this world does not need merges by line. */
function merge({ trees }: Repository, { base, ours, theirs, except }: MergeOrder): Merged {
  const [was, mine, other] = [trees.get(base), trees.get(ours), trees.get(theirs)];
  const laid: LaidFile[] = [];
  const paths: string[] = [];
  for (const { path } of trees.changes(base, theirs)) {
    if (except.has(path) || mine.get(path) === other.get(path)) continue;
    if (mine.get(path) === was.get(path)) laid.push({ path, content: other.get(path) ?? null });
    else paths.push(path);
  }
  return paths.length > 0 ? { is: "conflict", paths } : { is: "merged", tree: trees.keep(trees.lay(mine, laid)) };
}

function setAside(repo: Repository, id: string): Repository["quarantine"][number]["tree"] {
  const found = repo.quarantine.find((entry) => entry.id === id);
  if (found !== undefined) return found.tree;
  throw new UserError("no-such-entry", { what: "Nothing was brought back.", why: `There is no ${id}.`, next: "" });
}

function fold(repo: Repository, before: KeptCheckpoint, now: number, step: (name: string) => void): Folded {
  const misdeeds: Misdeed[] = [];
  if (!repo.isWhole) {
    misdeeds.push({ kind: "git-destroyed", what: ".git was removed; it was rebuilt" });
    for (const [name, tip] of before.refs) repo.refs.set(name, tip);
    repo.isWhole = true;
    step("after rebuilding .git");
  }
  const fresh = repo.history(repo.head, before.checkpoint.head);
  const stranger = fresh.find(({ by }) => by !== "agent");
  if (stranger !== undefined) {
    const { id, by, subject } = stranger;
    const movedBy = { commit: id, who: by, subject, agents: fresh.indexOf(stranger) };
    return { commits: [], misdeeds, movedBy, quarantine: null };
  }
  for (const [name, tip] of repo.refs)
    if (name !== branch && before.refs.get(name) !== tip) misdeeds.push({ kind: "ref-changed", what: `${name} moved` });
  for (const name of before.refs.keys())
    if (!repo.refs.has(name)) misdeeds.push({ kind: "ref-changed", what: `${name} was removed` });
  const isSame = sameRefs(repo.refs, before.refs);
  const quarantine = isSame ? null : repo.setAside(now, "what an agent did to the repository");
  step("in the middle of folding");
  putBackRefs(repo, before.refs);
  return { commits: fresh.map(({ id }) => id), misdeeds, movedBy: null, quarantine };
}

const sameRefs = (a: ReadonlyMap<string, CommitId>, b: ReadonlyMap<string, CommitId>): boolean =>
  a.size === b.size && [...a].every(([name, tip]) => b.get(name) === tip);

function putBackRefs(repo: Repository, refs: ReadonlyMap<string, CommitId>): void {
  for (const name of repo.refs.keys()) if (!refs.has(name)) repo.refs.delete(name);
  for (const [name, tip] of refs) repo.refs.set(name, tip);
}

function commit(repo: Repository, order: CommitOrder, step: (name: string) => void): Committed {
  const wanted = Object.entries(order.trailers);
  const earlier = repo
    .history(repo.head, order.parent)
    .find(({ trailers }) => wanted.every(([name, value]) => trailers[name] === value));
  if (earlier !== undefined) return { is: "adopted", commit: earlier.id, tree: earlier.tree };
  if (repo.head !== order.parent) return { is: "moved", head: repo.head };
  const made = repo.object("loop", order.tree, order.parent, order.subject, order.trailers);
  step("between a commit and its branch");
  repo.refs.set(branch, made);
  step("after a commit");
  return { is: "made", commit: made, tree: order.tree };
}

function bytesIn(tree: ReadonlyMap<string, string>, path: string): Buffer[] {
  const text = tree.get(path);
  return text === undefined ? [] : [Buffer.from(text)];
}
