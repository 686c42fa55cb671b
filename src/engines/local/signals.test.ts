// What people send to a run: in order, once, and never lost between reading and recording.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SignalFact } from "../../runtime/ports.ts";
import { post, Signals } from "./signals.ts";

let dir = "";
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-signals-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const next = async (signals: Signals) => {
  await new Promise<void>((wake) => signals.onArrival(wake));
  return signals.take() as SignalFact;
};
const left = () => fs.readdirSync(join(dir, "signals"));

test("a signal stays on disk until it is recorded, and a reader after a crash finds it", async () => {
  post(dir, { type: "pause-requested", by: "person" });
  const first = new Signals(dir);
  expect(await next(first)).toEqual({ type: "pause-requested", by: "person" });
  expect(left()).toHaveLength(1);
  first.close();
  const second = new Signals(dir);
  const again = await next(second);
  second.settled(again);
  expect(left()).toEqual([]);
  second.close();
});

test("signals come in the order in which they were sent, and each is taken once", async () => {
  for (const text of ["a", "b", "c"]) {
    post(dir, { type: "noted", about: "changed", text });
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  const signals = new Signals(dir);
  const taken = [await next(signals), await next(signals), await next(signals)];
  expect(taken.map((fact) => "text" in fact && fact.text)).toEqual(["a", "b", "c"]);
  await new Promise((resolve) => setTimeout(resolve, 450));
  signals.send({ type: "cancel-requested" });
  expect(await next(signals), "what was taken is not read again").toEqual({ type: "cancel-requested" });
  signals.close();
});

test("a folder in the way is set aside and reported", async () => {
  fs.mkdirSync(join(dir, "signals", "0-x.json"), { recursive: true });
  const signals = new Signals(dir);
  expect(await next(signals)).toMatchObject({ type: "noted", text: expect.stringContaining("aside/0-x.json") });
  signals.close();
});

test("garbage is set aside and reported, and what follows is read", async () => {
  fs.mkdirSync(join(dir, "signals"));
  fs.writeFileSync(join(dir, "signals", "0-x.json"), "{");
  post(dir, { type: "cancel-requested" });
  const signals = new Signals(dir);
  expect(await next(signals)).toMatchObject({ type: "noted", text: expect.stringContaining("aside/0-x.json") });
  expect(await next(signals)).toEqual({ type: "cancel-requested" });
  expect(fs.readFileSync(join(dir, "signals", "aside", "0-x.json"), "utf8")).toBe("{");
  signals.close();
});
