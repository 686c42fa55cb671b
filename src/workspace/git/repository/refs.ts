// Refs, read from the files of a git folder as stored in the vault.
import { type CommitId, commitId } from "../../../core/ids.ts";
import type { Vault } from "../../vault.ts";
import { type GitFiles, textOf } from "./git-files.ts";

/** Full ref names to their values: an object id, or `ref: <name>` for a symbolic one. */
export type Refs = ReadonlyMap<string, string>;
export type Head = { branch: string | null; commit: CommitId | null; text: string };

const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

export function refsOf(vault: Vault, { files }: GitFiles): Refs {
  const refs = new Map<string, string>();
  for (const line of (textOf(vault, files["packed-refs"]) ?? "").split("\n")) {
    const [id = "", name = ""] = line.split(" ");
    if (isHash(id) && name.startsWith("refs/")) refs.set(name, id);
  }
  // A loose ref takes precedence over a packed one.
  for (const [path, file] of Object.entries(files)) {
    if (path.startsWith("refs/")) refs.set(path, textOf(vault, file)?.trim() ?? "broken");
  }
  return refs;
}

/** HEAD of the worktree whose files are under `own`. An invalid HEAD is on no branch and has no commit. */
export function headOf(vault: Vault, files: GitFiles, own: string): Head {
  const text = textOf(vault, files.files[`${own}HEAD`])?.trim() ?? "";
  const refs = refsOf(vault, files);
  const branch = /^ref: refs\/heads\/(.+)$/.exec(text)?.[1] ?? null;
  const id = branch === null ? text : resolveRef(refs, `refs/heads/${branch}`);
  return { branch, text, commit: id !== null && isHash(id) ? commitId(id) : null };
}

export function resolveRef(refs: Refs, name: string): string | null {
  let value = refs.get(name);
  for (let depth = 0; value?.startsWith("ref: ") && depth < 5; depth++) value = refs.get(value.slice(5));
  return value !== undefined && isHash(value) ? value : null;
}

/** Every object that some ref points to. */
export const tipsOf = (refs: Refs): string[] => [...new Set([...refs.values()].filter(isHash))];
