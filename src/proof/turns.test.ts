// Tasks in turn: how many work at once, in which order, and what happens when one fails.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns, together, twoAtOnce } from "./turns.ts";

/** Notes when each task starts and ends. */
function noted() {
  const events: string[] = [];
  let atWork = 0;
  let most = 0;
  const task = (name: string, ms: number) => async () => {
    events.push(name);
    most = Math.max(most, ++atWork);
    await sleep(ms);
    atWork -= 1;
    if (name.endsWith("!")) throw new Error(name);
    return name;
  };
  return { events, task, most: () => most };
}

test("as many as are allowed work at once, and the others start in the order in which they came", async () => {
  const { events, task, most } = noted();
  const turns = new Turns(2);
  const done = await Promise.all(["a", "b", "c", "d"].map((name, at) => turns.take(task(name, 20 - 4 * at))));
  expect([events, done, most()]).toEqual([["a", "b", "c", "d"], ["a", "b", "c", "d"], 2]);
});

test("one that fails frees its place", async () => {
  const { task } = noted();
  const turns = new Turns(1);
  const failed = turns.take(task("a!", 1));
  const next = turns.take(task("b", 1));
  await expect(failed).rejects.toThrow("a!");
  expect([await next, await turns.take(task("c", 1))]).toEqual(["b", "c"]);
});

test("none is still at work when together() ends, also when one fails", async () => {
  const { events, task } = noted();
  const ended = task("long", 30)().then(() => events.push("ended"));
  await expect(together([task("fails!", 1)(), ended])).rejects.toThrow("fails!");
  expect(events).toEqual(["long", "fails!", "ended"]);
});

test("twoAtOnce() gives the results in the order of the list", async () => {
  const { task, most } = noted();
  expect(await twoAtOnce([15, 1, 5, 1], (ms, at) => task(`${at}`, ms)())).toEqual(["0", "1", "2", "3"]);
  expect(most()).toBe(2);
});
