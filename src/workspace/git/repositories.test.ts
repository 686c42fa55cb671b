// Repositories of every shape: links, submodules, sparse and shallow ones, line ends, unusual names.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  agent,
  anId,
  everything,
  exists,
  makeRepository,
  open,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  type World,
  write,
} from "../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

const order = (
  tree: Parameters<World["workspace"]["commit"]>[0]["tree"],
  parent: Parameters<World["workspace"]["commit"]>[0]["parent"],
) => ({
  tree,
  parent,
  subject: "feat(F001): x",
  body: "",
  trailers: { "Loop-Run": "r1" },
});

/** Checkpoint, an agent's change, fold, commit, restore: the steps of every run. */
async function wholeRound({ root, workspace }: World): Promise<void> {
  const before = everything(root);
  expect((await workspace.inspect()).dirty).toEqual([]);
  const checkpoint = await workspace.checkpoint(anId());
  write(root, { "added.txt": "added\n" });
  expect((await workspace.fold(checkpoint)).misdeeds).toEqual([]);
  const made = await workspace.commit(order(await workspace.tree(), checkpoint.head));
  expect(made.is).toBe("made");
  expect(person(root, "status", "--porcelain")).toBe("");
  expect(person(root, "show", "--name-status", "--format=", "HEAD")).toBe("A\tadded.txt\n");
  expect(person(root, "fsck", "--no-dangling")).toBe("");
  const next = await workspace.checkpoint(anId());
  write(root, { "added.txt": "changed\n", "more.txt": "more" });
  await workspace.restore(next, "why");
  expect(everything(root)).toEqual({ ...before, "added.txt": `- ${Buffer.from("added\n").toString("base64")}` });
  expect(person(root, "status", "--porcelain")).toBe("");
}

