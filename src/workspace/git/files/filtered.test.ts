// Files stored through a filter program: what is recorded, when they count as untouched, and that no filter runs.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { askStore, groundOf } from "../../../testing/ground.ts";
import {
  exists,
  makeRepository,
  person,
  readText,
  removeTemporaryFolders,
  write,
} from "../../../testing/workspace-rig.ts";
import { keepRepository } from "../checkpoint.ts";
import type { Ground } from "../ground.ts";
import { entries } from "../store/stored-trees.ts";
import { noteFiltered, settleFiltered, unfiltered } from "./filtered.ts";
import { snapshot } from "./snapshot.ts";
import { commitForm } from "./tree.ts";

afterAll(removeTemporaryFolders);

/** Like git-lfs: the repository has a short pointer, the folder has the content. */
async function begin(more: (root: string) => void = () => {}) {
  const root = makeRepository({ "plain.txt": "plain\n" });
  person(root, "config", "filter.short.clean", "sed s/long-content/short/");
  person(root, "config", "filter.short.smudge", "sed s/short/long-content/");
  write(root, { ".gitattributes": "*.bin filter=short\n*.other filter=unknown\n" });
  write(root, { "ä.bin": "long-content\n", "sub/b.bin": "b long-content\n", "c.other": "c\n" });
  person(root, "add", "-A");
  person(root, "commit", "-qm", "big");
  more(root);
  const ground = await groundOf(root);
  await keepRepository(ground, join(root, ".git"), ground.vault.copy, true);
  const noted = (): Record<string, { raw: string; committed: string }> =>
    JSON.parse(readText(ground.vault.dir, "filtered.json"));
  return { root, ground, noted };
}
const text = (ground: Ground, blob: string | undefined): string => askStore(ground, "cat-file", "blob", blob ?? "");

describe("the record", () => {
  test("has the folder's and the repository's content for each untouched filtered file", async () => {
    const { root, ground, noted } = await begin();
    await noteFiltered(ground);
    expect(Object.keys(noted()).sort()).toEqual(["sub/b.bin", "ä.bin"]);
    expect(text(ground, noted()["ä.bin"]?.raw)).toBe("long-content");
    expect(noted()["ä.bin"]?.committed).toBe(person(root, "rev-parse", ":ä.bin").trim());
    expect(fs.readdirSync(ground.vault.tmp)).toEqual([]);
  });

  test.each([
    { what: "has another size", does: (at: string) => fs.appendFileSync(at, "x"), keepTime: true },
    { what: "has another time", does: (at: string) => fs.writeFileSync(at, "LONG-CONTENT\n"), keepTime: false },
    { what: "is gone", does: (at: string) => fs.rmSync(at), keepTime: false },
    {
      what: "is a link",
      does: (at: string) => {
        fs.rmSync(at);
        fs.symlinkSync("thirteen-long", at);
      },
      keepTime: false,
    },
  ])("has nothing for a file that $what", async ({ does, keepTime }) => {
    const { ground, noted } = await begin((root) => {
      const at = join(root, "ä.bin");
      const stat = fs.statSync(at);
      does(at);
      if (keepTime) fs.utimesSync(at, stat.atime, stat.mtime);
      else if (exists(root, "ä.bin")) fs.lutimesSync(at, stat.atime, new Date(stat.mtimeMs + 5000));
    });
    await noteFiltered(ground);
    expect(Object.keys(noted())).toEqual(["sub/b.bin"]);
  });

  test("accepts an index with times in whole seconds, but not a different second", async () => {
    const whole = new Date("2026-01-02T03:04:05.000Z");
    const { root, ground, noted } = await begin((at) => {
      for (const name of ["ä.bin", "sub/b.bin"]) fs.utimesSync(join(at, name), whole, whole);
      person(at, "update-index", "-q", "--refresh");
    });
    fs.utimesSync(join(root, "ä.bin"), whole, new Date("2026-01-02T03:04:05.250Z"));
    fs.utimesSync(join(root, "sub/b.bin"), whole, new Date("2026-01-02T03:04:06.000Z"));
    await noteFiltered(ground);
    expect(Object.keys(noted())).toEqual(["ä.bin"]);
  });

  test("is empty where the person has no filter, or no index", async () => {
    const { root, ground } = await begin();
    await noteFiltered({ ...ground, settings: { ...ground.settings, filters: [] } });
    fs.rmSync(join(root, ".git/index"));
    await noteFiltered(ground);
    expect(exists(ground.vault.dir, "filtered.json")).toBe(false);
  });
});

