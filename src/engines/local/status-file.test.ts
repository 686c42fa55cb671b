// The status is overwritten in place, so a partial one must never be accepted.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runId, taskId } from "../../core/ids.ts";
import { type RunHome, runHome } from "../../project/home.ts";
import { newStory, type Story } from "../../runtime/story.ts";
import { contractOf, feature } from "../../testing/world/contracts.ts";
import { readStatus, statusOf, statusPath, writeStatus } from "./status-file.ts";

let dir = "";
let home: RunHome;
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "status-"));
  home = runHome(join(dir, "project"), join(dir, "vault"), taskId("t"), runId("r"));
  fs.mkdirSync(home.dir, { recursive: true });
  fs.writeFileSync(join(home.dir, "events.jsonl"), "{}\n");
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const storyOf = (...names: string[]): Story => newStory(contractOf(names.map((name) => feature(name))));

test("the latest status is read, whether it is longer or shorter than the one before", () => {
  for (const story of [storyOf("F1"), storyOf("F1", "F2", "F3"), storyOf("F1")]) {
    writeStatus(home, story);
    expect(readStatus(home.dir)).toEqual(statusOf(story));
  }
});

test("cut short or mixed at any position, a status is not accepted", () => {
  writeStatus(home, storyOf("F1", "F2"));
  const old = fs.readFileSync(statusPath(home.dir), "utf8");
  writeStatus(home, storyOf("F1", "F3"));
  const now = fs.readFileSync(statusPath(home.dir), "utf8");
  for (let at = 0; at < now.length; at++) {
    const mixed = now.slice(0, at) + old.slice(at);
    fs.writeFileSync(statusPath(home.dir), mixed);
    const read = readStatus(home.dir);
    if (read !== null) expect([JSON.parse(old).status, JSON.parse(now).status]).toContainEqual(read);
    fs.writeFileSync(statusPath(home.dir), now.slice(0, at));
    expect(readStatus(home.dir)).toBeNull();
  }
});

test("a status that was replaced or removed is rewritten", () => {
  const path = statusPath(home.dir);
  writeStatus(home, storyOf("F1"));
  fs.rmSync(path);
  fs.symlinkSync(join(dir, "elsewhere"), path);
  writeStatus(home, storyOf("F2"));
  expect(fs.existsSync(join(dir, "elsewhere"))).toBe(false);
  expect(readStatus(home.dir)?.features.map(({ id }) => id)).toEqual(["F2"]);
  fs.rmSync(path);
  writeStatus(home, storyOf("F3"));
  expect(readStatus(home.dir)?.features.map(({ id }) => id)).toEqual(["F3"]);
});

test("a status of an outdated journal, of an earlier release, or with a wrong total is not accepted", () => {
  writeStatus(home, storyOf("F1"));
  const path = statusPath(home.dir);
  const { sum: _, ...file } = JSON.parse(fs.readFileSync(path, "utf8"));
  fs.writeFileSync(path, JSON.stringify({ ...file, status: { ...file.status, done: 1 }, sum: _ }));
  expect(readStatus(home.dir)).toBeNull();
  fs.writeFileSync(path, JSON.stringify({ ...file, version: 1 }));
  expect(readStatus(home.dir)).toBeNull();
  fs.writeFileSync(path, JSON.stringify({ ...file, sum: _ }));
  expect(readStatus(home.dir)).toEqual(file.status);
  fs.appendFileSync(join(home.dir, "events.jsonl"), "{}\n");
  expect(readStatus(home.dir)).toBeNull();
});
