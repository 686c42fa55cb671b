// A change in a person's repository, to be shown. Nothing is written, and no program of the repository runs.
import { tmpdir } from "node:os";
import { GitFailed, makeGit } from "../git.ts";
import { locate } from "./repo.ts";

const plain = ["-r", "-p", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--ignore-submodules=all"];
const objectName = /^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?|refs\/heads\/loop\/held\/[A-Za-z0-9][\w.-]*)\^?$/;

/** `from` and `to` are objects or branches of held work; `^` is the commit before. Null: the repository has none of it. */
export async function changeBetween(
  root: string,
  from: string,
  to: string,
  bytesMax: number,
): Promise<{ readonly text: string; readonly isCut: boolean } | null> {
  const repo = locate(root);
  if (repo === null || !objectName.test(from) || !objectName.test(to)) return null;
  try {
    const options = { gitDir: repo.commonDir, bytesMax, timeoutMs: 10_000 };
    const { stdout, cut } = await makeGit(tmpdir())(["diff-tree", ...plain, from, to, "--"], options);
    return { text: stdout.toString("utf8"), isCut: cut };
  } catch (error) {
    if (error instanceof GitFailed) return null;
    throw error;
  }
}