describe("the tree of a commit", () => {
  test("has the repository's content for untouched files, and the rest as it is", async () => {
    const { root, ground } = await begin();
    write(root, { "plain.txt": "changed\n", "c.other": "C\n" });
    const { commitTree } = await commitForm(ground);
    expect(text(ground, `${commitTree}:ä.bin`)).toBe("short");
    expect(text(ground, `${commitTree}:sub/b.bin`)).toBe("b short");
    expect([text(ground, `${commitTree}:plain.txt`), text(ground, `${commitTree}:c.other`)]).toEqual(["changed", "C"]);
    expect((await commitForm(ground)).commitTree).toBe(commitTree);
  });

  test("keeps the executable bit", async () => {
    const { ground } = await begin((root) => {
      fs.chmodSync(join(root, "ä.bin"), 0o755);
      person(root, "commit", "-qam", "may be run");
    });
    const { commitTree } = await commitForm(ground);
    const entry = (await entries(ground, commitTree)).find(({ path }) => path === "ä.bin");
    expect([entry?.mode, text(ground, entry?.id)]).toEqual(["100755", "short"]);
  });

  test("may omit a removed one", async () => {
    const { root, ground } = await begin();
    await noteFiltered(ground);
    fs.rmSync(join(root, "ä.bin"));
    const { commitTree } = await commitForm(ground);
    expect((await entries(ground, commitTree)).map(({ path }) => path)).not.toContain("ä.bin");
  });

  test.each([
    { what: "changed", files: { "ä.bin": "other\n" }, named: "ä.bin" },
    { what: "new", files: { "new.bin": "long-content\n" }, named: "new.bin" },
    {
      what: "more than can be said",
      files: Object.fromEntries(["1", "2", "3", "4", "5", "6"].map((name) => [`${name}.bin`, "x"])),
      named: "1.bin, 2.bin, 3.bin, 4.bin, 5.bin",
    },
  ])("is refused for files that are $what, and names them", async ({ files, named }) => {
    const { root, ground } = await begin();
    await noteFiltered(ground);
    write(root, files as Record<string, string>);
    await expect(commitForm(ground)).rejects.toMatchObject({
      code: "filtered-file-changed",
      why: `A filter stores these files (git-lfs, or another program), and the loop never runs one: ${named}`,
    });
  });

  test("uses the first record, even if the file was changed and staged since", async () => {
    const { root, ground, noted } = await begin();
    await snapshot(ground);
    await noteFiltered(ground);
    const before = noted();
    write(root, { "ä.bin": "other\n" });
    person(root, "add", "-A");
    await expect(commitForm(ground)).rejects.toMatchObject({ code: "filtered-file-changed" });
    expect(noted()).toEqual(before);
  });

  test("is not checked where the person has no filter", async () => {
    const { ground } = await begin();
    await settleFiltered({ ...ground, settings: { ...ground.settings, filters: [] } });
    expect(exists(ground.vault.dir, "filtered.json")).toBe(false);
  });
});

test("a checkout gets the folder's content, but only for files that are unchanged in the tree", async () => {
  const { root, ground } = await begin();
  expect(unfiltered(ground, [])).toEqual([]);
  const { commitTree } = await commitForm(ground);
  const tree = await entries(ground, commitTree);
  const found = unfiltered(ground, tree);
  expect(found.map(({ path, id }) => [path, text(ground, id)])).toEqual([
    ["sub/b.bin", "b long-content"],
    ["ä.bin", "long-content"],
  ]);
  const other = tree.map((entry) => ({ ...entry, id: person(root, "rev-parse", ":plain.txt").trim() }));
  expect(unfiltered(ground, other)).toEqual([]);
  expect(unfiltered(ground, [{ mode: "100644", type: "blob", id: "x", path: "toString" }])).toEqual([]);
});
