// Long waits, and active time.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ActiveClock } from "./active-clock.ts";
import { sleep, sleepUntil } from "./wait.ts";
import { Waiting } from "./waiting.ts";

test.each([
  { title: "30 days", wait: (signal: AbortSignal) => sleep(30 * 86_400_000, signal) },
  { title: "until next year", wait: (signal: AbortSignal) => sleepUntil(Date.now() + 4e10, signal) },
])("a wait of $title does not end immediately, and ends on abort", async ({ wait }) => {
  const abort = new AbortController();
  let over = false;
  const waiting = wait(abort.signal).then(() => {
    over = true;
  });
  await sleep(50);
  expect(over).toBe(false);
  abort.abort();
  await waiting;
  expect(over).toBe(true);
});

test("a wait until a past time ends immediately", async () => {
  await sleepUntil(Date.now() - 1);
  await sleep(-5);
});

test("a gap of any length in which the process did not run does not count", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9000 })), fc.integer({ min: 10_001, max: 1e9 }), (steps, gap) => {
      const clock = new ActiveClock(0);
      let now = 0;
      let expected = 0;
      for (const step of steps) {
        now += step;
        expected += step;
        expect(clock.look(now)).toBe(expected);
        now += gap;
        expect(clock.look(now)).toBe(expected);
      }
    }),
  );
});

test("a wait for a process wakes at once when it exits and on abort", async () => {
  const abort = new AbortController();
  const ended = new Waiting(Promise.resolve({ code: 3, signal: null }), abort.signal);
  await ended.pause(1e6);
  expect(ended.exit).toEqual({ code: 3, signal: null });
  const told = new Waiting(new Promise(() => {}), abort.signal);
  setTimeout(() => abort.abort(), 20);
  await told.pause(1e6);
  expect(told.exit).toBe(null);
  told.over();
  ended.over();
});
