// What a change may touch, how large it may be, and what looks like a secret: the edges.
import { describe, expect, test } from "vitest";
import { allowed, scopeCauses } from "../../src/runtime/proof/scope.ts";
import { sealRule } from "../../src/runtime/proof/seal.ts";
import { findSecrets } from "../../src/runtime/proof/secrets.ts";
import { sizeCauses } from "../../src/runtime/proof/size.ts";
import { contractOf, feature } from "../../src/testing/world/contracts.ts";
import type { Change } from "../../src/workspace/workspace.ts";
import { check, scope, tree, workspace } from "./trees.ts";

const changed = (path: string, kind: Change["kind"] = "modified", more: Partial<Change> = {}): Change => ({
  path,
  kind,
  binary: false,
  lines: 1,
  ...more,
});
const touched = (changes: Change[], mayTouch: string[] = [], mayChange: string[] = [], own: string[] = []) => ({
  contract: contractOf([], { scope: { ...scope(mayChange), mayTouch } }),
  feature: feature("F1", { mayTouch: own }),
  changes,
  rule: sealRule({ checks: [check()], scope: scope(mayChange) }),
  seal: { welcome: [] },
});

describe("scope", () => {
  const kinds = (...of: Parameters<typeof touched>): string[] =>
    scopeCauses(touched(...of)).map(({ text }) => text.split(":")[0] ?? "");

  test("without a word about it lets everything be touched but what steers", () => {
    expect(kinds([changed("anything"), changed(".hidden/x")])).toEqual([]);
    expect(kinds([changed("CLAUDE.md")])).toEqual([
      "Files that steer agents or tools were changed, and nobody asked for that",
    ]);
  });

  test("is the contract's and the feature's together, hidden files included", () => {
    const changes = [changed("src/a.js"), changed("own/.b.js"), changed("x.js")];
    expect(scopeCauses(touched(changes, ["src/**"], [], ["own/**"]))).toMatchObject([
      { kind: "scope", key: "scope:x.js", text: "Changed outside the scope of F1: x.js" },
    ]);
  });

  test.each<{ what: string; changes: Change[]; mayTouch?: string[]; is: boolean }>([
    {
      what: "with a manifest that may change",
      changes: [changed("package.json"), changed("package-lock.json")],
      mayTouch: ["package.json"],
      is: false,
    },
    {
      what: "with a manifest that may not",
      changes: [changed("go.mod"), changed("package-lock.json")],
      mayTouch: ["src/**"],
      is: true,
    },
    {
      what: "with a file that may change",
      changes: [changed("src/a.js"), changed("package-lock.json")],
      mayTouch: ["src/**"],
      is: true,
    },
  ])("of a lockfile $what: out $is", ({ changes, mayTouch = [], is }) => {
    expect(scopeCauses(touched(changes, mayTouch)).some(({ key }) => key.includes("package-lock.json"))).toBe(is);
  });

  test.each<{ what: string; change: Change; is: number }>([
    { what: "a new test", change: changed("test/a.js", "added"), is: 0 },
    { what: "a deleted test", change: changed("test/a.js", "deleted"), is: 1 },
    { what: "a new file that is no test", change: changed("x/a.js", "added"), is: 1 },
    { what: "what is released", change: changed("free/a.js"), is: 0 },
    { what: "what steers and is released", change: changed("free/CLAUDE.md"), is: 0 },
    { what: "what steers, told once", change: changed("AGENTS.md"), is: 1 },
  ])("of $what: $is", ({ change, is }) => {
    expect(scopeCauses(touched([change], ["src/**"], ["free/**"]))).toHaveLength(is);
  });

  test.each([
    { glob: "**", names: false },
    { glob: "*", names: false },
    { glob: "./**", names: false },
    { glob: "**/*.md", names: true },
    { glob: "CLAUDE.md", names: true },
  ])("$glob names CLAUDE.md: $names", ({ glob, names }) => {
    const { contract, feature: of } = touched([], [glob]);
    expect(allowed(contract, of).names("CLAUDE.md")).toBe(names);
    expect(allowed(contract, of).mayTouch("CLAUDE.md")).toBe(true);
  });

  test("names nothing where it says nothing, and a hidden file where it does", () => {
    const of = (...globs: string[]) => allowed(touched([], globs).contract, feature("F1"));
    expect([of().names("a"), of().mayTouch("a"), of("x/**").names("x/.a"), of("x/**").names("y")]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe("size", () => {
  const candidate = tree({
    "a.bin": `\0${"x".repeat(1 << 20)}`,
    "b.bin": `\0${"x".repeat((1 << 20) - 1)}`,
    "elf.bin": "\x7fELF",
    "wasm.bin": "\0asm",
  });
  const of = (changes: Change[], mayTouch: string[] = [], mayChange: string[] = []) =>
    sizeCauses(workspace, candidate, touched(changes, mayTouch, mayChange));

  test("is bounded in lines and in files, exactly", async () => {
    expect(await of([changed("a", "added", { lines: 5000 })])).toEqual([]);
    expect(await of([changed("a", "added", { lines: 3000 }), changed("b", "added", { lines: 2001 })])).toHaveLength(1);
    expect(await of(Array.from({ length: 200 }, (_, at) => changed(`f${at}`)))).toEqual([]);
  });

  test("does not count what is named, released, or written by a program", async () => {
    const large = { lines: 9000 };
    expect(
      await of(
        [changed("gen/a", "added", large), changed("yarn.lock", "added", large), changed("free/a", "added", large)],
        ["gen/**"],
        ["free/**"],
      ),
    ).toEqual([]);
  });

  test("is told with the five largest", async () => {
    const changes = [1, 4, 2, 6, 5, 3].map((part) => changed(`f${part}`, "added", { lines: part * 1000 }));
    const [cause] = await of(changes);
    expect(cause?.text).toContain(
      "21000 lines in 6 files (at most 5000 and 200). Largest: f6 (6000), f5 (5000), f4 (4000), f3 (3000), f2 (2000)\n",
    );
    expect(cause?.key).toBe("scope:size");
  });

  test.each<{ what: string; change: Change; says: string | null }>([
    { what: "a large file", change: changed("a.bin", "added", { binary: true }), says: "a.bin (1.0 MB)" },
    { what: "one that is not too large", change: changed("b.bin", "added", { binary: true }), says: null },
    { what: "a program", change: changed("elf.bin", "added", { binary: true }), says: "elf.bin (a program)" },
    { what: "WebAssembly", change: changed("wasm.bin", "added", { binary: true }), says: "wasm.bin (a program)" },
    { what: "a program that was there", change: changed("elf.bin", "modified", { binary: true }), says: null },
    { what: "a large text", change: changed("a.bin", "added"), says: null },
    { what: "a file that cannot be read", change: changed("none.bin", "added", { binary: true }), says: null },
  ])("of $what: $says", async ({ change, says }) => {
    const [cause] = await of([change]);
    expect(cause?.text.split("\n")[0] ?? null).toBe(says === null ? null : `Binary files were added: ${says}`);
  });
});

describe("a secret", () => {
  const rule = sealRule({ checks: [check()], scope: scope() });
  const kind = (text: string, path = "src/a.js"): string | null =>
    findSecrets([{ path, line: 1, text }], rule)[0]?.kind ?? null;
  const drawn = "q7Zr2Lw9Xk4Vb8Nc3Ty6Hd1Jf5Gs0Pm8";

  test.each([
    { what: "drawn by lot", text: `secret = "${drawn}"`, is: true },
    { what: "of letters alone", text: 'token = "qZrLwXkVbNcTyHdJfGsPmQ"', is: false },
    { what: "of digits alone", text: 'token = "90817263549182736450"', is: false },
    { what: "made of words", text: 'token = "q7-somewhere-r2-anything-k4"', is: false },
    { what: "of few characters", text: 'token = "a1b2a1b2a1b2a1b2a1b2"', is: false },
    { what: "of hardly different ones", text: 'token = "AAAAAAAAAAAAAAAA1B2C3D4E"', is: false },
    { what: "in hexadecimal", text: 'token = "9f86d081884c7d659a2feaa0c55ad015"', is: true },
    { what: "that says it is an example", text: `token = "${drawn}example"`, is: false },
  ])("in an assignment, $what: $is", ({ text, is }) => {
    expect(kind(text)).toBe(is ? "secret in an assignment" : null);
  });

  test("in an assignment counts outside tests and lockfiles alone", () => {
    const text = `secret = "${drawn}"`;
    expect([kind(text, "test/a.js"), kind(text, "yarn.lock")]).toEqual([null, null]);
  });

  test("is looked for in the first five thousand characters of a line", () => {
    const token = `ghp_${drawn}q7Zr`;
    expect(kind(`${" ".repeat(4960)}${token}`)).toBe("GitHub token");
    expect(kind(`${" ".repeat(4961)}${token}`)).toBeNull();
  });

  test("that is a key in a file of its own is no example, whatever it is called", () => {
    expect(kind("-----BEGIN PRIVATE KEY-----")).toBe("private key");
    expect(kind("ghp_abababababababababababababababababab")).toBeNull();
  });
});