const shapes: readonly { name: string; make: () => string }[] = [
  { name: "an ordinary one", make: () => makeRepository() },
  {
    name: "a detached HEAD",
    make: () => {
      const root = makeRepository();
      person(root, "checkout", "-q", "--detach");
      return root;
    },
  },
  {
    name: "packed refs and objects",
    make: () => {
      const root = makeRepository();
      person(root, "gc", "-q");
      return root;
    },
  },
  {
    name: "a shallow clone",
    make: () => {
      const from = makeRepository();
      person(from, "commit", "-q", "--allow-empty", "-m", "second");
      const root = join(temporaryFolder(), "clone");
      person(from, "clone", "-q", "--depth=1", `file://${from}`, root);
      return withIdentity(root);
    },
  },
  {
    name: "a clone that borrows its objects",
    make: () => {
      const from = makeRepository();
      const root = join(temporaryFolder(), "clone");
      person(from, "clone", "-q", "--shared", from, root);
      return withIdentity(root);
    },
  },
  {
    name: "a linked worktree",
    make: () => {
      const from = makeRepository();
      const root = join(temporaryFolder(), "linked");
      person(from, "worktree", "add", "-q", "-b", "side", root);
      return root;
    },
  },
  {
    name: "a sparse checkout",
    make: () => {
      const root = makeRepository();
      person(root, "sparse-checkout", "set", "--no-cone", "/*", "!/test/");
      return root;
    },
  },
  {
    name: "a split index",
    make: () => {
      const root = makeRepository();
      person(root, "update-index", "--split-index");
      return root;
    },
  },
  {
    name: "line ends that git converts",
    make: () => {
      const root = makeRepository({
        ".gitattributes": "*.txt text eol=crlf\n",
        "a.txt": "one\r\ntwo\r\n",
        "b.md": "three\n",
      });
      return root;
    },
  },
  {
    name: "core.autocrlf",
    make: () => {
      const root = makeRepository();
      person(root, "config", "core.autocrlf", "true");
      write(root, { "crlf.txt": "one\r\ntwo\r\n" });
      person(root, "add", "-A");
      person(root, "commit", "-qm", "crlf");
      return root;
    },
  },
  {
    name: "files that are tracked and ignored",
    make: () => {
      const root = makeRepository();
      write(root, { "kept.log": "tracked", ".loop/notes.md": "tracked too" });
      person(root, "add", "-f", "kept.log", ".loop/notes.md");
      person(root, "commit", "-qm", "kept");
      return root;
    },
  },
  {
    name: "strange names, links and an empty file",
    make: () => {
      const root = makeRepository({
        "-dash": "1",
        "new\nline": "2",
        'quo"te': "3",
        "é\u2028": "4",
        ":(top)x": "5",
        empty: "",
        "*": "6",
      });
      fs.symlinkSync("nowhere", join(root, "dangling"));
      fs.symlinkSync("/etc/hostname", join(root, "outside"));
      fs.writeFileSync(join(root, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
      person(root, "add", "-A");
      person(root, "commit", "-qm", "strange");
      return root;
    },
  },
  {
    name: "a submodule",
    make: () => {
      const root = makeRepository();
      person(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", makeRepository(), "sub");
      person(root, "commit", "-qm", "sub");
      return root;
    },
  },
];

function withIdentity(root: string): string {
  person(root, "config", "user.name", "Pat Person");
  person(root, "config", "user.email", "pat@example.org");
  return root;
}

test.each(shapes)("a whole round works in $name", async ({ make }) => {
  await wholeRound(await open(make(), "git"));
});

test("a repository without commits gets its first one", async () => {
  const root = join(temporaryFolder(), "unborn");
  fs.mkdirSync(root);
  person(root, "init", "-q", "-b", "trunk");
  withIdentity(root);
  const { workspace } = await open(root, "git");
  expect(await workspace.inspect()).toEqual({ branch: "trunk", head: null, dirty: [], obstacles: [] });
  write(root, { "a.txt": "a" });
  expect((await workspace.commit(order(await workspace.tree(), null))).is).toBe("made");
  expect(person(root, "log", "--format=%s", "trunk")).toBe("feat(F001): x\n");
  expect(person(root, "status", "--porcelain")).toBe("");
});

test("a linked worktree is rebuilt if its .git file leads elsewhere, and the other one is not touched", async () => {
  const from = makeRepository();
  const root = join(temporaryFolder(), "linked");
  person(from, "worktree", "add", "-q", "-b", "side", root);
  const { workspace } = await open(root, "git");
  const checkpoint = await workspace.checkpoint(anId());
  fs.writeFileSync(join(root, ".git"), `gitdir: ${makeRepository()}/.git\n`);
  person(from, "commit", "-q", "--allow-empty", "-m", "the person goes on");
  const head = person(from, "rev-parse", "main");
  const folded = await workspace.fold(checkpoint);
  expect(folded.misdeeds.map(({ kind }) => kind)).toEqual(["git-destroyed"]);
  expect(person(root, "rev-parse", "--abbrev-ref", "HEAD")).toBe("side\n");
  expect(person(from, "rev-parse", "main")).toBe(head);
});

describe("line ends", () => {
  test("a checkpoint keeps the bytes, a tree has what git would commit, a scratch folder what git would check out", async () => {
    const { root, workspace } = await open(
      makeRepository({ ".gitattributes": "*.txt text eol=crlf\n", "a.txt": "one\r\n" }),
      "git",
    );
    const checkpoint = await workspace.checkpoint(anId());
    write(root, { "a.txt": "one\nmixed\r\n", "b.txt": "new\r\n" });
    const tree = await workspace.tree();
    expect((await workspace.read(tree, "b.txt"))?.toString()).toBe("new\n");
    const mixed = await workspace.checkpoint(anId());
    const { dir } = await workspace.scratch("s", tree, { bring: [] });
    expect(readText(dir, "b.txt")).toBe("new\r\n");
    await workspace.restore(checkpoint, "back");
    expect(readText(root, "a.txt")).toBe("one\r\n");
    expect(await workspace.tree()).toBe(checkpoint.tree);
    await workspace.restore(mixed, "forth");
    expect(readText(root, "a.txt")).toBe("one\nmixed\r\n");
  });
});

describe("a file stored through a filter", () => {
  const filtered = () => {
    const root = makeRepository();
    // Like git-lfs: the repository has a short pointer, the folder has the content.
    person(root, "config", "filter.short.clean", "sed s/long-content/short/");
    person(root, "config", "filter.short.smudge", "sed s/short/long-content/");
    write(root, { ".gitattributes": "*.bin filter=short\n", "big.bin": "long-content\n" });
    person(root, "add", "-A");
    person(root, "commit", "-qm", "big");
    return root;
  };

  test("keeps its blob while unchanged, also after a restore", async () => {
    const world = await open(filtered(), "git");
    expect(person(world.root, "show", "HEAD:big.bin")).toBe("short\n");
    await wholeRound(world);
    const { dir } = await world.workspace.scratch("s", await world.workspace.tree(), { bring: [] });
    expect(readText(dir, "big.bin")).toBe("long-content\n");
    const checkpoint = await world.workspace.checkpoint(anId());
    fs.rmSync(join(world.root, "big.bin"));
    await world.workspace.restore(checkpoint, "back");
    expect(readText(world.root, "big.bin")).toBe("long-content\n");
    expect(await world.workspace.tree()).toBe(checkpoint.tree);
  });

  test("counts as uncommitted work once changed, and does not stop the inspection", async () => {
    const { root, workspace } = await open(filtered(), "git");
    expect((await workspace.inspect()).dirty).toEqual([]);
    write(root, { "big.bin": "changed\n" });
    expect((await workspace.inspect()).dirty.join()).toContain("big.bin");
  });

  test("is refused by name when it changed", async () => {
    const { root, workspace } = await open(filtered(), "git");
    await workspace.checkpoint(anId());
    write(root, { "big.bin": "other\n" });
    await expect(workspace.tree()).rejects.toMatchObject({
      code: "filtered-file-changed",
      why: expect.stringContaining("big.bin"),
    });
  });
});

describe("a nested repository", () => {
  test("that existed before is restored with its files and state", async () => {
    const root = makeRepository();
    const inner = join(root, "vendor/inner");
    write(inner, { "lib.js": "1\n", ".gitignore": "*.tmp\n", "x.tmp": "ignored" });
    person(inner, "init", "-q");
    person(inner, "add", "-A");
    person(inner, "commit", "-qm", "inner");
    write(inner, { "lib.js": "uncommitted\n", "new.js": "untracked" });
    const { workspace } = await open(root, "git");
    const before = everything(root);
    const head = person(inner, "rev-parse", "HEAD");
    const checkpoint = await workspace.checkpoint(anId());
    fs.rmSync(join(inner, ".git"), { recursive: true });
    write(inner, { "lib.js": "broken", "extra.js": "x" });
    fs.rmSync(join(inner, "new.js"));
    await workspace.restore(checkpoint, "why");
    expect(everything(root)).toEqual(before);
    expect(person(inner, "rev-parse", "HEAD")).toBe(head);
    expect(person(inner, "status", "--porcelain")).toBe(" M lib.js\n?? new.js\n");
    fs.rmSync(join(root, "vendor"), { recursive: true });
    await workspace.restore(checkpoint, "why");
    expect(person(inner, "fsck")).toBe("");
  });

  test("that an agent replaced by another is restored with its history", async () => {
    const root = makeRepository();
    const inner = join(root, "vendor/inner");
    const make = (who: typeof person, text: string) => {
      write(inner, { "lib.js": text });
      who(inner, "init", "-q");
      who(inner, "add", "-A");
      who(inner, "commit", "-qm", text);
    };
    make(person, "ours");
    const { workspace } = await open(root, "git");
    const head = person(inner, "rev-parse", "HEAD");
    const checkpoint = await workspace.checkpoint(anId());
    fs.rmSync(join(root, "vendor"), { recursive: true });
    make(agent, "theirs");
    await workspace.restore(checkpoint, "why");
    expect(person(inner, "log", "-1", "--format=%H %s").trim()).toBe(`${head.trim()} ours`);
    expect(person(inner, "status", "--porcelain")).toBe("");
    expect(person(inner, "fsck", "--no-dangling")).toBe("");
  });

  test.each(["vendor", "vendor/inner", "vendor/inner/.git"])(
    "in which an agent made a file of %s is restored",
    async (file) => {
      const root = makeRepository();
      const inner = join(root, "vendor/inner");
      write(inner, { "lib.js": "ours" });
      for (const args of [
        ["init", "-q"],
        ["add", "-A"],
        ["commit", "-qm", "ours"],
      ])
        person(inner, ...args);
      const { workspace } = await open(root, "git");
      const checkpoint = await workspace.checkpoint(anId());
      fs.rmSync(join(root, file), { recursive: true });
      write(root, { [file]: "in its place" });
      await workspace.fold(checkpoint);
      await workspace.restore(checkpoint, "why");
      expect(person(inner, "log", "-1", "--format=%s")).toBe("ours\n");
      expect(person(inner, "status", "--porcelain")).toBe("");
      expect(await workspace.tree()).toBe(checkpoint.tree);
    },
  );

  test("whose settings, hooks or branch an agent changed is restored, and only the changes are named", async () => {
    const root = makeRepository();
    const inner = join(root, "inner");
    write(inner, { "lib.js": "1\n" });
    person(inner, "init", "-q", "-b", "main");
    person(inner, "add", "-A");
    person(inner, "commit", "-qm", "inner");
    const { workspace } = await open(root, "git");
    const config = readText(inner, ".git/config");
    const checkpoint = await workspace.checkpoint(anId());
    write(inner, { "lib.js": "2\n" });
    expect((await workspace.restore(checkpoint, "why")).files).toEqual(["inner/lib.js"]);
    agent(inner, "config", "core.hooksPath", "/tmp/evil");
    agent(inner, "symbolic-ref", "HEAD", "refs/heads/other");
    write(inner, { ".git/hooks/post-checkout": "#!/bin/sh\n" });
    expect((await workspace.restore(checkpoint, "why")).files).toEqual(["inner/.git"]);
    expect(readText(inner, ".git/config")).toBe(config);
    expect(readText(inner, ".git/HEAD")).toBe("ref: refs/heads/main\n");
    expect(exists(inner, ".git/hooks/post-checkout")).toBe(false);
  });

  test.each([true, false])(
    "that an agent made is reported, committed as plain files, and undone (with a commit: %s)",
    async (commits) => {
      const { root, workspace } = await open(makeRepository(), "git");
      const checkpoint = await workspace.checkpoint(anId());
      const inner = join(root, "tool");
      write(inner, { "lib.js": "1\n" });
      agent(inner, "init", "-q");
      if (commits) agent(inner, "add", "-A");
      if (commits) agent(inner, "commit", "-qm", "inner");
      const { misdeeds } = await workspace.fold(checkpoint);
      expect(misdeeds).toEqual([{ kind: "ref-changed", what: expect.stringContaining("tool") }]);
      const tree = await workspace.tree();
      expect(await workspace.list(tree)).toContain("tool/lib.js");
      await workspace.checkpoint(anId());
      expect(await workspace.tree()).toBe(tree);
      const { quarantine } = await workspace.restore(checkpoint, "why");
      expect(exists(root, "tool")).toBe(false);
      await workspace.quarantine.bringBack(quarantine ?? "", {});
      expect(readText(root, "tool/lib.js")).toBe("1\n");
    },
  );

  test.each([
    { what: "a copy of its folder that runs a program", init: false },
    { what: "a new repository", init: true },
  ])("that is a submodule has its own .git again after a session put $what there", async ({ init }) => {
    const root = makeRepository();
    person(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", makeRepository(), "sub");
    person(root, "commit", "-qm", "sub");
    const { workspace } = await open(root, "git");
    const gitFile = readText(root, "sub/.git");
    const checkpoint = await workspace.checkpoint(anId());
    fs.rmSync(join(root, "sub/.git"));
    const ran = join(temporaryFolder(), "ran");
    if (init) agent(join(root, "sub"), "init", "-q");
    else fs.cpSync(join(root, ".git/modules/sub"), join(root, "sub/.git"), { recursive: true });
    fs.writeFileSync(join(root, "sub/.git/config"), `[core]\n\tfsmonitor = "touch ${ran}; false"\n`);
    const { misdeeds } = await workspace.fold(checkpoint);
    expect(misdeeds).toEqual([{ kind: "git-destroyed", what: "sub/.git was replaced or removed; it was put back" }]);
    expect(readText(root, "sub/.git")).toBe(gitFile);
    expect(await workspace.tree()).toBe(checkpoint.tree);
    expect(person(root, "status", "--porcelain")).toBe("");
    expect(fs.existsSync(ran)).toBe(false);
    const [entry] = await workspace.quarantine.list();
    const to = temporaryFolder();
    await workspace.quarantine.bringBack(entry?.id ?? "", { to });
    expect(readText(to, "sub/.git/config")).toContain("fsmonitor");
  });

  test("has its configuration and hooks again after a session, and keeps the commits of the session", async () => {
    const root = makeRepository();
    const inner = join(root, "inner");
    write(inner, { "lib.js": "1\n" });
    person(inner, "init", "-q");
    person(inner, "add", "-A");
    person(inner, "commit", "-qm", "inner");
    const { workspace } = await open(root, "git");
    const checkpoint = await workspace.checkpoint(anId());
    write(inner, { "lib.js": "2\n" });
    agent(inner, "commit", "-qam", "theirs");
    expect((await workspace.fold(checkpoint)).misdeeds).toEqual([]);
    agent(inner, "config", "core.fsmonitor", "/tmp/evil");
    write(inner, { ".git/hooks/post-checkout": "#!/bin/sh\n" });
    expect((await workspace.fold(checkpoint)).misdeeds).toEqual([
      { kind: "config-changed", what: "inner/.git/config was changed" },
      { kind: "hook-changed", what: "inner/.git/hooks/post-checkout was added" },
    ]);
    expect(person(inner, "config", "--default", "none", "--get", "core.fsmonitor")).toBe("none\n");
    expect(exists(inner, ".git/hooks/post-checkout")).toBe(false);
    expect(person(inner, "log", "-1", "--format=%s")).toBe("theirs\n");
  });

  test("that an agent made has no .git after the session, also inside another that it made", async () => {
    const root = makeRepository();
    const { workspace } = await open(root, "git");
    const checkpoint = await workspace.checkpoint(anId());
    for (const at of ["made", "made/deep", "src"]) {
      write(root, { [`${at}/f`]: "1" });
      agent(join(root, at), "init", "-q");
    }
    await workspace.fold(checkpoint);
    for (const at of ["made", "made/deep", "src"]) expect(exists(root, `${at}/.git`)).toBe(false);
    expect(await workspace.list(await workspace.tree())).toEqual(
      expect.arrayContaining(["made/deep/f", "made/f", "src/f"]),
    );
  });

  test("that is a submodule is committed as a link, and its files are restored", async () => {
    const root = makeRepository();
    person(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", makeRepository(), "sub");
    person(root, "commit", "-qm", "sub");
    const { workspace } = await open(root, "git");
    const before = everything(root);
    const checkpoint = await workspace.checkpoint(anId());
    write(root, { "sub/README.md": "changed", "sub/new": "new" });
    fs.rmSync(join(root, "sub/src"), { recursive: true });
    expect(await workspace.changes(checkpoint.tree, await workspace.tree())).toEqual([]);
    await workspace.restore(checkpoint, "why");
    expect(everything(root)).toEqual(before);
    expect(person(join(root, "sub"), "status", "--porcelain")).toBe("");
  });
});

test.each([
  { name: "a file of nonsense", make: (at: string) => fs.writeFileSync(at, "nonsense") },
  { name: "a file that leads nowhere", make: (at: string) => fs.writeFileSync(at, "gitdir: /nowhere\n") },
  { name: "an empty folder", make: (at: string) => fs.mkdirSync(at) },
  { name: "a link that leads nowhere", make: (at: string) => fs.symlinkSync("/nowhere", at) },
  {
    name: "a folder with a broken HEAD",
    make: (at: string) => write(at, { HEAD: "nonsense", "objects/x": "", "refs/x": "" }),
  },
])("a .git in a subfolder that is $name does no harm", async ({ make }) => {
  const { root, workspace } = await open(makeRepository(), "git");
  const before = everything(root);
  const checkpoint = await workspace.checkpoint(anId());
  for (const dir of ["fresh", "src"]) {
    write(root, { [`${dir}/file.txt`]: "1" });
    make(join(root, dir, ".git"));
  }
  await workspace.fold(checkpoint);
  expect(await workspace.list(await workspace.tree())).toEqual(
    expect.arrayContaining(["fresh/file.txt", "src/file.txt"]),
  );
  const { quarantine } = await workspace.restore(checkpoint, "why");
  expect(everything(root)).toEqual(before);
  expect(await workspace.quarantine.files(quarantine ?? "")).toEqual(["fresh/file.txt", "src/file.txt"]);
  expect(exists(root, "src/.git")).toBe(false);
});
