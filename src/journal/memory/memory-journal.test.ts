// The memory journal passes the suite, and its faults work.
import { describe, expect, test } from "vitest";
import { describeJournal, type SuiteEvent, type SuiteState } from "../../testing/journal-suite.ts";
import { type AppendFate, MemoryCrash, MemoryDisk } from "./memory-journal.ts";

const asIs = { parse: (json: unknown) => json as SuiteEvent, stateVersion: 1 };

describeJournal("memory", () => {
  const disk = new MemoryDisk<SuiteEvent, SuiteState>("run-1");
  return { open: (options) => disk.open({ ...asIs, ...options }), crash: () => disk.crash() };
});

describe("faults of the memory journal", () => {
  const failing = (fates: AppendFate[]) =>
    new MemoryDisk<SuiteEvent, SuiteState>("run-1", { onAppend: () => fates.shift() ?? "written" });

  test.each([
    { fate: "lost", kept: ["a"] },
    { fate: "kept-unsaid", kept: ["a", "b"] },
  ] as const)("an append that is $fate crashes, and leaves $kept", async ({ fate, kept }) => {
    const disk = failing(["written", fate]);
    const journal = disk.open(asIs);
    await journal.append({ type: "a" });
    await expect(journal.append({ type: "b" })).rejects.toBeInstanceOf(MemoryCrash);
    await expect(journal.append({ type: "c" })).rejects.toBeInstanceOf(MemoryCrash);
    expect(disk.open(asIs).past.events.map((event) => event.type)).toEqual(kept);
  });

  test("a full disk refuses this append and every later one", async () => {
    const disk = failing(["written", "disk-full"]);
    const journal = disk.open(asIs);
    await journal.append({ type: "a" });
    await expect(journal.append({ type: "b" })).rejects.toMatchObject({
      code: "journal-not-written",
      next: expect.stringContaining("loop continue"),
    });
    await expect(journal.append({ type: "c" })).rejects.toMatchObject({ code: "journal-not-written" });
    expect(disk.open(asIs).past.events).toEqual([{ type: "a" }]);
  });

  test("a snapshot prevented by a crash is missing, and nothing else is", async () => {
    const fates = [false, true];
    const disk = new MemoryDisk<SuiteEvent, SuiteState>("run-1", { onSnapshot: () => fates.shift() ?? true });
    const journal = disk.open(asIs);
    await journal.append({ type: "a" });
    await journal.snapshot([]);
    expect(disk.open(asIs).past).toEqual({ snapshot: null, events: [{ type: "a" }], seq: 1 });
    const again = disk.open(asIs);
    await again.snapshot([{ type: "a" }]);
    expect(disk.open(asIs).past).toEqual({ snapshot: [{ type: "a" }], events: [], seq: 1 });
  });

  test("a crash loses pending events and keeps acknowledged ones", async () => {
    const disk = failing([]);
    const journal = disk.open(asIs);
    await journal.append({ type: "a" });
    const underway = journal.append({ type: "b" });
    disk.crash();
    await expect(underway).rejects.toBeInstanceOf(MemoryCrash);
    expect(disk.open(asIs).past.events).toEqual([{ type: "a" }]);
  });

  test("a journal replaced by another opening cannot write any more", async () => {
    const disk = failing([]);
    const old = disk.open(asIs);
    const young = disk.open(asIs);
    await young.append({ type: "mine" });
    await expect(old.append({ type: "stale" })).rejects.toBeInstanceOf(MemoryCrash);
    expect(disk.open(asIs).past.events).toEqual([{ type: "mine" }]);
  });
});
