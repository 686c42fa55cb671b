// The folder and its vault: can a run start here, and how much does the vault hold?
import * as fs from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../formats/config/settings.ts";
import { lstatIfExists } from "../../host/disk.ts";
import { obstacle, obstacleFor } from "../../runtime/preflight.ts";
import { findRepositoryRoot, openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import type { Finding } from "./finding.ts";

const what = "workspace";

export async function folderFinding(root: string, { recordsDir, place }: Settings): Promise<Finding[]> {
  const owner = fs.statSync(root).uid;
  const me = process.getuid?.() ?? owner;
  if (owner !== me)
    return [
      {
        what,
        is: "bad",
        says: `${root} belongs to another user (uid ${owner}), and its loop.yaml was not read`,
        next: "Work in a clone of your own.",
      },
    ];
  if (findRepositoryRoot(root) === null)
    return [
      {
        what,
        is: "bad",
        says: `${root} is not a git repository, so that there would be no commits and no branches.`,
        next: 'Run git init there, or work without git: loop --no-git "what should be done"',
      },
    ];
  const workspace = await openWorkspace({ root, vaultDir: vaultDirFor(root), kind: "git" });
  const condition = await workspace.inspect();
  const stop = obstacleFor(condition, recordsDir, place);
  if (stop !== null) return [{ what, is: "bad", says: stop.why, next: stop.next }];
  const here = obstacle(condition, recordsDir);
  if (here !== null) {
    const is =
      here.code === "dirty-tree" ? `${root} has uncommitted changes` : `${root}: ${here.why.replace(/\.$/, "")}`;
    return [{ what, is: "note", says: `${is}; a run works in a worktree, which is apart from it` }];
  }
  const where = condition.branch === null ? "at a detached HEAD" : `on the branch ${condition.branch}`;
  const clean: Finding = { what, is: "good", says: `${root} is clean, ${where}` };
  const detached = "Commits of a run would be on no branch: git switch --create NAME";
  return condition.branch === null ? [clean, { what, is: "note", says: detached }] : [clean];
}

/** `runs`: how many are kept there. */
export function vaultFinding(root: string, runs: string): Finding {
  const dir = vaultDirFor(root);
  if (!fs.existsSync(dir)) return { what: "vault", is: "note", says: `${dir} (none yet)` };
  const { bytes, isWhole } = sizeOf(dir);
  return { what: "vault", is: "good", says: `${dir}, ${runs}, ${isWhole ? "" : "more than "}${sizeText(bytes)}` };
}

const filesMax = 200_000;

function sizeOf(dir: string): { readonly bytes: number; readonly isWhole: boolean } {
  const names = fs.readdirSync(dir, { recursive: true, encoding: "utf8" });
  const bytes = names.slice(0, filesMax).reduce((sum, name) => {
    const stat = lstatIfExists(join(dir, name));
    return sum + (stat?.isFile() === true ? stat.size : 0);
  }, 0);
  return { bytes, isWhole: names.length <= filesMax };
}

function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const at = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`;
}
