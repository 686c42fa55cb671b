// Values arrive in order, once; an end and a failure come after them; a reader may leave at any time.
import { expect, test } from "vitest";
import { Channel } from "./channel.ts";

async function all<Value>(channel: Channel<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of channel) values.push(value);
  return values;
}

test("values are read in order, whether they were pushed before or after", async () => {
  const channel = new Channel<number>();
  channel.push(1);
  const read = all(channel);
  await Promise.resolve();
  channel.push(2);
  channel.push(3);
  channel.end();
  channel.push(4);
  expect(await read).toEqual([1, 2, 3]);
});

test("a failure comes after the values pushed before it", async () => {
  const channel = new Channel<number>();
  channel.push(1);
  channel.fail(new Error("gone"));
  expect(await channel.next()).toEqual({ done: false, value: 1 });
  await expect(channel.next()).rejects.toThrow("gone");
});

test("return() ends a pending read immediately and calls onClose once", async () => {
  let closed = 0;
  const channel = new Channel<number>(() => {
    closed += 1;
  });
  const waiting = channel.next();
  await channel.return();
  await channel.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  channel.push(1);
  expect([await channel.next(), channel.behind, closed]).toEqual([{ done: true, value: undefined }, 0, 1]);
});
