// Trouble with the machine becomes an error that a person can fix; everything else stays a bug.
import { describe, expect, test } from "vitest";
import { Bug, machineTrouble, UserError } from "./errors.ts";

describe("trouble with the machine", () => {
  test.each([
    ["ENOSPC: no space left on device, write", "disk-full"],
    ["git add ended with 128: fatal: unable to write: No space left on device", "disk-full"],
    ["EROFS: read-only file system, open 'x'", "disk-read-only"],
    ["ENOENT: no such file or directory, mkdir '/vault/objects/91'", "no-folder"],
    ["EACCES: permission denied, rename 'a' -> 'b'", "no-permission"],
    ["EIO: i/o error, fsync", "disk-failing"],
    ["EMFILE: too many open files, open 'x'", "too-many-files"],
    ["spawn /usr/bin/git EAGAIN", "no-processes"],
    ["git diff ended with 128: fatal: cannot fork(): Resource temporarily unavailable", "no-processes"],
    ["ENOMEM: not enough memory, read", "no-memory"],
  ])("%s is %s, with a next step", (message, code) => {
    const trouble = machineTrouble(new Error(message));
    expect(trouble).toMatchObject({ code, exitCode: 1 });
    expect(trouble?.next).toContain("loop continue");
    expect(trouble?.why).toContain(message.slice(0, 20));
  });

  test.each([
    [new Error("ENOENT: no such file or directory, open 'x'")],
    [new TypeError("x is not a function")],
    [new Bug("a case was forgotten")],
    ["ENOSPC"],
    [null],
  ])("%s is not", (error) => {
    expect(machineTrouble(error)).toBeNull();
  });

  test("a UserError is returned unchanged", () => {
    const told = new UserError("usage", { what: "What.", why: "ENOSPC", next: "Next." });
    expect(machineTrouble(told)).toBe(told);
  });
});
