// Refs and HEAD, read from the files of a git folder.
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../../../testing/workspace-rig.ts";
import { openVault } from "../../vault.ts";
import { type GitFile, type GitFiles, keepBytes } from "./git-files.ts";
import { headOf, refsOf, resolveRef, tipsOf } from "./refs.ts";

afterAll(removeTemporaryFolders);

const vault = openVault(join(temporaryFolder(), "vault"), "/somewhere");
const [one, two, long] = ["1".repeat(40), "2".repeat(40), "3".repeat(64)];

function filesOf(texts: Readonly<Record<string, string>>, more: Record<string, GitFile> = {}): GitFiles {
  const files = Object.entries(texts).map(([path, text]) => {
    const hash = keepBytes(vault, Buffer.from(text), "soon");
    return [path, { mode: 0o644, hash, mtimeMs: 0 }] as const;
  });
  return { files: { ...Object.fromEntries(files), ...more }, locks: [], bulk: [] };
}

describe("refs", () => {
  test("are the packed and the loose ones, and a loose one takes precedence", () => {
    const packed = `# pack-refs with: peeled\n${one} refs/heads/main\n${one} refs/tags/v1\n^${two}\n`;
    const files = filesOf({ "packed-refs": packed, "refs/heads/main": `${two}\n`, "refs/heads/long": `${long}\n` });
    expect([...refsOf(vault, files)]).toEqual([
      ["refs/heads/main", two],
      ["refs/tags/v1", one],
      ["refs/heads/long", long],
    ]);
  });

  test.each([
    `${one} heads/main`,
    `${one.slice(1)} refs/heads/main`,
    `${one}0 refs/heads/main`,
    `x${one} refs/heads/main`,
  ])("a packed line %j is not a ref", (line) => {
    expect([...refsOf(vault, filesOf({ "packed-refs": `${line}\n` }))]).toEqual([]);
  });

  test("a loose ref that is a link is broken, and other files are not refs", () => {
    const files = filesOf(
      { HEAD: "ref: refs/heads/main\n", "logs/refs/heads/main": "x" },
      { "refs/heads/l": { link: "/x" } },
    );
    expect([...refsOf(vault, files)]).toEqual([["refs/heads/l", "broken"]]);
  });

  test("are empty without files", () => {
    expect(refsOf(vault, filesOf({})).size).toBe(0);
  });
});

describe("HEAD", () => {
  test.each([
    { what: "a branch", head: "ref: refs/heads/feature/x\n", branch: "feature/x", commit: one },
    { what: "a branch that points to another", head: "ref: refs/heads/alias\n", branch: "alias", commit: one },
    { what: "a branch without a commit", head: "ref: refs/heads/unborn\n", branch: "unborn", commit: null },
    { what: "a branch in a circle", head: "ref: refs/heads/circle\n", branch: "circle", commit: null },
    { what: "a branch with nonsense in it", head: "ref: refs/heads/bad\n", branch: "bad", commit: null },
    { what: "a commit", head: `${two}\n`, branch: null, commit: two },
    { what: "a tag", head: "ref: refs/tags/v1\n", branch: null, commit: null },
    { what: "nothing", head: "", branch: null, commit: null },
  ])("of $what is on branch $branch", ({ head, branch, commit }) => {
    const files = filesOf({
      "worktrees/w/HEAD": head,
      HEAD: "ref: refs/heads/other\n",
      "refs/heads/feature/x": one,
      "refs/heads/alias": "ref: refs/heads/feature/x",
      "refs/heads/circle": "ref: refs/heads/circle",
      "refs/heads/bad": "nonsense",
      "refs/tags/v1": two,
    });
    expect(headOf(vault, files, "worktrees/w/")).toEqual({ branch, commit, text: head.trim() });
  });

  test("that is missing is on no branch", () => {
    expect(headOf(vault, filesOf({}), "")).toEqual({ branch: null, commit: null, text: "" });
  });
});

test.each([
  { steps: 5, found: true },
  { steps: 6, found: false },
])("a ref is followed through $steps others: $found", ({ steps, found }) => {
  const chain = Array.from({ length: steps }, (_, at) => [`refs/${at}`, `ref: refs/${at + 1}`] as const);
  const refs = new Map([...chain, [`refs/${steps}`, one] as const]);
  expect(resolveRef(refs, "refs/0")).toBe(found ? one : null);
});

test("a ref that leads nowhere has no value", () => {
  expect(resolveRef(new Map([["refs/a", "ref: refs/b"]]), "refs/a")).toBeNull();
  expect(resolveRef(new Map(), "refs/a")).toBeNull();
});

test("the tips are the objects that refs point to, each once", () => {
  const refs = new Map([
    ["a", one],
    ["b", two],
    ["c", one],
    ["d", "ref: a"],
    ["e", "broken"],
  ]);
  expect(tipsOf(refs)).toEqual([one, two]);
});
