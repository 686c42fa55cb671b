// What every workspace must do, with or without git: call it in your own test file.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openWorkspace } from "../workspace/open.ts";
import {
  anId,
  everything,
  exists,
  firstFiles,
  type Kind,
  makeRepository,
  open,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  type World,
  write,
} from "./workspace-rig.ts";

const makers: Record<Kind, () => Promise<World>> = {
  git: () => open(makeRepository(), "git"),
  plain: () => {
    const root = join(temporaryFolder(), "folder");
    write(root, firstFiles);
    return open(root, "plain");
  },
};

/** The conformance suite for every kind of workspace. */
export function describeWorkspace(kind: Kind, make: () => Promise<World> = makers[kind]): void {
  afterAll(removeTemporaryFolders);
  describe(`a ${kind} workspace`, () => {
    test("has one tree for one content, and another for another", async () => {
      const { root, workspace } = await make();
      const first = await workspace.tree();
      write(root, { "src/main.js": "2" });
      const second = await workspace.tree();
      write(root, { "src/main.js": "console.log(1);\n" });
      expect(second).not.toBe(first);
      expect(await workspace.tree()).toBe(first);
    });

    test("lists, reads and compares trees", async () => {
      const { root, workspace } = await make();
      const from = await workspace.tree();
      write(root, { "new file": "a\nb\n", "src/main.js": "1;\n", "bin.dat": Buffer.from([0, 1, 2, 0]) });
      fs.rmSync(join(root, "README.md"));
      const to = await workspace.tree();
      expect(await workspace.changes(from, to)).toEqual([
        { path: "README.md", kind: "deleted", binary: false, lines: 1 },
        { path: "bin.dat", kind: "added", binary: true, lines: 0 },
        { path: "new file", kind: "added", binary: false, lines: 2 },
        { path: "src/main.js", kind: "modified", binary: false, lines: 2 },
      ]);
      expect(await workspace.list(to)).toContain("new file");
      expect(await workspace.list(to)).not.toContain("README.md");
      expect((await workspace.read(to, "new file"))?.toString()).toBe("a\nb\n");
      expect(await workspace.read(to, "README.md")).toBeNull();
      expect(await workspace.read(to, "src")).toBeNull();
      expect(await workspace.read(to, "../outside")).toBeNull();
      expect(await workspace.diff(from, to, 100_000)).toContain("+1;");
    });

    test("finds what was left before the commits with a trailer", async () => {
      const { root, workspace } = await make();
      write(root, { "a.txt": "a\n" });
      const order = { subject: "s", body: "" };
      const first = await workspace.tree();
      const mine = await workspace.commit({ ...order, tree: first, parent: await workspace.head(), trailers: {} });
      if (mine.is === "moved") throw new Error("the branch has moved");
      write(root, { "b.txt": "b\n" });
      const second = await workspace.tree();
      const trailers = { "Loop-Run": "r1", "Loop-Feature": "F001" };
      const theirs = await workspace.commit({ ...order, tree: second, parent: mine.commit, trailers });
      if (theirs.is === "moved") throw new Error("the branch has moved");
      expect(await workspace.newestWithout(theirs.commit, "Loop-Run")).toBe(first);
      expect(await workspace.newestWithout(mine.commit, "Loop-Run")).toBe(first);
      expect(await workspace.newestWithout(theirs.commit, "Loop-Other")).toBe(second);
    });

    test("cuts a diff that is too long, and says so", async () => {
      const { root, workspace } = await make();
      const from = await workspace.tree();
      write(root, { big: "line\n".repeat(10_000) });
      const text = await workspace.diff(from, await workspace.tree(), 1000);
      expect(text.length).toBeLessThan(1200);
      expect(text).toContain("cut after 1000 bytes");
    });

    test("lays files over a tree without touching the folder", async () => {
      const { root, workspace } = await make();
      const before = everything(root);
      const tree = await workspace.tree([
        { path: "test/add.test.js", content: "sealed" },
        { path: "added/by/lay", content: Buffer.from("x") },
        { path: "README.md", content: null },
      ]);
      expect((await workspace.read(tree, "test/add.test.js"))?.toString()).toBe("sealed");
      expect((await workspace.read(tree, "added/by/lay"))?.toString()).toBe("x");
      expect(await workspace.read(tree, "README.md")).toBeNull();
      expect(everything(root)).toEqual(before);
    });

    test.each(["../x", "/etc/passwd", "a/../../x", ".git/config", "a//b", ""])(
      "refuses to lay a file at %j",
      async (path) => {
        const { workspace } = await make();
        await expect(workspace.tree([{ path, content: "x" }])).rejects.toThrow("not a path inside");
      },
    );

    test("returns to a checkpoint exactly, and leaves ignored files alone", async () => {
      const { root, workspace } = await make();
      write(root, { "untracked.txt": "mine", ".env": "SECRET=1", "node_modules/a/index.js": "dep" });
      const before = everything(root);
      const checkpoint = await workspace.checkpoint(anId());
      write(root, { "src/main.js": "broken", "extra/new.js": "new", ".env": "SECRET=2" });
      fs.rmSync(join(root, "untracked.txt"));
      fs.rmSync(join(root, "test"), { recursive: true });
      for (const empty of ["empty/in/here", "empty/there"]) fs.mkdirSync(join(root, empty), { recursive: true });
      // File times lag behind the clock by up to a tick; an agent takes longer than that.
      const later = new Date(Date.now() + 1000);
      fs.utimesSync(join(root, "empty"), later, later);
      const restored = await workspace.restore(checkpoint, "it failed");
      expect(everything(root)).toEqual({ ...before, ".env": everything(root)[".env"] });
      expect(readText(root, ".env")).toBe("SECRET=2");
      expect(restored.tree).toBe(checkpoint.tree);
      expect(await workspace.tree()).toBe(checkpoint.tree);
      expect(restored.files).toEqual(["extra/new.js", "src/main.js", "test/add.test.js", "untracked.txt"]);
      expect([exists(root, "extra"), exists(root, "empty")]).toEqual([false, false]);
    });

    test("goes by the checkpoint's ignore rules, not by those that an agent wrote", async () => {
      const { root, workspace } = await make();
      write(root, { ".env": "SECRET=1", "node_modules/a/index.js": "dep", "mine.txt": "mine" });
      const before = everything(root);
      const checkpoint = await workspace.checkpoint(anId());
      fs.rmSync(join(root, ".gitignore"));
      await workspace.restore(checkpoint, "the rules were removed");
      expect(everything(root)).toEqual(before);
      write(root, { ".gitignore": "*\n", "hidden.txt": "hidden", "sub/.gitignore": "*\n", "sub/too.txt": "too" });
      fs.rmSync(join(root, "mine.txt"));
      const { quarantine } = await workspace.restore(checkpoint, "the rules hid files");
      expect(everything(root)).toEqual(before);
      await workspace.quarantine.bringBack(quarantine ?? "", { paths: ["hidden.txt", "sub/too.txt"] });
      expect([readText(root, "hidden.txt"), readText(root, "sub/too.txt")]).toEqual(["hidden", "too"]);
    });

    test("keeps an ignored file that stands where the checkpoint has a folder", async () => {
      const { root, workspace } = await make();
      write(root, { "out.log/kept.txt": "kept" });
      write(root, { ".gitignore": "node_modules/\n.env\n" });
      const checkpoint = await workspace.checkpoint(anId());
      fs.rmSync(join(root, "out.log"), { recursive: true });
      write(root, { ".gitignore": "*.log\n", "out.log": "in the way" });
      const { quarantine } = await workspace.restore(checkpoint, "why");
      expect(readText(root, "out.log/kept.txt")).toBe("kept");
      const to = join(temporaryFolder(), "out");
      await workspace.quarantine.bringBack(quarantine ?? "", { to, paths: ["out.log"] });
      expect(readText(to, "out.log")).toBe("in the way");
    });

    test("gives the tree of a fold without looking again, and only once", async () => {
      const { root, workspace } = await make();
      const checkpoint = await workspace.checkpoint(anId());
      write(root, { "src/main.js": "made" });
      await workspace.fold(checkpoint);
      const laid = [{ path: "laid.txt", content: "laid" }];
      const candidate = await workspace.tree(laid, { asFolded: true });
      expect(candidate).toBe(await workspace.tree(laid));
      expect((await workspace.read(candidate, "src/main.js"))?.toString()).toBe("made");
      write(root, { "src/main.js": "later" });
      const later = await workspace.tree([], { asFolded: true });
      expect((await workspace.read(later, "src/main.js"))?.toString()).toBe("later");
    });

    test("keeps in quarantine what a restore removed, and brings it back", async () => {
      const { root, workspace } = await make();
      const checkpoint = await workspace.checkpoint(anId());
      write(root, { "src/main.js": "theirs", "extra/new.js": "new" });
      const { quarantine } = await workspace.restore(checkpoint, "it failed");
      const entries = await workspace.quarantine.list();
      expect(entries).toEqual([{ id: quarantine, at: expect.any(Number), why: "it failed", files: 2 }]);
      expect(await workspace.quarantine.files(quarantine ?? "")).toEqual(["extra/new.js", "src/main.js"]);
      write(root, { "src/main.js": "mine by now" });
      expect(await workspace.quarantine.bringBack(quarantine ?? "", {})).toEqual(["extra/new.js", "src/main.js"]);
      expect([readText(root, "src/main.js"), readText(root, "extra/new.js")]).toEqual(["theirs", "new"]);
      const last = (await workspace.quarantine.list()).at(-1);
      await workspace.quarantine.bringBack(last?.id ?? "", { paths: ["src/main.js"] });
      expect(readText(root, "src/main.js")).toBe("mine by now");
    });

    test("brings files back into another folder", async () => {
      const { root, workspace } = await make();
      const checkpoint = await workspace.checkpoint(anId());
      write(root, { "src/main.js": "theirs" });
      const { quarantine } = await workspace.restore(checkpoint, "why");
      const to = join(temporaryFolder(), "out/deep");
      await workspace.quarantine.bringBack(quarantine ?? "", { to, paths: ["src/main.js"] });
      expect(everything(to)).toEqual({ "src/main.js": `- ${Buffer.from("theirs").toString("base64")}` });
      expect(readText(root, "src/main.js")).toBe("console.log(1);\n");
    });

    test.each([
      { what: "an entry that is not there", entry: "q1", options: {}, code: "no-such-quarantine" },
      { what: "an entry by a path", entry: "../quarantine/q1", options: {}, code: "no-such-quarantine" },
      { what: "a file that the entry does not have", options: { paths: ["none"] }, code: "not-in-quarantine" },
      { what: "files to a relative folder", options: { to: "elsewhere" }, code: "not-absolute" },
    ])("does not bring back $what, and says what to do", async ({ entry, options, code }) => {
      const { root, workspace } = await make();
      const checkpoint = await workspace.checkpoint(anId());
      write(root, { "src/main.js": "theirs" });
      const { quarantine } = await workspace.restore(checkpoint, "why");
      await expect(workspace.quarantine.bringBack(entry ?? quarantine ?? "", options)).rejects.toMatchObject({
        code,
        what: "Nothing was brought back.",
        next: expect.stringMatching(/./),
      });
      expect(readText(root, "src/main.js")).toBe("console.log(1);\n");
    });

    test("sets nothing aside when nothing changed", async () => {
      const { workspace } = await make();
      const checkpoint = await workspace.checkpoint(anId());
      expect(await workspace.restore(checkpoint, "why")).toEqual({
        tree: checkpoint.tree,
        quarantine: null,
        files: [],
      });
      expect(await workspace.quarantine.list()).toEqual([]);
    });

    test("gives the same checkpoint for the same id, also when opened again", async () => {
      const { root, vaultDir, workspace } = await make();
      const id = anId();
      const first = await workspace.checkpoint(id);
      write(root, { "src/main.js": "changed" });
      expect(await workspace.checkpoint(id)).toEqual(first);
      const again = await openWorkspace({ root, vaultDir, kind });
      expect(await again.findCheckpoint(id)).toEqual(first);
      expect(await again.findCheckpoint(anId())).toBeNull();
      await again.restore(first, "why");
      expect(await again.tree()).toBe(first.tree);
    });

    test("commits once: the same order again adopts the commit", async () => {
      const { root, workspace } = await make();
      const { head } = await workspace.inspect();
      write(root, { "src/main.js": "done" });
      const order = {
        tree: await workspace.tree(),
        parent: head,
        subject: "feat: x",
        body: "Why.",
        trailers: { "Loop-Run": "r1", "Loop-Feature": "F001" },
      };
      const made = await workspace.commit(order);
      expect(made.is).toBe("made");
      expect(await workspace.commit(order)).toEqual({ ...made, is: "adopted" });
      expect((await workspace.inspect()).head).toBe("commit" in made ? made.commit : null);
      expect((await workspace.inspect()).dirty).toEqual([]);
    });

    test("does not commit on top of something else", async () => {
      const { root, workspace } = await make();
      const { head } = await workspace.inspect();
      const order = (run: string) => ({ parent: head, subject: "feat: x", body: "", trailers: { "Loop-Run": run } });
      write(root, { "src/main.js": "one" });
      await workspace.commit({ ...order("r1"), tree: await workspace.tree() });
      const now = (await workspace.inspect()).head;
      write(root, { "src/main.js": "two" });
      expect(await workspace.commit({ ...order("r2"), tree: await workspace.tree() })).toEqual({
        is: "moved",
        head: now,
      });
    });

    test("checks a tree out beside the workspace, clean each time", async () => {
      const { root, workspace } = await make();
      write(root, { "node_modules/dep/index.js": "dep" });
      const tree = await workspace.tree();
      const first = await workspace.scratch("proof", tree, { bring: ["node_modules"] });
      expect(readText(first.dir, "node_modules/dep/index.js")).toBe("dep");
      write(first.dir, { "left.log": "x", "src/main.js": "changed by a check", "build/out": "x" });
      await first.dispose();
      expect(exists(first.dir, "node_modules")).toBe(false);
      write(root, { "src/main.js": "two\n" });
      const second = await workspace.scratch("proof", await workspace.tree(), {
        bring: [],
        lay: [{ path: "README.md", content: "laid" }],
      });
      expect(second.dir).toBe(first.dir);
      const { "README.md": readme, ...rest } = everything(second.dir);
      const { "README.md": _, ...expected } = everything(root);
      expect(rest).toEqual(
        Object.fromEntries(Object.entries(expected).filter(([path]) => !path.startsWith("node_modules/"))),
      );
      expect(readme).toBe(`- ${Buffer.from("laid").toString("base64")}`);
      expect(readText(root, "node_modules/dep/index.js")).toBe("dep");
    });

    test("never lets a symbolic link in a tree write outside the scratch folder", async () => {
      const { root, workspace } = await make();
      const outside = temporaryFolder();
      fs.symlinkSync(outside, join(root, "out"));
      const linked = await workspace.tree();
      fs.rmSync(join(root, "out"));
      write(root, { "out/file": "x" });
      const real = await workspace.tree();
      await workspace.scratch("s", linked, { bring: [] });
      const { dir } = await workspace.scratch("s", real, { bring: [] });
      expect(readText(dir, "out/file")).toBe("x");
      expect(fs.readdirSync(outside)).toEqual([]);
      fs.rmSync(join(dir, "out"), { recursive: true });
      fs.symlinkSync(outside, join(dir, "out"));
      await workspace.scratch("s", real, { bring: [] });
      expect(fs.readdirSync(outside)).toEqual([]);
    });

    test("sets the files of the folder to those of a tree, apart from some, and keeps what was there", async () => {
      const { root, workspace } = await make();
      const tree = await workspace.tree();
      write(root, { "src/main.js": "mine", "new/deep.js": "mine", "kept.txt": "mine", ".env": "SECRET=1" });
      fs.rmSync(join(root, "README.md"));
      const set = await workspace.setFiles(tree, { why: "a check changed it", except: new Set(["kept.txt"]) });
      expect(set.files).toEqual(["README.md", "new/deep.js", "src/main.js"]);
      expect([exists(root, "new"), readText(root, "kept.txt"), readText(root, ".env")]).toEqual([
        false,
        "mine",
        "SECRET=1",
      ]);
      expect(await workspace.tree([{ path: "kept.txt", content: null }])).toBe(tree);
      expect(await workspace.setFiles(tree, { why: "again", except: new Set(["kept.txt"]) })).toMatchObject({
        quarantine: null,
        files: [],
      });
      await workspace.quarantine.bringBack(set.quarantine ?? "", { paths: ["src/main.js", "new/deep.js"] });
      expect([readText(root, "src/main.js"), readText(root, "new/deep.js")]).toEqual(["mine", "mine"]);
    });

    test("sets files that a rule file had hidden, and moves aside what is in their way", async () => {
      const { root, workspace } = await make();
      const tree = await workspace.tree();
      write(root, { ".gitignore": "*\n", "hidden.txt": "hidden" });
      fs.rmSync(join(root, "src/main.js"));
      write(root, { "src/main.js/inside.log": "in the way" });
      const { quarantine } = await workspace.setFiles(tree, { why: "why" });
      expect([await workspace.tree(), exists(root, "hidden.txt")]).toEqual([tree, false]);
      expect(readText(root, "src/main.js")).toBe("console.log(1);\n");
      await workspace.quarantine.bringBack(quarantine ?? "", { paths: ["hidden.txt"] });
      expect(readText(root, "hidden.txt")).toBe("hidden");
    });

    test("merges by file, and by line where both sides changed one", async () => {
      const { root, workspace } = await make();
      write(root, { "src/main.js": "one\ntwo\nthree\nfour\nfive\n" });
      const base = await workspace.tree();
      write(root, { "src/main.js": "one\ntwo\nthree\nfour\nFIVE\n", "theirs.txt": "t", "skip.txt": "theirs" });
      fs.rmSync(join(root, "README.md"));
      const theirs = await workspace.tree();
      write(root, { "src/main.js": "ONE\ntwo\nthree\nfour\nfive\n", "ours.txt": "o", "README.md": "# Project\n" });
      fs.rmSync(join(root, "theirs.txt"));
      fs.rmSync(join(root, "skip.txt"));
      const ours = await workspace.tree();
      const before = everything(root);
      const merged = await workspace.merge({ base, ours, theirs, except: new Set(["skip.txt"]) });
      if (merged.is !== "merged") throw new Error("it does not merge");
      const read = async (path: string) => (await workspace.read(merged.tree, path))?.toString() ?? null;
      expect(await read("src/main.js")).toBe("ONE\ntwo\nthree\nfour\nFIVE\n");
      expect([await read("theirs.txt"), await read("ours.txt"), await read("README.md")]).toEqual(["t", "o", null]);
      expect(await read("skip.txt")).toBeNull();
      expect(everything(root)).toEqual(before);
    });

    test.each<[string, Record<string, string | Buffer | null>, Record<string, string | Buffer | null>, string[]]>([
      ["the same line", { "README.md": "a\n" }, { "README.md": "b\n" }, ["README.md"]],
      ["a file that one side removed", { "README.md": null }, { "README.md": "b\n" }, ["README.md"]],
      ["the same new file", { "new.txt": "a" }, { "new.txt": "b" }, ["new.txt"]],
      ["a file where there is a folder by now", { "new/a.txt": "a" }, { new: "b" }, ["new"]],
      ["bytes that are no text", { "README.md": Buffer.from([0, 1]) }, { "README.md": "b\n" }, ["README.md"]],
    ])("does not merge %s", async (_, mine, others, paths) => {
      const { root, workspace } = await make();
      const base = await workspace.tree();
      const change = async (files: Record<string, string | Buffer | null>) => {
        await workspace.setFiles(base, { why: "back" });
        for (const [path, content] of Object.entries(files))
          if (content === null) fs.rmSync(join(root, path));
          else write(root, { [path]: content });
        return workspace.tree();
      };
      const [ours, theirs] = [await change(mine), await change(others)];
      expect(await workspace.merge({ base, ours, theirs, except: new Set() })).toEqual({ is: "conflict", paths });
      const same = await workspace.merge({ base, ours, theirs: ours, except: new Set() });
      expect(same).toEqual({ is: "merged", tree: ours });
    });

    test("keeps held work, replaces it, and lets it go, without a change to the folder", async () => {
      const { root, workspace } = await make();
      const { head } = await workspace.inspect();
      const before = everything(root);
      const held = await workspace.tree([{ path: "held.txt", content: "1" }]);
      const of = { run: "r-aaaaaa", name: "F003" };
      const order = { ...of, parent: head, subject: "held: F003" };
      const branch = await workspace.hold({ ...order, tree: held });
      expect(branch).toBe(kind === "git" ? "loop/held/F003" : null);
      await workspace.hold({ ...order, tree: await workspace.tree([{ path: "held.txt", content: "2" }]) });
      await workspace.release(of);
      await workspace.release(of);
      expect(await workspace.list(held)).toContain("held.txt");
      expect([everything(root), (await workspace.inspect()).head]).toEqual([before, head]);
    });

    test("does not take its own records into a tree, and takes what somebody else left beside them", async () => {
      const { root, workspace } = await make();
      const before = await workspace.tree();
      write(root, { ".loop/state.json": "{}", ".loop/state.json.0a1b2c.tmp": "{", ".loop/tasks/t/run.json": "{}" });
      expect(await workspace.tree()).toBe(before);
      write(root, { ".loop/verdicts/F001.json": "{}" });
      expect(await workspace.list(await workspace.tree())).toContain(".loop/verdicts/F001.json");
    });
  });
}
