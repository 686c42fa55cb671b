// An operation interrupted at any of its git commands and then repeated ends as if it had run once.
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  agent,
  anId,
  everything,
  makeRepository,
  open,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  type World,
  write,
} from "../../testing/workspace-rig.ts";
import { openVault } from "../vault.ts";
import { makeCheckpoint } from "./checkpoint.ts";
import { commit } from "./commits/commit.ts";
import { restore } from "./files/restore.ts";
import { makeGit } from "./git.ts";
import { type Ground, sessionBounds } from "./ground.ts";
import { fold } from "./repository/fold.ts";
import { loadSettings } from "./repository/settings.ts";

afterAll(removeTemporaryFolders);

class Crash extends Error {}

/** The same workspace with a git that fails at the nth command. */
function crashing({ root, vaultDir }: World, at: number): Ground {
  const vault = openVault(vaultDir, root);
  const git = makeGit(vault.home);
  const settings = loadSettings(vault);
  if (settings === null) throw new Error("the workspace was never opened");
  let count = 0;
  return {
    root,
    vault,
    settings,
    hasGit: true,
    ...sessionBounds(vault, {}),
    git: async (...call) => (++count === at ? Promise.reject(new Crash()) : git(...call)),
  };
}

/** Tries `act` with a crash at the first command, the second, … until it succeeds, and checks after each. */
async function atEveryCommand(
  world: World,
  step: number,
  act: (ground: Ground) => Promise<unknown>,
  look: () => Promise<void>,
): Promise<number> {
  for (let at = 1; ; at += step) {
    try {
      await act(crashing(world, at));
      return at;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    await look();
  }
}

test("a restore", async () => {
  const world = await open(makeRepository(), "git", join(temporaryFolder(), "vault"));
  const { root, workspace } = world;
  write(root, { "mine.txt": "mine", ".env": "ignored" });
  const before = everything(root);
  const checkpoint = await workspace.checkpoint(anId());
  const spoil = () => {
    write(root, { "src/main.js": "broken", "new/file": "new", ".gitignore": "hidden\n", hidden: "h", "inner/x": "x" });
    agent(join(root, "inner"), "init", "-q");
    agent(root, "commit", "-q", "--allow-empty", "-m", "agent");
  };
  spoil();
  const commands = await atEveryCommand(
    world,
    3,
    (ground) => restore(ground, checkpoint, "crash"),
    async () => {
      await workspace.restore(checkpoint, "again");
      expect(everything(root)).toEqual(before);
      expect(person(root, "rev-parse", "HEAD").trim()).toBe(checkpoint.head);
      expect(await workspace.tree()).toBe(checkpoint.tree);
      spoil();
    },
  );
  expect(commands).toBeGreaterThan(10);
});

test("a checkpoint, a fold and a commit", async () => {
  const world = await open(makeRepository(), "git");
  const { root, workspace } = world;
  const id = anId();
  await atEveryCommand(
    world,
    1,
    (ground) => makeCheckpoint(ground, id, async () => null),
    async () => {
      expect(await workspace.findCheckpoint(id)).toBeNull();
    },
  );
  const checkpoint = await workspace.checkpoint(id);
  write(root, { "a.txt": "a" });
  agent(root, "add", "-A");
  agent(root, "commit", "-qm", "agent");
  await atEveryCommand(
    world,
    1,
    (ground) => fold(ground, checkpoint),
    async () => {},
  );
  expect(person(root, "rev-parse", "HEAD").trim()).toBe(checkpoint.head);
  const order = {
    tree: await workspace.tree(),
    parent: checkpoint.head,
    subject: "s",
    body: "",
    trailers: { "Loop-Run": "r" },
  };
  await atEveryCommand(
    world,
    1,
    (ground) => commit(ground, order),
    async () => {},
  );
  expect(person(root, "rev-list", "--count", "HEAD")).toBe("2\n");
  expect(person(root, "status", "--porcelain")).toBe("");
});
