// Git can read loose objects that the loop writes, and vice versa.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { person, removeTemporaryFolders, temporaryFolder } from "../../../testing/workspace-rig.ts";
import { openVault } from "../../vault.ts";
import { makeGit } from "../git.ts";
import { type Ground, sessionBounds } from "../ground.ts";
import type { Settings } from "../repository/settings.ts";
import { idBytes, installObjects, isThere, newObject, objectFile, readLoose, writeObjects } from "./object-files.ts";
import { prepareStore } from "./store.ts";

afterAll(removeTemporaryFolders);

function groundOf(objectFormat: string): Ground {
  const root = temporaryFolder();
  const vault = openVault(join(temporaryFolder(), "vault"), root);
  const lists = { conversions: [], fileSystem: [], filters: [], excludes: "", attributes: "" };
  const settings: Settings = {
    ...lists,
    identity: null,
    objectFormat,
    refFormat: "files",
    bare: false,
    partial: false,
  };
  prepareStore(vault, settings);
  return { root, vault, git: makeGit(vault.home), settings, hasGit: false, ...sessionBounds(vault, {}) };
}
const inStore = (ground: Ground, ...args: string[]): string => person(ground.vault.store, "--git-dir=.", ...args);
const filesIn = (dir: string): string[] =>
  fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe.each([
  { format: "sha1", bytes: 20 },
  { format: "sha256", bytes: 32 },
])("an object of a $format repository", ({ format, bytes }) => {
  test("has the name that git gives it, and git can read it", async () => {
    const ground = groundOf(format);
    const blob = newObject(ground, "blob", Buffer.from("some text\n"));
    await writeObjects(ground, [blob, blob]);
    expect(blob.id).toHaveLength(bytes * 2);
    expect(idBytes(ground)).toBe(bytes);
    expect(inStore(ground, "cat-file", "blob", blob.id)).toBe("some text\n");
    expect(readLoose(ground, blob.id)).toEqual({ type: "blob", bytes: Buffer.from("some text\n") });
    expect(filesIn(join(ground.vault.store, "objects")).filter((name) => name.startsWith("tmp_"))).toEqual([]);
    expect(fs.statSync(objectFile(join(ground.vault.store, "objects"), blob.id)).mode & 0o222).toBe(0);
  });
});

test("an object in the copy of the person's objects is read from there, and not written again", async () => {
  const ground = groundOf("sha1");
  const blob = newObject(ground, "blob", Buffer.from([0, 32, 0, 10]));
  const store = join(ground.vault.store, "objects");
  await writeObjects(ground, [blob]);
  const copy = objectFile(join(ground.vault.copy, "objects"), blob.id);
  fs.mkdirSync(join(copy, ".."), { recursive: true });
  fs.renameSync(objectFile(store, blob.id), copy);
  expect(readLoose(ground, blob.id)).toEqual({ type: "blob", bytes: Buffer.from([0, 32, 0, 10]) });
  await writeObjects(ground, [blob]);
  expect(isThere(store, blob.id)).toBe(false);
});

test("an object that is empty or cannot be unpacked counts as missing", async () => {
  const ground = groundOf("sha1");
  const blob = newObject(ground, "blob", Buffer.from("x"));
  const folder = join(ground.vault.store, "objects");
  const path = objectFile(folder, blob.id);
  expect([readLoose(ground, blob.id), isThere(folder, blob.id)]).toEqual([null, false]);
  fs.mkdirSync(join(path, ".."), { recursive: true });
  fs.writeFileSync(path, "");
  expect([readLoose(ground, blob.id), isThere(folder, blob.id)]).toEqual([null, false]);
  await writeObjects(ground, [blob]);
  expect(readLoose(ground, blob.id)?.bytes.toString()).toBe("x");
  fs.chmodSync(path, 0o600);
  fs.writeFileSync(path, "noise");
  expect(readLoose(ground, blob.id)).toBeNull();
});

test("installing nothing changes nothing", async () => {
  const folder = join(temporaryFolder(), "objects");
  await installObjects(folder, []);
  expect(fs.existsSync(folder)).toBe(false);
});
