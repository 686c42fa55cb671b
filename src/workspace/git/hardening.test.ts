// Nothing that an agent leaves in a workspace is executed by the loop.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  agent,
  anId,
  makeRepository,
  open,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  type World,
  write,
} from "../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

/** A program that leaves a mark when it runs, and passes its input on like a filter. */
function trap(): { program: string; marked: () => boolean } {
  const dir = temporaryFolder();
  const mark = join(dir, "mark");
  const program = join(dir, "program.sh");
  fs.writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat 2>/dev/null\n`, { mode: 0o755 });
  return { program, marked: () => fs.existsSync(mark) };
}

const config = (root: string, ...pairs: string[]) => {
  for (let at = 0; at < pairs.length; at += 2) agent(root, "config", pairs[at] ?? "", pairs[at + 1] ?? "");
};
const attributes = (root: string, line: string) => write(root, { ".gitattributes": `${line}\n` });

const vectors: readonly { name: string; plant: (root: string, program: string) => void }[] = [
  { name: "core.fsmonitor", plant: (root, program) => config(root, "core.fsmonitor", program) },
  { name: "core.hooksPath", plant: (root, program) => plantHooksPath(root, program) },
  { name: "every hook", plant: (root, program) => plantHooks(join(root, ".git/hooks"), program) },
  {
    name: "a filter, clean and smudge",
    plant: (root, program) => {
      config(root, "filter.evil.clean", program, "filter.evil.smudge", program, "filter.evil.required", "true");
      attributes(root, "* filter=evil");
    },
  },
  {
    name: "a filter process",
    plant: (root, program) => {
      config(root, "filter.evil.process", program);
      attributes(root, "* filter=evil");
    },
  },
  { name: "diff.external", plant: (root, program) => config(root, "diff.external", program) },
  {
    name: "textconv and a diff driver",
    plant: (root, program) => {
      config(root, "diff.evil.textconv", program, "diff.evil.command", program);
      attributes(root, "* diff=evil");
    },
  },
  {
    name: "core.sshCommand and credential.helper",
    plant: (root, program) => config(root, "core.sshCommand", program, "credential.helper", program),
  },
  {
    name: "core.pager and pager.diff",
    plant: (root, program) => config(root, "core.pager", program, "pager.diff", program),
  },
  {
    name: "aliases of git's own commands",
    plant: (root, program) => {
      for (const name of ["add", "status", "write-tree", "commit-tree", "update-ref"])
        config(root, `alias.${name}`, `!${program}`);
    },
  },
  {
    name: "gpg.program with commit.gpgSign",
    plant: (root, program) => config(root, "gpg.program", program, "commit.gpgSign", "true"),
  },
  {
    name: "an included file",
    plant: (root, program) => {
      const file = join(temporaryFolder(), "included");
      fs.writeFileSync(file, `[core]\n\tfsmonitor = ${program}\n`);
      config(root, "include.path", file);
    },
  },
  {
    name: "a git folder elsewhere, by commondir",
    plant: (root, program) => {
      const other = makeRepository();
      config(other, "core.fsmonitor", program);
      plantHooks(join(other, ".git/hooks"), program);
      write(root, { ".git/commondir": `${other}/.git\n` });
    },
  },
  {
    name: "a repository inside, with filters of its own",
    plant: (root, program) => plantNested(root, "inner", program),
  },
  { name: "a repository over tracked files", plant: (root, program) => plantNested(root, "src", program) },
];

function plantHooks(dir: string, program: string): void {
  fs.mkdirSync(dir, { recursive: true });
  const names = [
    "pre-commit",
    "post-commit",
    "reference-transaction",
    "post-checkout",
    "post-index-change",
    "pre-auto-gc",
    "fsmonitor-watchman",
    "prepare-commit-msg",
  ];
  for (const name of names) fs.copyFileSync(program, join(dir, name));
}
function plantHooksPath(root: string, program: string): void {
  const dir = temporaryFolder();
  plantHooks(dir, program);
  config(root, "core.hooksPath", dir);
}
function plantNested(root: string, path: string, program: string): void {
  write(root, { [`${path}/file.txt`]: "1" });
  agent(join(root, path), "init", "-q");
  agent(join(root, path), "add", "-A");
  agent(join(root, path), "commit", "-qm", "inner");
  config(join(root, path), "filter.evil.clean", program, "core.fsmonitor", program);
  attributes(join(root, path), "* filter=evil");
  write(root, { [`${path}/file.txt`]: "2" });
}

async function everyOperation({ root, workspace }: World, plant: () => void): Promise<void> {
  const checkpoint = await workspace.checkpoint(anId());
  write(root, { "src/main.js": "changed\n" });
  plant();
  await workspace.fold(checkpoint);
  const tree = await workspace.tree();
  await workspace.checkpoint(anId());
  await workspace.changes(checkpoint.tree, tree);
  await workspace.diff(checkpoint.tree, tree, 10_000);
  await (await workspace.scratch("s", tree, { bring: [] })).dispose();
  const made = await workspace.commit({
    tree,
    parent: checkpoint.head,
    subject: "s",
    body: "",
    trailers: { "Loop-Run": "r" },
  });
  expect(made.is).toBe("made");
  await workspace.inspect();
  await workspace.restore(checkpoint, "back");
}

test.each(vectors)("$name does not run", async ({ plant }) => {
  const world = await open(makeRepository(), "git");
  const { program, marked } = trap();
  await everyOperation(world, () => plant(world.root, program));
  expect(marked()).toBe(false);
});

test("the trap works: plain git in such a repository triggers it", () => {
  const root = makeRepository();
  const { program, marked } = trap();
  config(root, "core.fsmonitor", program);
  person(root, "status");
  expect(marked()).toBe(true);
});

test("a program named git in the workspace's node_modules is not used as git", async () => {
  const root = makeRepository();
  const { program, marked } = trap();
  const bin = join(root, "node_modules/.bin");
  fs.mkdirSync(bin, { recursive: true });
  fs.copyFileSync(program, join(bin, "git"));
  const path = process.env["PATH"];
  process.env["PATH"] = `${bin}:${path}`;
  try {
    await (await open(root, "git")).workspace.inspect();
  } finally {
    process.env["PATH"] = path;
  }
  expect(marked()).toBe(false);
});

test("git run by a check in the scratch folder does not reach another repository", async () => {
  const { workspace } = await open(makeRepository(), "git");
  const { dir } = await workspace.scratch("s", await workspace.tree(), { bring: [] });
  expect(person(dir, "rev-parse", "--show-toplevel").trim()).toBe(fs.realpathSync(dir));
  expect(person(dir, "status", "--porcelain")).toContain("?? src/");
  expect(() => person(dir, "rev-parse", "HEAD")).toThrow();
});
