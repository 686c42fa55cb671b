import { test } from "vitest";
import { SimulatedWorld } from "/work/main/src/testing/world/index.ts";
test("look", async () => {
  const world = new SimulatedWorld(Number(process.env["SEED"]));
  let run = await world.restartUntilDone();
  try {
  run = await world.calmDown();
  for (let t = 0; t < 3 && run.now.is === "resting"; t++) run = await world.continue(run);
  } catch (e) { console.log("ERR", e); }
  const { events } = world.journal();
  let out = ""; { let st: any = null; const { follow, newStory } = await import("/work/main/src/runtime/story.ts"); st = newStory(world.contract); let last = ""; for (const e of events) { st = follow(st, e); const s = st.run.inbox.map((i: any) => i.kind + i.feature).join(",") + " // " + Object.entries(st.run.progress).map(([k, v]: any) => k + ":" + v.status + v.attempts).join(" ") + " " + st.run.now.is; if (s !== last) console.log("##", e.type, s); last = s; } }
  for (const e of events.slice(0, Number(process.env["N"] ?? 60))) {
    const { at, tookMs, usage, ...r } = e as any;
    if (r.type === "checkpointed") { const t = world.repo.trees.get(r.mark.tree); r.mark = r.mark.checkpoint + " " + r.mark.head.slice(0, 6) + " " + [...t.keys()].filter((p) => !p.startsWith("docs")).join(","); }
    if (r.type === "session-ended") { r.script = world.sessions.get(r.session)?.script; r.ending = r.ending.how + " " + (r.ending.failure?.class ?? r.ending.reply.status ?? r.ending.reply.pass); }
    if (r.type === "collected") { const t = world.repo.trees.get(r.candidate); r.candidate = [...t.keys()].filter((p) => !p.startsWith("docs")).join(","); }
    if (r.type === "observed" && r.features) r.features = r.features.map((f: any) => f.id + f.status).join();
    out += JSON.stringify(r).slice(0, 400) + "\n";
  }
  console.log(out);
  console.log(JSON.stringify(run.now), JSON.stringify(run.inbox), JSON.stringify(run.contract.features.map((f) => [f.id, f.priority])));
  for (const c of world.repo.history()) console.log(c.id.slice(0, 6), c.subject, c.by);
});
