// Where a branch is, and whether another program or a person moved it there.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { statIfExists } from "../../host/disk.ts";
import { GitFailed, makeGit } from "../../workspace/git/git.ts";
import { locate, type Repo } from "../../workspace/git/repository/repo.ts";

const commitsMax = "500";

export class Branch {
  readonly #root: string;
  readonly #name: string;
  #seen: { readonly stamp: string; readonly tip: string | null } | null = null;

  constructor(root: string, name: string) {
    this.#root = root;
    this.#name = name;
  }

  /** Its commit; null: there is no such branch. Git is asked only when a file has changed. */
  async tip(): Promise<string | null> {
    const repo = locate(this.#root);
    if (repo === null) return null;
    const stamp = stampOf(repo, this.#name);
    if (this.#seen?.stamp === stamp) return this.#seen.tip;
    const out = await ask(repo, ["rev-parse", "--verify", "--quiet", `refs/heads/${this.#name}^{commit}`]);
    const tip = out === "" ? null : out;
    this.#seen = { stamp, tip };
    return tip;
  }

  /** Whether a commit between the two is not the loop's own. */
  async isMovedByOthers(before: string, after: string): Promise<boolean> {
    const repo = locate(this.#root);
    if (repo === null) return false;
    const format = "--format=%x01%(trailers:key=Loop-Run,valueonly)";
    const out = await ask(repo, ["log", format, `--max-count=${commitsMax}`, `${before}..${after}`, "--"]);
    return out
      .split("\u0001")
      .slice(1)
      .some((trailer) => trailer.trim() === "");
  }
}

/** Refs are loose files, packed, or in tables; each of them is a new file after a change. */
function stampOf({ commonDir }: Repo, name: string): string {
  const places = [join("refs/heads", name), "packed-refs", "reftable/tables.list"];
  return places
    .map((place) => statIfExists(join(commonDir, place)))
    .map((stat) => (stat === undefined ? "-" : `${stat.ino}:${stat.mtimeMs}:${stat.size}`))
    .join(" ");
}

async function ask({ gitDir, commonDir }: Repo, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await makeGit(tmpdir())(args, { gitDir, commonDir, codes: [0, 1, 128] });
    return stdout.toString("utf8").trim();
  } catch (error) {
    if (error instanceof GitFailed) return "";
    throw error;
  }
}
