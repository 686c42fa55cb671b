import { expect, test } from "vitest";
import { featureId } from "../../core/ids.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { draftFeaturesJson } from "../../formats/queue/features-render.ts";
import { QueueText } from "../../formats/queue/queue-text.ts";
import { requestToFeature } from "../../formats/queue/request-to-feature.ts";
import type { RunFiles } from "../ports.ts";
import { known, remember } from "./guard.ts";
import { rememberQueue } from "./known-queue.ts";

const path = "docs/FEATURES.json";

/** A folder whose owner dies at a certain write: before it, or right after it. */
function folder(kept = new Map<string, string>(), dieAt = Number.POSITIVE_INFINITY): RunFiles {
  let steps = 0;
  const step = (): void => {
    if (++steps > dieAt) throw new Error("killed");
  };
  return {
    path: (name) => name,
    read: (name) => kept.get(name) ?? null,
    write(name, text) {
      step();
      kept.set(name, text);
      step();
    },
  };
}

function queueOf(...names: string[]): QueueText {
  const entries = names.map((name, at) => ({ ...requestToFeature(name), id: featureId(`F${at}`) }));
  return new QueueText(parseFeaturesJson(draftFeaturesJson(entries), path), () => undefined);
}

test("a queue remembered by its statuses is restored byte for byte, and its text is written once", () => {
  const kept = new Map<string, string>();
  const files = folder(kept);
  const queue = queueOf("Größe anzeigen.", "Add it up.");
  for (const status of ["in-progress", "complete", "blocked"] as const) {
    queue.set(1, status);
    rememberQueue(files, queue);
    expect(known(files, path)).toBe(queue.text);
    // Another process can restore it too, from the files alone.
    expect(known(folder(new Map(kept)), path)).toBe(queue.text);
  }
  expect([...kept.values()].filter((text) => text.length >= queue.text.length - 20)).toEqual([queue.file.raw]);
});

test("any text written by someone else replaces it", () => {
  const files = folder();
  rememberQueue(files, queueOf("One."));
  for (const text of ["not JSON", '{"version":1,"base":"x","statuses":"n"}', ""]) {
    remember(files, path, text);
    expect(known(files, path)).toBe(text);
  }
});

const before = (): Map<string, string> => {
  const kept = new Map<string, string>();
  remember(folder(kept), path, "at the beginning");
  const old = queueOf("Old.");
  old.set(0, "complete");
  rememberQueue(folder(kept), old);
  return kept;
};
const next = queueOf("Old.", "New.");
next.set(1, "in-progress");

test.each([
  { title: "another queue", change: (files: RunFiles) => rememberQueue(files, next), after: next.text },
  { title: "a text", change: (files: RunFiles) => remember(files, path, "theirs"), after: "theirs" },
])("killed at any step of remembering $title, the old one is known or the new one", ({ change, after }) => {
  const was = known(folder(before()), path);
  for (let dieAt = 0, lived = false; !lived; dieAt++) {
    const kept = before();
    try {
      change(folder(kept, dieAt));
      lived = true;
    } catch {
      expect([was, after]).toContain(known(folder(kept), path));
    }
  }
  const kept = before();
  change(folder(kept));
  expect(known(folder(kept), path)).toBe(after);
});

test.each([
  ["the statuses are no JSON", "known/queue.json", "{"],
  ["the statuses are empty", "known/queue.json", ""],
  ["the statuses are of another queue", "known/queue.json", null],
  ["the text was cut", "known/queue-", '{ "version": 1, "fea'],
])("when %s, the text stored whole counts", (_, name, text) => {
  const kept = before();
  for (const each of [...kept.keys()].filter((key) => key.startsWith(name)))
    kept.set(each, text ?? String(kept.get(each)).replace('"c"', '"cc"'));
  expect(known(folder(kept), path)).toBe("at the beginning");
});
