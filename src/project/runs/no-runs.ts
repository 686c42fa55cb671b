// What is said where no run is known. The runs of a folder are kept in the home of who began them: seen from another
// home, or as another user, the folder has their copies alone.
import * as fs from "node:fs";
import { join } from "node:path";
import { count } from "../../report/words/words.ts";

export function noRunsText(root: string): string {
  const copies = copiesIn(join(root, ".loop", "tasks"));
  if (copies === 0) return "No run was ever begun here.";
  return `No run of yours is known here, but .loop has the records of ${count(copies, "run")}, begun by another user or with another HOME. Only there can ${copies === 1 ? "it" : "they"} be resumed.`;
}

const copiesIn = (tasks: string): number =>
  namesIn(tasks).reduce((sum, task) => sum + namesIn(join(tasks, task, "runs")).length, 0);

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}
