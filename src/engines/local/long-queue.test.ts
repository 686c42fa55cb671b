// A queue of thousands is written and read differently from a small one; an edit to it must still be noticed.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { featureId, runId, taskId } from "../../core/ids.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { draftFeaturesJson } from "../../formats/queue/features-render.ts";
import { QueueText } from "../../formats/queue/queue-text.ts";
import { requestToFeature } from "../../formats/queue/request-to-feature.ts";
import { workspaceDisk } from "../../project/place/workspace-disk.ts";
import { runFiles, runHome } from "../../project/runs/home.ts";
import { repairGuarded } from "../../runtime/records/guard.ts";
import { rememberQueue } from "../../runtime/records/known-queue.ts";

const path = "docs/FEATURES.json";
let dir = "";
let file = "";
let text = "";
let ports = { disk: workspaceDisk(""), files: runFiles("") };

beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "long-queue-"));
  const home = runHome(join(dir, "project"), join(dir, "vault"), taskId("t"), runId("r"));
  fs.mkdirSync(home.root);
  fs.mkdirSync(home.dir, { recursive: true });
  ports = { disk: workspaceDisk(home.root), files: runFiles(home.dir) };
  const entries = Array.from({ length: 2000 }, (_, at) => ({
    ...requestToFeature(`Größe ${at} anzeigen.`),
    id: featureId(`F${at}`),
  }));
  const queue = new QueueText(parseFeaturesJson(draftFeaturesJson(entries), path), () => undefined);
  queue.set(7, "complete");
  queue.set(1500, "in-progress");
  ports.disk.write(path, queue.text);
  rememberQueue(ports.files, queue);
  [file, text] = [join(home.root, path), queue.text];
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

test("without an edit, nothing is reported and nothing is written", () => {
  const { ino } = fs.statSync(file);
  expect(repairGuarded(ports, "docs")).toEqual([]);
  expect(fs.statSync(file).ino).toBe(ino);
});

/** Edits the way a secretive agent would: in place, with the same length and the old times. */
function quietly(change: (bytes: Buffer) => void): void {
  const { atime, mtime } = fs.statSync(file);
  const bytes = fs.readFileSync(file);
  change(bytes);
  const fd = fs.openSync(file, "r+");
  fs.writeSync(fd, bytes, 0, bytes.length, 0);
  fs.closeSync(fd);
  fs.utimesSync(file, atime, mtime);
}

test.each([
  {
    what: "one byte in the middle, with the old times",
    act: () => quietly((bytes) => bytes.fill("x", 99_999, 100_000)),
  },
  {
    what: "another status of the same length",
    act: () => quietly((bytes) => bytes.write("in-progress", bytes.indexOf("not-started"))),
  },
  { what: "bytes that are no text", act: () => quietly((bytes) => bytes.fill(0xff, 99_990, 100_000)) },
  { what: "a line more", act: () => fs.appendFileSync(file, "\n") },
  { what: "half of it", act: () => fs.truncateSync(file, 100_000) },
  { what: "no file", act: () => fs.rmSync(file) },
  {
    what: "a link to a copy",
    act: () => {
      fs.copyFileSync(file, join(dir, "copy.json"));
      fs.rmSync(file);
      fs.symlinkSync(join(dir, "copy.json"), file);
    },
  },
])("$what is noticed, and undone byte for byte", ({ act }) => {
  expect(repairGuarded(ports, "docs")).toEqual([]);
  act();
  expect(repairGuarded(ports, "docs")).toMatchObject([{ kind: "record-edited" }]);
  expect(fs.lstatSync(file).isFile()).toBe(true);
  expect(fs.readFileSync(file).equals(Buffer.from(text))).toBe(true);
  expect(repairGuarded(ports, "docs")).toEqual([]);
});
