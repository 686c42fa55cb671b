// The page of a run for the browser, written on demand.
import { join } from "node:path";
import { reportHtml } from "../report/html/page.ts";
import { proofFiles, readProofs } from "../report/proof-view.ts";
import type { Story } from "../report/story.ts";
import { ignoreOurOwn } from "./ignore-own.ts";
import { workspaceDisk } from "./workspace-disk.ts";

/** The page's path in the workspace. */
export const reportPath = (task: string, run: string): string => `.loop/tasks/${task}/runs/${run}/report.html`;

/** Rewrites the page of a run from its story and its proofs, and returns its path. `file` reads a file of the run. */
export async function writeReportPage(
  root: string,
  { run, chronicle }: Story,
  file: (name: string) => Promise<string | null>,
  hint: string | null,
): Promise<string> {
  const names = proofFiles(chronicle);
  const texts = new Map(await Promise.all(names.map(async (name) => [name, await file(name)] as const)));
  const proofs = readProofs(chronicle, { read: (name) => texts.get(name) ?? null });
  const page = reportHtml(run, chronicle, proofs, hint);
  const disk = workspaceDisk(root);
  const path = reportPath(chronicle.task, chronicle.run);
  ignoreOurOwn(disk);
  if (disk.read(path) !== page) disk.write(path, page);
  return join(root, path);
}
