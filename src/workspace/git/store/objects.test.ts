// A copy of a repository's objects: complete, trusted only as far as names prove content, and restorable.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { deflateSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { copyObjects, fillObjects, missingObjects } from "./objects.ts";

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

/** Root can read everything, so switch to another user for a moment; a worker thread cannot. */
const staysRoot = process.getuid?.() === 0 && !isMainThread;
function asNobody<T>(action: () => T): T {
  if (process.getuid?.() !== 0) return action();
  process.seteuid?.(65_534);
  try {
    return action();
  } finally {
    process.seteuid?.(0);
  }
}

test.skipIf(staysRoot)("an unreadable object of the person's stops the copy, and is not reported as forged", () => {
  const { from, to } = shutAway();
  expect(() => asNobody(() => copyObjects(from, to, true))).toThrow(/EACCES/);
});

test.skipIf(staysRoot)("one that an agent made unreadable counts as forged", () => {
  const { from, to } = shutAway();
  expect(asNobody(() => copyObjects(from, to, false)).forged).toEqual([`ab/${"c".repeat(38)}`]);
});

function folders(name = "objects"): { from: string; to: string } {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-objects-"));
  dirs.push(dir);
  fs.mkdirSync(join(dir, name));
  return { from: join(dir, name), to: join(dir, "copy") };
}
function put(dir: string, name: string, content: string | Buffer): string {
  fs.mkdirSync(dirname(join(dir, name)), { recursive: true });
  fs.writeFileSync(join(dir, name), content);
  return name;
}
/** A loose object as git writes it, under its correct name. */
function putObject(dir: string, text: string, algorithm: "sha1" | "sha256" = "sha1"): string {
  const bytes = Buffer.from(`blob ${text.length}\0${text}`);
  const id = createHash(algorithm).update(bytes).digest("hex");
  return put(dir, `${id.slice(0, 2)}/${id.slice(2)}`, deflateSync(bytes));
}
const filesIn = (dir: string): string[] =>
  fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
const nothing = { packs: [], forged: [], vanished: false };

describe("copying objects", () => {
  test("takes loose objects and packs, and nothing else", () => {
    const { from, to } = folders();
    const wanted = [putObject(from, "one"), putObject(from, "two", "sha256")];
    for (const end of ["pack", "idx", "promisor"]) wanted.push(put(from, `pack/pack-0a.${end}`, end));
    for (const name of ["info/commit-graph", "pack/pack-0a.rev", "pack/tmp_pack_x", "ab/short", "pack/pack-XY.pack"])
      put(from, name, "x");
    fs.symlinkSync("pack-0a.pack", join(from, "pack/pack-0b.pack"));
    expect(copyObjects(from, to, true)).toEqual(nothing);
    expect(filesIn(to)).toEqual(wanted.sort());
    for (const name of wanted) expect(fs.readFileSync(join(to, name))).toEqual(fs.readFileSync(join(from, name)));
    expect(fs.statSync(join(to, wanted[0] ?? "")).mode & 0o777).toBe(0o400);
  });

  test("from an untrusted folder omits pack indexes, and names the packs that need one", () => {
    const { from, to } = folders();
    for (const name of ["pack/pack-0a.pack", "pack/pack-0a.idx", "pack/pack-0b.pack", "pack/pack-0b.idx"])
      put(from, name, name);
    put(to, "pack/pack-0b.idx", "ours");
    expect(copyObjects(from, to, false)).toEqual({ ...nothing, packs: ["pack/pack-0a.pack"] });
    expect(filesIn(to)).toEqual(["pack/pack-0a.pack", "pack/pack-0b.idx", "pack/pack-0b.pack"]);
    expect(fs.readFileSync(join(to, "pack/pack-0b.idx"), "utf8")).toBe("ours");
  });

  test.each([true, false])("rejects an object that does not match its name (trusted: %s)", (trusted) => {
    const { from, to } = folders();
    const good = putObject(from, "good");
    const other = putObject(from, "other");
    fs.copyFileSync(join(from, good), join(from, other));
    const noise = put(from, `ab/${"c".repeat(38)}`, "not even compressed");
    expect(copyObjects(from, to, trusted)).toEqual({ ...nothing, forged: [other, noise].sort() });
    expect(filesIn(to)).toEqual([good]);
  });

  test("replaces files that have another size in the copy, and skips the others", () => {
    const { from, to } = folders();
    const [one, two] = [putObject(from, "one"), putObject(from, "two")];
    copyObjects(from, to, true);
    fs.chmodSync(join(to, one), 0o600);
    fs.truncateSync(join(to, one), 1);
    const before = fs.statSync(join(to, two)).ino;
    copyObjects(from, to, false);
    expect(fs.readFileSync(join(to, one))).toEqual(fs.readFileSync(join(from, one)));
    expect(fs.statSync(join(to, two)).ino).toBe(before);
  });

  test("that fails for another reason than a repack is an error, and leaves no half-copied object", () => {
    const { from, to } = folders();
    const name = putObject(from, "one");
    put(to, `${name}/in-the-way`, "x");
    expect(() => copyObjects(from, to, true)).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(fs.statSync(join(to, name)).isDirectory()).toBe(true);
  });

  test("from a missing folder makes an empty copy", () => {
    const { from, to } = folders();
    expect(copyObjects(join(from, "none/objects"), to, true)).toEqual(nothing);
    expect(filesIn(to)).toEqual([]);
  });

  test("from another bulk folder takes every file as it is", () => {
    const { from, to } = folders("lfs");
    const nearly = [".complete-not", "a.complete", "x.pack", "xtmp_", "y.tmp.gz", "z.idx"];
    const names = [...nearly.map((name) => put(from, name, "p")), put(from, "objects/ab/cd/abcd", "large")].sort();
    for (const name of ["tmp_x", "y.tmp", ".complete"]) put(from, name, "half");
    expect(copyObjects(from, to, false)).toEqual(nothing);
    expect(filesIn(to)).toEqual(names);
  });

  test("makes borrowed objects reachable from the copy, if the folder is trusted", () => {
    const { from, to } = folders();
    put(from, "info/alternates", "# a comment\n../../other/objects\n/whole/path\n\n");
    copyObjects(from, to, false);
    expect(fs.existsSync(join(to, "info/alternates"))).toBe(false);
    copyObjects(from, to, true);
    const borrowed = join(dirname(dirname(from)), "other/objects");
    expect(fs.readFileSync(join(to, "info/alternates"), "utf8")).toBe(`${borrowed}\n/whole/path\n`);
    fs.rmSync(join(from, "info/alternates"));
    copyObjects(from, to, true);
    expect(fs.existsSync(join(to, "info/alternates"))).toBe(false);
  });
});

