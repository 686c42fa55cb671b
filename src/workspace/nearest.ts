// Which workspace a folder belongs to.
import * as fs from "node:fs";
import { dirname, join } from "node:path";

/** The nearest folder, from `start` upwards, that git keeps or that has a loop.yaml; where there is none, `start` itself. */
export function nearestWorkspace(start: string): string {
  for (let at = start; ; at = dirname(at)) {
    if (fs.existsSync(join(at, ".git")) || fs.existsSync(join(at, "loop.yaml"))) return fs.realpathSync(at);
    if (dirname(at) === at) return fs.realpathSync(start);
  }
}
