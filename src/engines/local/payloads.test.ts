// Large events: the line stays small, reading returns what was written, and a wrong file is refused.
import { expect, test } from "vitest";
import type { UserError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import { eventBytesMax } from "../../journal/line.ts";
import { feature } from "../../testing/world/contracts.ts";
import { packed, unpacked } from "./payloads.ts";

const observed = (count: number, length: number): RunEvent => ({
  type: "observed",
  at: 5,
  sinceMs: 1,
  tookMs: 1,
  features: Array.from({ length: count }, (_, n) => feature(`F${n}`, { description: "ä".repeat(length) })),
});

function memory() {
  const texts = new Map<string, string>();
  return {
    texts,
    write: (path: string, text: string) => void texts.set(path, text),
    read: (path: string) => texts.get(path) ?? null,
  };
}

test.each([
  ["a small one is its own line", observed(1, 10), 0],
  ["500 features of 2,000 characters", observed(500, 2000), 1],
  ["a text that cannot be told from a payload", { type: "noted", at: 1, sinceMs: 0, about: "payload", text: "{}" }, 0],
] as [string, RunEvent, number][])("%s", (_, event, files) => {
  const disk = memory();
  const line = JSON.parse(JSON.stringify(packed(event, disk))) as unknown;
  expect(Buffer.byteLength(JSON.stringify(line))).toBeLessThan(eventBytesMax);
  expect(disk.texts.size).toBe(files);
  expect(unpacked(line, disk)).toEqual(event);
  expect(line).toMatchObject({ type: event.type, at: event.at });
});

test.each([
  ["missing", (texts: Map<string, string>) => texts.clear()],
  ["altered", (texts: Map<string, string>) => texts.forEach((text, path) => void texts.set(path, `${text} `))],
])("a file that is %s is refused by name", (how, spoil) => {
  const disk = memory();
  const line = packed(observed(500, 2000), disk);
  spoil(disk.texts);
  const read = (): RunEvent => unpacked(line, disk);
  expect(read).toThrow(expect.objectContaining({ code: "payload-lost" } satisfies Partial<UserError>));
  expect(read).toThrow(new RegExp(how));
});
