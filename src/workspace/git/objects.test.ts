// A copy of a repository's objects, where one of them cannot be read.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { copyObjects, fillObjects } from "./objects.ts";

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) fs.rmSync(dir, { recursive: true, force: true });
});

function shutAway(): { from: string; to: string } {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-objects-"));
  dirs.push(dir);
  fs.chmodSync(dir, 0o777);
  const [from, to] = [join(dir, "objects"), join(dir, "copy")];
  fs.mkdirSync(join(from, "ab"), { recursive: true });
  fs.writeFileSync(join(from, "ab", "c".repeat(38)), "x", { mode: 0o000 });
  return { from, to };
}

/** Root may read everything, so it is somebody else for a moment. */
function asNobody<T>(action: () => T): T {
  if (process.getuid?.() !== 0) return action();
  process.seteuid?.(65_534);
  try {
    return action();
  } finally {
    process.seteuid?.(0);
  }
}

test("the person's own object that may not be read stops the copying, and is not called forged", () => {
  const { from, to } = shutAway();
  expect(() => asNobody(() => copyObjects(from, to, true))).toThrow(/EACCES/);
});

test("one that an agent shut away is as good as forged", () => {
  const { from, to } = shutAway();
  expect(asNobody(() => copyObjects(from, to, false)).forged).toEqual([`ab/${"c".repeat(38)}`]);
});

test("objects are put back beside a link that an agent laid in their folder's place, and not through it", () => {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-objects-"));
  dirs.push(dir);
  const [kept, at, outside] = ["kept", "at", "outside"].map((name) => join(dir, name)) as [string, string, string];
  for (const each of [join(kept, "ab"), at, outside]) fs.mkdirSync(each, { recursive: true });
  const name = `ab/${"c".repeat(38)}`;
  fs.writeFileSync(join(kept, name), "x");
  fs.symlinkSync(outside, join(at, "ab"));
  fillObjects(kept, at, [name]);
  expect(fs.readdirSync(outside)).toEqual([]);
  expect(fs.readFileSync(join(at, name), "utf8")).toBe("x");
});
