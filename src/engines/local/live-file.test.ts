// What agents are seen to do reaches a reader in another process, and never takes more than its room.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { sessionId } from "../../core/ids.ts";
import type { SessionSign } from "../../runtime/ports.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/workspace-rig.ts";
import { LiveReader, LiveWriter } from "./live-file.ts";

let dir = "";
beforeEach(() => {
  dir = temporaryFolder();
});
afterAll(removeTemporaryFolders);

const said = (note: string): SessionSign => ({
  session: sessionId("s1"),
  role: "builder",
  sign: { sign: "progress", note },
});
const notes = (signs: readonly SessionSign[]): string[] =>
  signs.map(({ sign }) => (sign.sign === "progress" ? (sign.note ?? "") : sign.sign));

test("a reader gets everything since it looked first, and before that only the last", () => {
  const [writer, early] = [new LiveWriter(dir), new LiveReader(dir)];
  expect(early.read()).toEqual([]);
  writer.write(said("one"));
  writer.write(said("two"));
  writer.flush();
  expect(notes(early.read())).toEqual(["one", "two"]);
  const late = new LiveReader(dir);
  expect(notes(late.read())).toEqual(["two"]);
  writer.write(said("three"));
  writer.flush();
  expect([notes(early.read()), notes(late.read())]).toEqual([["three"], ["three"]]);
  expect(early.read()).toEqual([]);
});

test("the file stays small, long notes are cut, and a reader goes on when it is begun again", () => {
  const [writer, reader] = [new LiveWriter(dir), new LiveReader(dir)];
  reader.read();
  for (let round = 0; round < 60; round++) {
    for (let at = 0; at < 60; at++) writer.write(said(`${round}.${at} ${"x".repeat(2000)}`));
    writer.flush();
    expect(notes(reader.read()).at(-1)).toMatch(new RegExp(`^${round}\\.59 x{200}`));
  }
  expect(fs.statSync(join(dir, "live.jsonl")).size).toBeLessThan(300_000);
  expect(notes(reader.read())).toEqual([]);
});

test("a half-written line is read when it is whole, and garbage is passed over", () => {
  const reader = new LiveReader(dir);
  reader.read();
  const line = JSON.stringify(said("whole"));
  fs.writeFileSync(join(dir, "live.jsonl"), `garbage\n{}\n${line.slice(0, 20)}`);
  expect(reader.read()).toEqual([]);
  fs.appendFileSync(join(dir, "live.jsonl"), `${line.slice(20)}\n`);
  expect(notes(reader.read())).toEqual(["whole"]);
});

test("a write error is ignored", () => {
  const writer = new LiveWriter(join(dir, "missing"));
  writer.write(said("lost"));
  expect(() => writer.flush()).not.toThrow();
});
