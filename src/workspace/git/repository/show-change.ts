// A change in a person's repository, to be shown. Nothing is written, and no program of the repository runs.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vaultDirFor } from "../../vault.ts";
import { GitFailed, makeGit } from "../git.ts";
import { locate } from "./repo.ts";

const plain = ["--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--ignore-submodules=all"];
const objectName = /^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?|refs\/heads\/loop\/held\/[A-Za-z0-9][\w.-]*)\^?$/;

/** What is read of a change. A line or a file that is longer must not hide the files after it. */
const bytesRead = 4 << 20;
const lineChars = 600;
const fileChars = 32 << 10;
const filesBytes = 1 << 20;

export type ShownChange = {
  /** In git's form, shortened. */
  readonly text: string;
  /** Something is left out. */
  readonly isCut: boolean;
  /** All files, whatever the text has of them. Null numbers: it is not text. */
  readonly files: readonly { readonly path: string; readonly added: number | null; readonly removed: number | null }[];
};

/**
 * `from` and `to` are objects or branches of held work; `^` is the commit before. `without`: files that are left out. Null: neither
 * the repository nor the vault has it.
 */
export async function changeBetween(
  root: string,
  from: string,
  to: string,
  without: readonly string[] = [],
): Promise<ShownChange | null> {
  const repo = locate(root);
  if (repo === null || !objectName.test(from) || !objectName.test(to)) return null;
  // Work that is not committed is in the vault alone.
  const store = join(vaultDirFor(root), "store.git");
  return (await changeIn(repo.commonDir, [from, to], without)) ?? changeIn(store, [from, to], without);
}

async function changeIn(
  gitDir: string,
  range: readonly [string, string],
  without: readonly string[],
): Promise<ShownChange | null> {
  const paths = without.map((path) => `:(exclude,top,literal)${path}`);
  const show = (form: readonly string[], bytesMax: number) =>
    makeGit(tmpdir())(["diff-tree", "-r", ...form, ...plain, ...range, "--", ...paths], {
      ...{ gitDir, bytesMax, timeoutMs: 10_000, env: { GIT_LITERAL_PATHSPECS: "0" } },
    });
  try {
    const listed = await show(["--numstat", "-z"], filesBytes);
    const { stdout, cut } = await show(["-p"], bytesRead);
    const { text, isCut } = shortenedFiles(stdout.toString("utf8"));
    return { text, isCut: isCut || cut || listed.cut, files: filesOf(listed.stdout.toString("utf8")) };
  } catch (error) {
    if (error instanceof GitFailed) return null;
    throw error;
  }
}

function filesOf(listed: string): ShownChange["files"] {
  return listed.split("\0").flatMap((record) => {
    const [, added = "", removed = "", path = ""] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(record) ?? [];
    const number = (text: string): number | null => (text === "-" ? null : Number(text));
    return path === "" ? [] : [{ path, added: number(added), removed: number(removed) }];
  });
}

function shortenedFiles(text: string): { text: string; isCut: boolean } {
  let isCut = false;
  let chars = 0;
  const lines = text.split("\n").flatMap((line) => {
    if (line.startsWith("diff --git ")) chars = 0;
    const shown = line.length > lineChars ? `${line.slice(0, lineChars)}…` : line;
    chars += shown.length;
    isCut ||= chars > fileChars || shown !== line;
    return chars > fileChars ? [] : [shown];
  });
  return { text: lines.join("\n"), isCut };
}
