// The step that every engine takes: the order of things, and the state after a failure in the middle.
import { expect, test } from "vitest";
import type { RunEvent } from "../core/event.ts";
import { runId, taskId } from "../core/ids.ts";
import { MemoryDisk } from "../journal/memory/memory-journal.ts";
import { type Story, storyVersion } from "../report/story.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { LiveStory, type Step } from "./live-story.ts";
import type { Fact } from "./ports.ts";

const contract = contractOf([feature("F1")]);
const begun: Fact = { type: "begun", task: taskId("t"), run: runId("r"), contract: "", version: "0" };
const pause: Fact = { type: "pause-requested", by: "person" };
const note: Fact = { type: "noted", about: "agents", text: "b" };

function rig() {
  const disk = new MemoryDisk<RunEvent, Story>(runId("r"), {});
  const journal = disk.open({ parse: (json) => json as RunEvent, stateVersion: storyVersion });
  let steady = 0;
  const told: Step[] = [];
  const live = new LiveStory(contract, {
    journal,
    clock: { now: () => 1000 + steady, steady: () => steady },
    publish: (step) => void told.push(step),
  });
  return { live, told, journal, pass: (ms: number) => (steady += ms) };
}

test("an event is stamped, numbered, and published with the story before and after it", async () => {
  const { live, told, pass } = rig();
  await live.step(begun);
  pass(7);
  await live.step(pause);
  expect(told.map(({ seq, event, fact }) => [seq, event.type, event.at, event.sinceMs, fact])).toEqual([
    [1, "begun", 1000, 0, begun],
    [2, "pause-requested", 1007, 7, pause],
  ]);
  expect([told[1]?.before.run.asked, told[1]?.after.run.asked?.for]).toEqual([null, "pause"]);
  expect([live.seq, live.story]).toEqual([2, told[1]?.after]);
});

test("events that arrive at once are taken one after the other, and none is lost", async () => {
  const { live, told } = rig();
  const refused = { type: "woke", tookMs: 0 } as const;
  const all = await Promise.allSettled([live.step(begun), live.step(pause), live.step(refused), live.step(note)]);
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(told.map(({ seq, event }) => [seq, event.type])).toEqual([
    [1, "begun"],
    [2, "pause-requested"],
    [3, "noted"],
  ]);
  expect(told.map(({ before }) => before).slice(1)).toEqual(told.map(({ after }) => after).slice(0, -1));
  expect([live.seq, live.story]).toEqual([3, told[2]?.after]);
  expect([live.story.run.asked?.for, live.story.chronicle.notes.length]).toEqual(["pause", 1]);
});

test("time before the run is driven does not count", async () => {
  const { live, told, pass } = rig();
  pass(50);
  live.wake();
  pass(3);
  await live.step(begun);
  expect(told[0]?.event.sinceMs).toBe(3);
});

test("an event that the core refuses is neither written nor applied", async () => {
  const { live, told, journal } = rig();
  await live.step(begun);
  const before = live.story;
  await expect(live.step({ type: "woke", tookMs: 0 })).rejects.toThrow("cannot take woke");
  expect([live.story, told.length]).toEqual([before, 1]);
  expect(await journal.append({ ...pause, at: 0, sinceMs: 0 })).toBe(2);
});

test("an event that cannot be written is not applied", async () => {
  const disk = new MemoryDisk<RunEvent, Story>(runId("r"), { onAppend: () => "disk-full" });
  const journal = disk.open({ parse: (json) => json as RunEvent, stateVersion: storyVersion });
  const told: Step[] = [];
  const clock = { now: () => 0, steady: () => 0 };
  const live = new LiveStory(contract, { journal, clock, publish: (step) => void told.push(step) });
  const before = live.story;
  await expect(live.step(pause)).rejects.toThrow();
  expect([live.story, told]).toEqual([before, []]);
});

test("a note is recorded by itself, also by a step that is being published, and can be waited for", async () => {
  const { journal } = rig();
  const told: string[] = [];
  const publish = ({ event }: Step): void => {
    told.push(event.type);
    if (event.type === "pause-requested") live.note("agents", "from publishing");
  };
  const live: LiveStory = new LiveStory(contract, { journal, clock: { now: () => 0, steady: () => 0 }, publish });
  await live.step(begun);
  live.note("agents", "first");
  await live.step(pause);
  await live.noted();
  expect(told).toEqual(["begun", "noted", "pause-requested", "noted"]);
  expect(live.story.chronicle.notes).toHaveLength(2);
});

test("a note that cannot be written is an error when the notes are waited for", async () => {
  const disk = new MemoryDisk<RunEvent, Story>(runId("r"), { onAppend: () => "disk-full" });
  const journal = disk.open({ parse: (json) => json as RunEvent, stateVersion: storyVersion });
  const live = new LiveStory(contract, { journal, clock: { now: () => 0, steady: () => 0 }, publish: () => undefined });
  live.note("agents", "lost");
  await expect(live.noted()).rejects.toMatchObject({ code: "journal-not-written" });
});