test("leftovers of a crash are replaced, and a link there is not followed", () => {
  const { from, to } = folders();
  const name = putObject(from, "one");
  const outside = put(from, "../outside", "somebody's");
  fs.mkdirSync(dirname(join(to, name)), { recursive: true });
  fs.symlinkSync(join(from, outside), join(to, `${name}.tmp`));
  copyObjects(from, to, true);
  expect(fs.readFileSync(join(from, outside), "utf8")).toBe("somebody's");
  expect(fs.lstatSync(join(to, name)).isFile()).toBe(true);
});

describe("restoring objects", () => {
  test("finds missing files and files of another size, and makes them readable for everyone", () => {
    const { from, to } = folders();
    const [kept, gone, cut] = [putObject(from, "kept"), putObject(from, "gone"), putObject(from, "cut")];
    put(from, "info/alternates", "/x\n");
    for (const name of [kept, cut]) put(to, name, fs.readFileSync(join(from, name)));
    fs.truncateSync(join(to, cut), 2);
    const missing = missingObjects(from, to);
    expect(missing.sort()).toEqual([gone, cut].sort());
    fillObjects(from, to, missing);
    expect(missingObjects(from, to)).toEqual([]);
    expect(fs.statSync(join(to, gone)).mode & 0o777).toBe(0o444);
  });
});

test("objects are restored in place of a link to a folder, not through it", () => {
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

test("the index of a pack is never written before the pack", () => {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-objects-"));
  dirs.push(dir);
  const [from, to] = [join(dir, "objects"), join(dir, "copy")];
  const names = ["pack", "idx"].map((kind) => `pack/pack-${"ab".repeat(20)}.${kind}`);
  fs.mkdirSync(join(from, "pack"), { recursive: true });
  for (const name of names) fs.writeFileSync(join(from, name), "x");
  fs.mkdirSync(join(to, `${names[0]}.${process.pid}.tmp`, "in the way"), { recursive: true });
  expect(() => copyObjects(from, to, true)).toThrow();
  expect(fs.readdirSync(join(to, "pack")).filter((name) => name.endsWith(".idx"))).toEqual([]);
});
