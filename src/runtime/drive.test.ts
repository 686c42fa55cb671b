// The loop itself: a pause or cancel reaches the effect in flight, also after a crash, and never waits behind a result.
import { expect, test } from "vitest";
import { apply } from "../core/apply.ts";
import type { Run } from "../core/run.ts";
import { at, cancel, collected, pause, send } from "../testing/world/by-hand.ts";
import { drive, type Engine } from "./drive.ts";
import type { Fact, SignalFact } from "./ports.ts";
import { SignalQueue } from "./signal-queue.ts";

/** An engine that performs as given, and keeps the recorded facts. */
function engineFor(run: Run, perform: Engine["perform"], signals: SignalFact[] = []) {
  let now = run;
  const recorded: Fact[] = [];
  const queue = new SignalQueue();
  for (const signal of signals) queue.send(signal);
  const engine: Engine = {
    perform,
    steady: () => 0,
    record: async (fact) => {
      recorded.push(fact);
      now = apply(now, { ...fact, at: 0, sinceMs: 0 });
      return now;
    },
    signals: queue,
    allows: () => true,
  };
  return { engine, recorded, queue };
}

test.each([
  ["pause", pause, "resting"],
  ["cancel", cancel, "stopped"],
] as const)("a %s requested before a crash cuts the effect from the start", async (_, asked, is) => {
  const run = send(at("paid"), asked);
  const { engine } = engineFor(run, async (_effect, _run, cut) => {
    if (!cut.aborted) throw new Error("a whole session was begun although nobody wants it any more");
    return { type: "cut", usage: null };
  });
  expect((await drive(run, engine)).now.is).toBe(is);
});

test("a cancel goes before a result that already arrived, even if a note came first", async () => {
  const run = at("collecting");
  const signals: SignalFact[] = [{ type: "noted", about: "agents", text: "b" }, cancel];
  const { engine, recorded } = engineFor(run, async () => collected(), signals);
  await drive(run, engine);
  expect(recorded.map(({ type }) => type)).toEqual(["noted", "cancel-requested", "collected"]);
});

test("an effect's duration does not include recording other facts", async () => {
  const run = at("collecting");
  const signals = Array.from({ length: 50 }, (_, n): SignalFact => ({ type: "noted", about: "agents", text: `${n}` }));
  let steady = 0;
  const { engine, recorded } = engineFor(
    run,
    async () => {
      steady += 5000;
      await new Promise((resolve) => setImmediate(resolve));
      return collected();
    },
    signals,
  );
  const ended = await drive(run, { ...engine, steady: () => steady, allows: ({ do: what }) => what === "collect" });
  expect(recorded).toHaveLength(51);
  expect(ended.spent.activeMs - run.spent.activeMs).toBe(5000);
});

test("a signal that arrives while the last event is recorded is still the next one", async () => {
  const run = at("collecting");
  const { engine, queue } = engineFor(run, async () => collected());
  const record: Engine["record"] = async (fact) => {
    const after = await engine.record(fact);
    void Promise.resolve().then(() => queue.send(pause));
    return after;
  };
  await drive(run, { ...engine, record, allows: ({ do: what }) => what === "collect" });
  await new Promise((resolve) => setImmediate(resolve));
  expect([queue.take(), queue.take()]).toEqual([pause, undefined]);
});
