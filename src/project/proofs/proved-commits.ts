// Commits that name a proof, read without running anything and without trusting object names.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { type CommitId, commitId, isPlainName, type TreeId, treeId } from "../../core/ids.ts";
import { lstatIfExists } from "../../host/disk.ts";
import { type Git, GitFailed, makeGit } from "../../workspace/git/git.ts";
import { locate } from "../../workspace/git/repository/repo.ts";

/** What a commit's trailers say about its proof. */
export type ProvedCommit = {
  readonly commit: CommitId;
  readonly tree: TreeId;
  readonly subject: string;
  readonly run: string;
  readonly feature: string;
  readonly iteration: number;
  readonly proof: string;
};

export type Commits = {
  /** The commit that a name resolves to; null: no such commit. */
  resolve(name: string): Promise<CommitId | null>;
  /** The commit's tree; null if the commit is missing or does not match its hash. */
  treeOf(commit: string): Promise<TreeId | null>;
  proved(commit: CommitId): Promise<ProvedCommit | null>;
  /** What the commit's trailer of this name says; empty: it has none. */
  trailer(commit: CommitId, name: string): Promise<string>;
  /** Every commit with a proof that is reachable from HEAD, newest first. */
  all(): Promise<readonly ProvedCommit[]>;
  /** Commits that `loop undo` took back on the way to HEAD, each with its revert commit. */
  undone(): Promise<ReadonlyMap<string, CommitId>>;
};

/** Names the commit that a revert commit of `loop undo` takes back. */
export const undoesTrailer = "Loop-Undoes";

/** Bounds the search: a history can be long. */
const depthMax = 20_000;

/** `home` is an empty folder for git; in a plain folder the commits are in the vault's store. */
export function commitsOf(root: string, home: string, store: string | null): Commits {
  const git = makeGit(home);
  const repo = store === null ? locate(root) : null;
  const at = store === null ? repo : { gitDir: store, commonDir: store };
  const where = at === null ? null : { gitDir: at.gitDir, commonDir: at.commonDir };
  const start = store === null ? "HEAD" : "refs/heads/workspace";

  async function raw(ids: readonly string[]): Promise<Map<string, Buffer>> {
    if (where === null || ids.length === 0) return new Map();
    return readCommits(git, where, ids);
  }
  async function history(which: readonly string[] = []): Promise<[CommitId, string][]> {
    if (where === null) return [];
    const list = await listed(git, where, start, which);
    const texts = await raw(list);
    return list.map((id) => [commitId(id), texts.get(id)?.toString("utf8") ?? ""]);
  }
  async function proved(commit: CommitId): Promise<ProvedCommit | null> {
    const text = (await raw([commit])).get(commit);
    return text === undefined ? null : provedCommit(commit, text.toString("utf8"));
  }
  return {
    proved,
    async trailer(commit, name) {
      const text = (await raw([commit])).get(commit);
      return text === undefined ? "" : trailersOf(text.toString("utf8"))(name);
    },
    async resolve(name) {
      if (where === null || name.startsWith("-") || name.includes("\0")) return null;
      const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
      const { code, stdout } = await git(args, { ...where, codes: [1, 128] });
      const id = stdout.toString("utf8").trim();
      return code === 0 && isHash(id) ? commitId(id) : null;
    },
    async treeOf(commit) {
      const text = (await raw([commit])).get(commit);
      return text === undefined ? null : treeIn(text.toString("utf8"));
    },
    async all() {
      return (await history()).flatMap(([id, text]) => provedCommit(id, text) ?? []);
    },
    async undone() {
      const found = await history([`--grep=^${undoesTrailer}: `]);
      const reverts = found.map(([id, text]) => [trailersOf(text)(undoesTrailer), id] as const);
      return new Map(reverts.filter(([commit]) => isHash(commit)).toReversed());
    },
  };
}

export type Where = { gitDir: string; commonDir: string };

export const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

async function listed(git: Git, where: Where, start: string, which: readonly string[]): Promise<string[]> {
  try {
    // Not `log`: it reads settings that a repository could use to run a program.
    const { stdout } = await git(["rev-list", `--max-count=${depthMax}`, ...which, start, "--"], where);
    return stdout.toString("utf8").split("\n").filter(isHash);
  } catch (error) {
    if (error instanceof GitFailed) return []; // No commit yet.
    throw error;
  }
}

/** Git trusts the names of loose objects, and an agent can write both, so each commit is hashed and compared. */
export async function readCommits(git: Git, where: Where, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const { stdout } = await git(["cat-file", "--batch"], { ...where, input: `${ids.join("\n")}\n` });
  const found = new Map<string, Buffer>();
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(10, at);
    if (end < 0) break;
    const [id = "", type = "", size = ""] = stdout.subarray(at, end).toString("utf8").split(" ");
    if (!/^\d+$/.test(size)) {
      at = end + 1; // "… missing": no content follows.
      continue;
    }
    const body = stdout.subarray(end + 1, end + 1 + Number(size));
    if (type === "commit" && nameOf(body, id.length) === id) found.set(id, body);
    at = end + 1 + Number(size) + 1;
  }
  return found;
}

const nameOf = (body: Buffer, length: number): string =>
  createHash(length === 40 ? "sha1" : "sha256")
    .update(`commit ${body.length}\0`)
    .update(body)
    .digest("hex");

export const treeIn = (text: string): TreeId | null => {
  const id = /^tree ([0-9a-f]+)$/m.exec(text)?.[1] ?? "";
  return isHash(id) ? treeId(id) : null;
};

const messageIn = (text: string): string => text.slice(text.indexOf("\n\n") + 2);

/** Trailers are the last paragraph; the same words further up do not count. */
function trailersOf(text: string): (name: string) => string {
  const last = messageIn(text).trimEnd().split("\n\n").at(-1)?.split("\n") ?? [];
  return (name) => last.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
}

export function provedCommit(commit: CommitId, text: string): ProvedCommit | null {
  const tree = treeIn(text);
  const trailer = trailersOf(text);
  const [run, feature, proof] = [trailer("Loop-Run"), trailer("Loop-Feature"), trailer("Loop-Proof")];
  const iteration = Number(trailer("Loop-Iteration"));
  if (tree === null || !/^[0-9a-f]{64}$/.test(proof)) return null;
  // They become file names, so only plain names are accepted.
  if (!isPlainName(run) || !isPlainName(feature) || !Number.isSafeInteger(iteration)) return null;
  const [subject = ""] = messageIn(text).split("\n", 1);
  return { commit, tree, subject, run, feature, iteration, proof };
}

/** The proof's file in the vault, else in the workspace's mirror; null if both are gone. */
export function readProof(
  root: string,
  vault: string,
  { run, feature, iteration }: ProvedCommit,
): { text: string; from: "vault" | "mirror" } | null {
  const name = `${feature}-i${iteration}.json`;
  const kept = readPlainFile(join(vault, "runs", run, "proofs", name));
  if (kept !== null) return { text: kept, from: "vault" };
  const tasks = join(root, ".loop", "tasks");
  for (const task of listedFolder(tasks)) {
    const text = readPlainFile(join(tasks, task, "runs", run, "proofs", name));
    if (text !== null) return { text, from: "mirror" };
  }
  return null;
}

const proofBytesMax = 32 << 20;

function readPlainFile(path: string): string | null {
  const stat = lstatIfExists(path);
  return stat?.isFile() === true && stat.size <= proofBytesMax ? fs.readFileSync(path, "utf8") : null;
}

function listedFolder(path: string): string[] {
  return lstatIfExists(path)?.isDirectory() === true ? fs.readdirSync(path).sort() : [];
}
