// Plans a run for a client that asks nobody: what it begins is what the command line would begin in the same folder.
import { agentsToUse } from "../agents/chosen-agents.ts";
import { readOnce } from "../config/read-once.ts";
import { requireTrust } from "../config/trust.ts";
import { highestUsed } from "../queue/used-numbers.ts";
import { type PlannedRun, type PlanOrder, planRun } from "./plan-run.ts";

type Order = Omit<PlanOrder, "highestUsed" | "here">;

/** With what the folder and the machine add: the numbers that are taken, and the agents where no file names one. */
export async function fullOrder(order: Order): Promise<PlanOrder> {
  const counted = { ...order, highestUsed: await highestUsed(order.root) };
  return { ...counted, ...(await agentsToUse(counted)) };
}

/** `trusted`: agrees to what the repository's own configuration names. Throws if nobody has. */
export async function prepareRun(order: Order, trusted: boolean): Promise<PlannedRun> {
  // What is agreed to and begun comes from one reading of each file.
  const disk = order.disk ?? readOnce(order.root);
  requireTrust(order.root, trusted, disk);
  return planRun(await fullOrder({ ...order, disk }));
}
