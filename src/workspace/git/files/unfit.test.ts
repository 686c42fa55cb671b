// What an agent can leave that git would wait for or read for hours: the workspace's answers come soon, and nothing is lost.
import { execFileSync } from "node:child_process";
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
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { openWorkspace } from "../../open.ts";
import type { Misdeed } from "../../workspace.ts";

afterAll(removeTemporaryFolders);

const terabyte = 2 ** 40;
const sparse = (path: string, bytes = terabyte): void => {
  fs.writeFileSync(path, "");
  fs.truncateSync(path, bytes);
};
const sh = (root: string, script: string): void => {
  execFileSync("sh", ["-c", script], { cwd: root, stdio: "ignore" });
};
const socket = (path: string): string =>
  `node -e 'require("net").createServer().listen("${path}", () => process.kill(process.pid, 9))'; true`;
const deep = (below: string): string =>
  `node -e 'const fs = require("fs"); fs.mkdirSync("${below}", { recursive: true }); process.chdir("${below}");
   for (let at = 0; at < 4000; at += 1) { fs.mkdirSync("d"); process.chdir("d"); } fs.writeFileSync("x", "x")'`;

type Leaving = { name: string; refuses: readonly string[]; does: (root: string) => void };
const leavings: readonly Leaving[] = [
  { name: "a file of 1 TB", refuses: ["big.bin"], does: (root) => sparse(join(root, "big.bin")) },
  {
    name: "1 TB in place of a committed file",
    refuses: ["README.md"],
    does: (root) => sparse(join(root, "README.md")),
  },
  { name: "a .gitignore of 1 TB", refuses: ["src/.gitignore"], does: (root) => sparse(join(root, "src/.gitignore")) },
  {
    name: "a .gitattributes of 1 TB",
    refuses: ["src/.gitattributes"],
    does: (root) => sparse(join(root, "src/.gitattributes")),
  },
  { name: "a pipe as .gitignore", refuses: ["src/.gitignore"], does: (root) => sh(root, "mkfifo src/.gitignore") },
  {
    name: "a pipe as .gitattributes",
    refuses: ["src/.gitattributes"],
    does: (root) => sh(root, "mkfifo src/.gitattributes"),
  },
  { name: "a pipe", refuses: ["src/pipe"], does: (root) => sh(root, "mkfifo src/pipe") },
  {
    name: "a pipe in place of a committed file",
    refuses: ["README.md"],
    does: (root) => sh(root, "rm README.md && mkfifo README.md"),
  },
  {
    name: "a pipe in place of a committed folder",
    refuses: ["src"],
    does: (root) => sh(root, "rm -r src && mkfifo src"),
  },
  {
    name: "a pipe that is ignored",
    refuses: [],
    does: (root) => sh(root, "mkdir node_modules; mkfifo node_modules/p"),
  },
  {
    name: "a pipe as .git of a folder",
    refuses: ["n/.git"],
    does: (root) => sh(root, "mkdir n; mkfifo n/.git; echo x > n/x"),
  },
  {
    name: "a pipe behind the .git of a folder",
    refuses: ["n/elsewhere/commondir"],
    does: (root) => sh(root, "mkdir -p n/elsewhere; echo gitdir: elsewhere > n/.git; mkfifo n/elsewhere/commondir"),
  },
  {
    name: "a .git of 1 TB in a folder",
    refuses: [],
    does: (root) => sh(root, "mkdir n; truncate -s 1T n/.git; echo x > n/x"),
  },
  { name: "a socket", refuses: ["s"], does: (root) => sh(root, socket("s")) },
  { name: "a socket as .gitignore", refuses: ["src/.gitignore"], does: (root) => sh(root, socket("src/.gitignore")) },
  { name: "folders 4,000 levels deep", refuses: ["deep"], does: (root) => sh(root, deep("deep")) },
  {
    name: "ignored folders 4,000 levels deep",
    refuses: ["node_modules"],
    does: (root) => sh(root, deep("node_modules")),
  },
  {
    name: "1 TB in a repository of its own",
    refuses: ["n/big"],
    does: (root) => {
      write(join(root, "n"), { x: "x\n" });
      agent(join(root, "n"), "init", "-q");
      agent(join(root, "n"), "add", "-A");
      agent(join(root, "n"), "commit", "-qm", "inner");
      sparse(join(root, "n/big"));
    },
  },
  {
    name: "1 TB in the .git of a repository of its own",
    refuses: ["n/.git/objects/pack/pack-0123456789012345678901234567890123456789.pack"],
    does: (root) => {
      write(join(root, "n"), { x: "x\n" });
      agent(join(root, "n"), "init", "-q");
      fs.mkdirSync(join(root, "n/.git/objects/pack"), { recursive: true });
      sparse(join(root, "n/.git/objects/pack/pack-0123456789012345678901234567890123456789.pack"));
    },
  },
  {
    name: "1 TB in .git",
    refuses: [".git/objects/pack/pack-0123456789012345678901234567890123456789.pack"],
    does: (root) => sparse(join(root, ".git/objects/pack/pack-0123456789012345678901234567890123456789.pack")),
  },
  {
    name: "1 TB that only its own rule hides",
    refuses: [],
    does: (root) => {
      write(root, { "hidden/.gitignore": "*\n" });
      sparse(join(root, "hidden/big"));
    },
  },
  {
    name: "1 TB that a changed rule hides",
    refuses: [],
    does: (root) => {
      fs.appendFileSync(join(root, ".gitignore"), "big.bin\n");
      sparse(join(root, "big.bin"));
    },
  },
  {
    name: "a name that is not UTF-8",
    refuses: [],
    does: (root) => fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/src/`), Buffer.from([0xff, 0x61])]), "x"),
  },
  {
    name: "a repository under another spelling",
    refuses: ["src/.GIT/config", "src/.GIT/hooks/post-checkout"],
    does: (root) => write(root, { "src/.GIT/config": "[core]\n", "src/.GIT/hooks/post-checkout": "id\n" }),
  },
  {
    name: "names that other systems take for .git",
    refuses: ["n/\u0001/.Git", "n/.git ", "n/git~1/x"],
    does: (root) => write(root, { "n/git~1/x": "x\n", "n/.git ": "x\n", "n/\u0001/.Git": "x\n" }),
  },
  {
    name: "a link as .gitmodules",
    refuses: [".gitmodules"],
    does: (root) => fs.symlinkSync("README.md", join(root, ".gitmodules")),
  },
  { name: "a link to itself", refuses: [], does: (root) => fs.symlinkSync("loop", join(root, "src/loop")) },
];

const devices: readonly Leaving[] = [
  { name: "a device", refuses: ["zero"], does: (root) => sh(root, "mknod zero c 1 5") },
  {
    name: "a device as .gitignore",
    refuses: ["src/.gitignore"],
    does: (root) => sh(root, "mknod src/.gitignore c 1 5"),
  },
];

function canMakeDevices(): boolean {
  try {
    sh(makeRepository(), "mknod zero c 1 5");
    return true;
  } catch {
    return false;
  }
}
const all = [...leavings, ...(canMakeDevices() ? devices : [])];

const refusedIn = (misdeeds: readonly Misdeed[]): string[] =>
  misdeeds
    .filter(({ kind }) => kind === "file-refused")
    .map(({ what }) => what.split(" was moved to quarantine: ")[0]?.replace(/(?:\/d)+$/, "") ?? "")
    .sort();

describe.each(all)("$name", ({ refuses, does }) => {
  test("a session's work is taken without it, and says so", async () => {
    const { root, workspace } = await open(makeRepository(), "git");
    const checkpoint = await workspace.checkpoint(anId());
    does(root);
    write(root, { "new/new.js": "new\n" });
    const { misdeeds } = await workspace.fold(checkpoint);
    expect(refusedIn(misdeeds)).toEqual(refuses);
    expect(await workspace.list(await workspace.tree([], { asFolded: true }))).toContain("new/new.js");
  });

  test("a rollback restores everything else", async () => {
    const { root, workspace } = await open(makeRepository(), "git");
    const before = everything(root);
    const checkpoint = await workspace.checkpoint(anId());
    does(root);
    await workspace.restore(checkpoint, "why");
    fs.rmSync(join(root, "node_modules"), { recursive: true, force: true });
    expect(everything(root)).toEqual(before);
    expect(person(root, "status", "--porcelain")).toBe("");
    expect(person(root, "fsck", "--connectivity-only")).toBe("");
  });
});

async function openSmall(bytesMax: number) {
  const root = makeRepository();
  const vaultDir = join(temporaryFolder(), "vault");
  const workspace = await openWorkspace({ root, vaultDir, kind: "git", bytesMax });
  return { root, vaultDir, workspace, checkpoint: await workspace.checkpoint(anId()) };
}

test("of files that are too large together, only the largest are refused", async () => {
  const { root, workspace, checkpoint } = await openSmall(10_000);
  for (const at of [1, 2, 3, 4]) sparse(join(root, `n${at}`), at * 2000);
  expect(refusedIn((await workspace.fold(checkpoint)).misdeeds)).toEqual(["n3", "n4"]);
  expect(await workspace.list(await workspace.tree([], { asFolded: true }))).toEqual(
    expect.arrayContaining(["n1", "n2"]),
  );
});

test("a refused file is listed, and brought back without a copy", async () => {
  const { root, workspace, checkpoint } = await openSmall(10_000);
  sparse(join(root, "big.bin"));
  const { ino } = fs.statSync(join(root, "big.bin"));
  const [misdeed] = (await workspace.fold(checkpoint)).misdeeds;
  expect(misdeed?.what).toMatch(
    /^big\.bin was moved to quarantine: it has 1100 GB, and limits\.disk_gb allows 0\.00001 GB\. To bring it back: loop recover q\S+$/,
  );
  expect(exists(root, "big.bin")).toBe(false);
  const [entry] = await workspace.quarantine.list();
  expect(entry).toMatchObject({ files: 1, why: expect.stringContaining("left by an agent") });
  const id = entry?.id ?? "";
  expect(await workspace.quarantine.files(id)).toEqual(["big.bin"]);
  write(root, { "big.bin": "another\n" });
  expect(await workspace.quarantine.bringBack(id, {})).toEqual(["big.bin"]);
  expect(fs.statSync(join(root, "big.bin"))).toMatchObject({ ino, size: terabyte });
  expect(await workspace.quarantine.files(id)).toEqual([]);
  // What was in the way is kept too.
  expect(await workspace.quarantine.list()).toHaveLength(2);
});

test("what was there before the checkpoint is the person's, and stays", async () => {
  const { root, workspace } = await openSmall(10_000);
  sh(root, "mkfifo pipe && truncate -s 1M own.bin");
  fs.utimesSync(join(root, "own.bin"), 1, 1);
  await new Promise((resolve) => setTimeout(resolve, 50)); // The clock of a file system is coarse.
  const checkpoint = await workspace.checkpoint(anId());
  expect((await workspace.fold(checkpoint)).misdeeds).toEqual([]);
  await workspace.restore(checkpoint, "why");
  expect([exists(root, "pipe"), exists(root, "own.bin")]).toEqual([true, true]);
});

test("a resumed run finds what a session left before the crash", async () => {
  const { root, vaultDir } = await openSmall(10_000);
  sh(root, "mkfifo src/.gitignore");
  sparse(join(root, "big.bin"));
  const again = await openWorkspace({ root, vaultDir, kind: "git", bytesMax: 10_000, resumed: true });
  expect(await again.list(await again.tree())).not.toContain("big.bin");
  expect([exists(root, "big.bin"), exists(root, "src/.gitignore")]).toEqual([false, false]);
});
