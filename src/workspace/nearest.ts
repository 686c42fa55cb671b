// Which workspace a folder belongs to.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { looksKept } from "./git/repository/repo.ts";

/** The nearest folder, from `start` upwards, with a git repository or a loop.yaml; otherwise `start` itself. */
export function nearestWorkspace(start: string): string {
  // A broken `.git` here belongs to this workspace and can be repaired; further up it is ignored.
  if (fs.existsSync(join(start, ".git"))) return fs.realpathSync(start);
  for (let at = start; ; at = dirname(at)) {
    if (looksKept(at) || fs.existsSync(join(at, "loop.yaml"))) return fs.realpathSync(at);
    if (dirname(at) === at) return fs.realpathSync(start);
  }
}
