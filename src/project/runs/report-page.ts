// The page of a run for the browser, written on demand.
import { join } from "node:path";
import { reportHtml } from "../../report/html/page.ts";
import type { Overview } from "../../report/overview.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { ignoreOurOwn } from "../place/ignore-own.ts";
import { workspaceDisk } from "../place/workspace-disk.ts";
import { runDir, runFiles } from "./home.ts";

/** The page's path in the workspace. */
export const reportPath = (task: string, run: string): string => `.loop/tasks/${task}/runs/${run}/report.html`;

/** Rewrites the page of a run, and returns its path. */
export function writeReportPage(root: string, run: Overview): string {
  const page = reportHtml(run);
  // The folder is not where the run works: the page is written where the run is kept.
  if (run.worktree !== null) return writeInVault(root, run.run, page);
  const disk = workspaceDisk(root);
  const path = reportPath(run.task, run.run);
  ignoreOurOwn(disk);
  if (disk.read(path) !== page) disk.write(path, page);
  return join(root, path);
}

function writeInVault(root: string, run: string, page: string): string {
  const files = runFiles(runDir(vaultDirFor(root), run));
  files.write("report.html", page, "derived");
  return files.path("report.html");
}
