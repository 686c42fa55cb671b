// Moving to another disk: what a plain copy would read or write whole stays as it is.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { moveAcross } from "./move-across.ts";

/** Two folders on different disks, as on most Linux machines. */
const [here, there] = ["/dev/shm", "/tmp"] as const;
const isTwo = [here, there].every((dir) => fs.existsSync(dir)) && fs.statSync(here).dev !== fs.statSync(there).dev;

let from = "";
let to = "";
beforeEach(() => {
  if (!isTwo) return;
  from = fs.mkdtempSync(join(here, "loop-move-"));
  to = fs.mkdtempSync(join(there, "loop-move-"));
});
afterEach(() => {
  for (const dir of [from, to]) fs.rmSync(dir, { recursive: true, force: true });
});

test.skipIf(!isTwo)("holes stay holes", () => {
  const path = join(from, "big");
  fs.writeFileSync(path, "x");
  fs.truncateSync(path, 2 ** 40);
  moveAcross(Buffer.from(path), join(to, "big"));
  const { size, blocks } = fs.statSync(join(to, "big"));
  expect(size).toBe(2 ** 40);
  expect(blocks * 512).toBeLessThan(1 << 20);
  expect(fs.readdirSync(from)).toEqual([]);
});

test.skipIf(!isTwo)("a pipe is moved and not read, under any name", () => {
  const name = Buffer.concat([Buffer.from(`${from}/`), Buffer.from([0xff, 0x61])]);
  execFileSync("mkfifo", [join(from, "pipe")]);
  fs.renameSync(join(from, "pipe"), name);
  moveAcross(name, join(to, "pipe"));
  expect(fs.lstatSync(join(to, "pipe")).isFIFO()).toBe(true);
  expect(fs.readdirSync(from)).toEqual([]);
});
