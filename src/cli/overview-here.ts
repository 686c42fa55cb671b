// A run as people are shown it in their folder, where its features may have been taken back since.
import { overviewOf } from "../engines/overview.ts";
import { undoneCommits } from "../project/runs/undone-commits.ts";
import type { Overview } from "../report/overview.ts";
import { withTakenBack } from "../report/taken-back.ts";
import type { Context } from "./context.ts";

export async function overviewHere({ engine, root }: Pick<Context, "engine" | "root">, id: string): Promise<Overview> {
  const run = await overviewOf(engine, id);
  return run.spent.commits === 0 ? run : withTakenBack(run, await undoneCommits(root));
}
