import { test } from "vitest";
import { SimulatedWorld } from "/work/main/src/testing/world/index.ts";
test("look", async () => {
  const world = new SimulatedWorld(Number(process.env["SEED"]));
  let run = await world.restartUntilDone();
  console.log("disturbed", JSON.stringify(run.now), world.lives);
  try {
  run = await world.calmDown();
  for (let t = 0; t < 3 && run.now.is === "resting"; t++) run = await world.continue(run);
  } catch (e) { console.log("ERR", e); }
  const { events } = world.journal();
  for (const e of events.slice(-Number(process.env["N"] ?? 40))) console.log(JSON.stringify(e).slice(0, 420));
  console.log(JSON.stringify(run.now), JSON.stringify(run.inbox));
  console.log([...world.sessions.values()].slice(-8).map((s) => s.script).join(" "));
  console.log([...world.repo.folder].filter(([p]) => !p.startsWith("docs")), world.repo.isWhole);
});
