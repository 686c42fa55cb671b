// Which workspace a folder belongs to.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { looksKept } from "./git/repo.ts";

/** The nearest folder, from `start` upwards, that git keeps or that has a loop.yaml; where there is none, `start` itself. */
export function nearestWorkspace(start: string): string {
  // Here a broken `.git` is this workspace's own, and can be mended; further up it is nobody's.
  if (fs.existsSync(join(start, ".git"))) return fs.realpathSync(start);
  for (let at = start; ; at = dirname(at)) {
    if (looksKept(at) || fs.existsSync(join(at, "loop.yaml"))) return fs.realpathSync(at);
    if (dirname(at) === at) return fs.realpathSync(start);
  }
}
