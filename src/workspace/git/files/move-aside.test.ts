// Moving out of the way: nothing is lost, links are not followed, and the target may be on another disk.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  everything,
  exists,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { moveAside } from "./move-aside.ts";

afterAll(removeTemporaryFolders);

test.each([
  { what: "a file", make: (at: string) => fs.writeFileSync(at, "x") },
  { what: "a folder", make: (at: string) => write(at, { "a/b": "c" }) },
  { what: "a link that leads nowhere", make: (at: string) => fs.symlinkSync("nowhere", at) },
])("$what is moved, replacing leftovers of an earlier attempt", ({ make }) => {
  const dir = temporaryFolder();
  write(dir, { "aside/deep/thing/old": "left" });
  make(join(dir, "thing"));
  const before = fs.lstatSync(join(dir, "thing")).ino;
  moveAside(join(dir, "thing"), join(dir, "aside/deep/thing"));
  expect(exists(dir, "thing")).toBe(false);
  expect(fs.lstatSync(join(dir, "aside/deep/thing")).ino).toBe(before);
});

test("a missing source changes nothing", () => {
  const dir = temporaryFolder();
  write(dir, { "aside/thing": "kept" });
  moveAside(join(dir, "none"), join(dir, "aside/thing"));
  moveAside(join(dir, "none"), join(dir, "new/thing"));
  expect(readText(dir, "aside/thing")).toBe("kept");
  expect(exists(dir, "new")).toBe(false);
});

test("a folder is moved to another disk with its links and times", ({ skip }) => {
  const dir = temporaryFolder();
  const other = ["/dev/shm", "/tmp", "/var/tmp"].find(
    (path) => fs.existsSync(path) && fs.statSync(path).dev !== fs.statSync(dir).dev,
  );
  if (other === undefined) return skip("there is one disk only");
  const to = fs.mkdtempSync(join(other, "loop-aside-"));
  try {
    write(dir, { "thing/a/b": "c" });
    fs.symlinkSync("../../x", join(dir, "thing/a/link"));
    fs.utimesSync(join(dir, "thing/a/b"), 1000, 1000);
    const before = everything(join(dir, "thing"));
    moveAside(join(dir, "thing"), join(to, "deep/thing"));
    expect(everything(join(to, "deep/thing"))).toEqual(before);
    expect(fs.statSync(join(to, "deep/thing/a/b")).mtimeMs).toBe(1_000_000);
    expect(exists(dir, "thing")).toBe(false);
  } finally {
    fs.rmSync(to, { recursive: true, force: true });
  }
});

test("a source that cannot be moved is an error, and stays", () => {
  const dir = temporaryFolder();
  write(dir, { "thing/x": "x" });
  expect(() => moveAside(join(dir, "thing"), join(dir, "thing/inside"))).toThrow(/EINVAL/);
  expect(readText(dir, "thing/x")).toBe("x");
});
