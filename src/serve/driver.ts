// Drives one run in a separate process, which survives the server. The order comes from the server; the
// answer is whether the run has begun.
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import type { Terms } from "../engines/engine.ts";
import { goOn } from "../engines/go-on.ts";
import { LocalEngine } from "../engines/local/engine.ts";
import { watch } from "../engines/watch.ts";
import { acquireLock } from "../host/lock/lock.ts";
import { requireTrust } from "../project/config/trust.ts";
import { prepareRun } from "../project/plan/prepare-run.ts";
import { outcomeOf } from "../report/words/words.ts";
import { looksKept } from "../workspace/git/repository/repo.ts";
import { refuseForeign } from "../workspace/owner.ts";
import { vaultsDir } from "../workspace/vault.ts";
import { type DriverNews, driverOrder, type Order } from "./driver-order.ts";

const terms: Terms = { wait: true, attended: false };

// If the server is gone before it has sent the order, this process ends: nothing else keeps it.
process.once("message", (message) => {
  const order = driverOrder.parse(message);
  obey(order).catch((error: unknown) => {
    process.stderr.write(
      `${new Date().toISOString()} ${order.root}: ${error instanceof Error ? error.stack : error}\n`,
    );
    process.exitCode = 1;
  });
});

async function obey(order: Order): Promise<void> {
  const engine = new LocalEngine(order.root);
  const begun = await start(engine, order).catch(async (error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    const { code, what, why, next } = error;
    await tell({ is: "refused", code, what, why, next });
    return null;
  });
  if (begun === null) return;
  await tell({ is: "begun", run: begun.run });
  let { run, from } = begun;
  process.on("SIGTERM", () => void engine.send(run, { type: "pause-requested", by: "terminate" }));
  while (await followedUp(engine, run, from)) ({ run, from } = await engine.begin({ follows: run }, terms));
  await engine.close();
}

async function start(engine: LocalEngine, { root, job }: Order): Promise<{ run: string; from: number }> {
  refuseForeign(root);
  requireTrust(root, false);
  if (job.do === "begin") {
    const { request, flags, yes, run, task } = job;
    // The same order may come twice, from a server that was killed and from the next one.
    await acquireLock({ dir: join(vaultsDir(), "locks"), key: `${root} run ${run}`, about: "begin a run" });
    const plan = await prepareRun({ root, request, flags, yes }, false);
    return engine.begin(
      { plan, kind: looksKept(root) ? "git" : "plain", run, ...(task === null ? {} : { task }) },
      terms,
    );
  }
  return goOn(engine, job.run, terms, job.limits === null ? undefined : { flags: { limits: job.limits } });
}

/** Until the run is over or rests. True: the audit found gaps, and another run should close them. */
async function followedUp(engine: LocalEngine, run: string, from: number): Promise<boolean> {
  let kind: string | undefined;
  for await (const { item, story } of watch(engine.subscribe(run, from)))
    if (item.type === "rest") kind = outcomeOf(story.run)?.kind;
  return kind === "followup";
}

/** The server may be gone. The run goes on regardless. */
function tell(news: DriverNews): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve();
    process.send(news, () => {
      if (process.connected) process.disconnect();
      resolve();
    });
  });
}
