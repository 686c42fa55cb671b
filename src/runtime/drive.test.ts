// The loop itself: what is asked for reaches the effect in flight, also after a crash, and never waits behind a result.
import { expect, test } from "vitest";
import { apply } from "../core/apply.ts";
import type { Run } from "../core/run.ts";
import { at, cancel, collected, pause, send } from "../testing/world/by-hand.ts";
import { drive, type Engine } from "./drive.ts";
import type { Fact, SignalFact } from "./ports.ts";

/** An engine that performs as told, and keeps what was recorded. */
function engineFor(run: Run, perform: Engine["perform"], signals: SignalFact[] = []) {
  let now = run;
  const recorded: Fact[] = [];
  const engine: Engine = {
    perform,
    record: async (fact) => {
      recorded.push(fact);
      now = apply(now, { ...fact, at: 0, tookMs: 0 } as Parameters<typeof apply>[1]);
      return now;
    },
    signal: () => {
      const fact = signals.shift();
      return fact === undefined ? new Promise(() => undefined) : Promise.resolve(fact);
    },
    allows: () => true,
  };
  return { engine, recorded };
}

test.each([
  ["pause", pause, "resting"],
  ["cancel", cancel, "stopped"],
] as const)("a %s that was asked for before a crash cuts the effect from the start", async (_, asked, is) => {
  const run = send(at("paid"), asked);
  const { engine } = engineFor(run, async (_effect, _run, cut) => {
    if (!cut.aborted) throw new Error("a whole session was begun although nobody wants it any more");
    return { type: "cut", usage: null };
  });
  expect((await drive(run, engine)).now.is).toBe(is);
});

test("a cancel goes before a result that is there already, also when a note came first", async () => {
  const run = at("collecting");
  const signals: SignalFact[] = [{ type: "noted", about: "a", text: "b" }, cancel];
  const { engine, recorded } = engineFor(run, async () => collected(), signals);
  await drive(run, engine);
  expect(recorded.map(({ type }) => type)).toEqual(["noted", "cancel-requested", "collected"]);
});
