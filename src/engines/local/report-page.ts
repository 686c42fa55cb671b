// The page of a run for the browser, written on demand.
import { join } from "node:path";
import { runFiles } from "../../project/home.ts";
import { ignoreOurOwn } from "../../project/ignore-own.ts";
import { workspaceDisk } from "../../project/workspace-disk.ts";
import { reportHtml } from "../../runtime/records/html/page.ts";
import { readProofs } from "../../runtime/records/html/proof-view.ts";
import type { Story } from "../../runtime/story.ts";
import { reportPath } from "./mirror.ts";
import { patternOf } from "./pattern.ts";
import { homeOf } from "./read-story.ts";

/** Rewrites the page of a run from its journal and its proofs, and returns its path. */
export function writeReportPage(root: string, run: string, story: Story): string {
  const { run: state, chronicle } = story;
  const { home } = homeOf(root, run);
  const disk = workspaceDisk(root);
  const page = reportHtml(state, chronicle, readProofs(chronicle, runFiles(home.dir)), patternOf(root, story).hint);
  const path = reportPath(home);
  ignoreOurOwn(disk);
  if (disk.read(path) !== page) disk.write(path, page);
  return join(root, path);
}
