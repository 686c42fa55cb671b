// One look at all triggers, for a timer: what is due is fired, its run is begun, and this process ends.
import { setTimeout as pause } from "node:timers/promises";
import { UserError } from "../../core/errors.ts";
import { driveApart } from "../drivers.ts";
import { servePlaces } from "../places.ts";
import { lookName, onlyOne, secretsOf } from "../serve.ts";
import { FiringLog } from "../triggers/firing-log.ts";
import { Keeper } from "../triggers/keeper.ts";
import { Workspaces } from "../workspaces.ts";

/** How many firings have begun since; null: a server keeps the triggers, and this has nothing to do. */
export async function lookOnce(): Promise<number | null> {
  const places = servePlaces();
  const lock = await onlyOne(places, lookName).catch((error: unknown) => {
    if (error instanceof UserError && error.code === "serving-already") return null;
    throw error;
  });
  if (lock === null) return null;
  try {
    const log = new FiringLog(places.firings, Date.now());
    const workspaces = new Workspaces(places.registry);
    const drive = driveApart(places.driversLog, () => secretsOf(workspaces));
    const keeper = new Keeper({ log, workspaces, drive, now: Date.now });
    const begun = (): number =>
      [...log.state.firings.values()].filter(({ begunAt, status }) => begunAt !== null && status !== "beginning")
        .length;
    const before = begun();
    await keeper.tick();
    while (keeper.isStarting) await pause(20);
    log.close();
    return begun() - before;
  } finally {
    await lock.release();
  }
}
