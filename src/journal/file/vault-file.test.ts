// The vault's journal file: a failed write leaves it unchanged, and outside changes are detected.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readRange, VaultFile, writeAt } from "./vault-file.ts";

let dir = "";
let path = "";
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-vault-file-"));
  path = join(dir, "events.jsonl");
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const noRoom = () => false;
/** A vault file with one line in it. */
function written(): VaultFile {
  const file = new VaultFile(path);
  file.append(Buffer.from("one\n"), noRoom);
  return file;
}
const text = () => fs.readFileSync(path, "utf8");

test("appended bytes are at the end, readable only by their owner, and persist after reopening", () => {
  written().close();
  const file = new VaultFile(path);
  expect(file.length).toBe(4);
  file.append(Buffer.from("two\n"), noRoom);
  expect([text(), file.length]).toEqual(["one\ntwo\n", 8]);
  expect(file.read(2, 6).toString()).toBe("e\ntw");
  expect(file.ino).toBe(fs.statSync(path, { bigint: true }).ino);
  expect(fs.statSync(path).mode & 0o777).toBe(0o600);
});

// Two devices that every kernel has: one is always full, the other accepts everything and cannot be synced.
describe("a disk that fails", () => {
  test.each([
    { room: true, asked: 1 },
    { room: false, asked: 1 },
  ])("because it is full frees space once (found: $room), and the line does not count", ({ room, asked }) => {
    const file = new VaultFile("/dev/full");
    let times = 0;
    const makeRoom = () => {
      times += 1;
      return room;
    };
    expect(() => file.append(Buffer.from("x"), makeRoom)).toThrow(/ENOSPC/);
    expect([times, file.length]).toEqual([asked, 0]);
  });

  test("to sync is not retried, and the line does not count", () => {
    const file = new VaultFile("/dev/null");
    const makeRoom = () => expect.unreachable("a failed sync is no lack of room");
    expect(() => file.append(Buffer.from("x"), makeRoom)).toThrow(/EINVAL/);
    expect(file.length).toBe(0);
  });

  test("for another reason does not free space", () => {
    const file = written();
    file.close();
    const makeRoom = () => expect.unreachable("this is no lack of room");
    expect(() => file.append(Buffer.from("x"), makeRoom)).toThrow(/EBADF/);
  });
});

describe("a file", () => {
  test("that is unchanged is left alone", () => {
    const file = written();
    const before = file.ino;
    expect(file.putBackIfMoved()).toBe(false);
    expect(file.ino).toBe(before);
  });

  test.each([
    { what: "was removed", does: () => fs.rmSync(path), kept: null },
    { what: "was removed with its folder", does: () => fs.rmSync(dir, { recursive: true }), kept: null },
    { what: "was moved", does: () => fs.renameSync(path, `${path}.moved`), kept: null },
    {
      what: "was replaced by one of the same size",
      does: () => {
        fs.writeFileSync(`${path}.new`, "ONE\n");
        fs.renameSync(`${path}.new`, path);
      },
      kept: "ONE\n",
    },
    {
      what: "was replaced by a link",
      does: () => {
        fs.rmSync(path);
        fs.writeFileSync(join(dir, "precious"), "precious");
        fs.symlinkSync("precious", path);
      },
      kept: null,
    },
  ])("that $what is restored, and appended to in its place", ({ does, kept }) => {
    const file = written();
    does();
    expect(file.putBackIfMoved()).toBe(true);
    expect(file.putBackIfMoved()).toBe(false);
    file.append(Buffer.from("two\n"), noRoom);
    expect(text()).toBe("one\ntwo\n");
    expect(fs.lstatSync(path).isFile()).toBe(true);
    const beside = join(dir, "events.jsonl.damaged-1");
    expect(fs.existsSync(beside) ? fs.readFileSync(beside, "utf8") : null).toBe(kept);
    if (fs.existsSync(join(dir, "precious"))) expect(fs.readFileSync(join(dir, "precious"), "utf8")).toBe("precious");
  });

  test.each(["onetwo\n", "on"])("with the foreign content %j is not overwritten", (now) => {
    const file = written();
    fs.writeFileSync(path, now);
    expect(() => file.putBackIfMoved()).toThrow(/someone else/);
    expect(text()).toBe(now);
  });
});

test("reading returns the available bytes, and no more", () => {
  written().close();
  const fd = fs.openSync(path, "r");
  expect(readRange(fd, 1, 3).toString()).toBe("ne");
  expect(readRange(fd, 2, 90).toString()).toBe("e\n");
  expect(readRange(fd, 3, 1).toString()).toBe("");
  fs.closeSync(fd);
});

test("writing uses the given position", () => {
  written().close();
  const fd = fs.openSync(path, "r+");
  writeAt(fd, Buffer.from("XY"), 1);
  fs.closeSync(fd);
  expect(text()).toBe("oXY\n");
});
