// What the loop waits for: delivered in the right order, and not retained.
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Arrivals } from "./arrivals.ts";

const result = (value: string) => ({ value, is: "result" });
const signal = (value: string) => ({ value, is: "signal" });

test("an arrival is delivered once, and later ones are waited for", async () => {
  const arrivals = new Arrivals<string>();
  arrivals.expect(Promise.resolve("now"), "result");
  expect(await arrivals.next()).toEqual(result("now"));
  arrivals.expect(
    turn().then(() => "later"),
    "result",
  );
  expect(await arrivals.next()).toEqual(result("later"));
});

test("a pending signal goes before an earlier result", async () => {
  const arrivals = new Arrivals<string>();
  arrivals.expect(Promise.resolve("done"), "result");
  arrivals.expect(Promise.resolve("cancel"), "signal");
  await turn();
  expect(await arrivals.next()).toEqual(signal("cancel"));
  expect(await arrivals.next()).toEqual(result("done"));
});

test("an error is thrown to the waiting caller, after earlier arrivals", async () => {
  const arrivals = new Arrivals<string>();
  arrivals.expect(Promise.resolve("pause"), "signal");
  arrivals.expect(Promise.reject(new Error("broken")), "result");
  expect(await arrivals.next()).toEqual(signal("pause"));
  await expect(arrivals.next()).rejects.toThrow("broken");
});

test("a result is not retained while a signal is still pending", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const arrivals = new Arrivals<object>();
  const never = new Promise<object>(() => undefined);
  arrivals.expect(never, "signal");
  const held = await (async () => {
    const item = { large: true };
    arrivals.expect(Promise.resolve(item), "result");
    await arrivals.next();
    return new WeakRef(item);
  })();
  await turn();
  collect();
  expect(held.deref()).toBeUndefined();
  expect(never).toBeInstanceOf(Promise);
});
