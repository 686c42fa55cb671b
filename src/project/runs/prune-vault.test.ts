// What is removed from a vault, and what never is.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pruneVault } from "./prune-vault.ts";

const now = Date.UTC(2030, 5, 1);
const days = (count: number): number => now - count * 86_400_000;
let vault: string;
beforeEach(() => {
  vault = fs.mkdtempSync(join(tmpdir(), "loop-prune-"));
});
afterEach(() => fs.rmSync(vault, { recursive: true, force: true }));

function put(path: string, at: number, bytes = 10): void {
  fs.mkdirSync(dirname(join(vault, path)), { recursive: true });
  fs.writeFileSync(join(vault, path), "");
  fs.truncateSync(join(vault, path), bytes);
  used(path, at);
}
const used = (path: string, at: number): void => fs.utimesSync(join(vault, path), new Date(at), new Date(at));
function layer(name: string, at: number, bytes: number): void {
  put(`rooms/${name}/files/package.js`, at, bytes);
  used(`rooms/${name}`, at);
}
const has = (path: string): boolean => fs.existsSync(join(vault, path));
const over = (): boolean => true;

test("packages that were not used for 30 days are removed, also in folders that cannot be written to", () => {
  layer("kept/node-old", days(31), 100);
  layer("installed/node-new", days(29), 100);
  fs.chmodSync(join(vault, "rooms/kept/node-old/files"), 0o500);
  expect(pruneVault(vault, over, now)).toEqual({ removed: 1, bytes: 100 });
  expect([has("rooms/kept/node-old"), has("rooms/installed/node-new")]).toEqual([false, true]);
});

test("beyond a gigabyte those that were used last stay, and whatever was used today", () => {
  layer("kept/node-a", days(0.5), 2 ** 30);
  layer("kept/node-b", days(2), 600);
  layer("trees/c", days(3), 600);
  pruneVault(vault, over, now);
  expect(["kept/node-a", "kept/node-b", "trees/c"].map((name) => has(`rooms/${name}`))).toEqual([true, false, false]);
});

test("of the files of a run that ended long ago only what was printed is removed", () => {
  const kept = ["events.jsonl", "proved/a.json", "report.md", "sessions/s1/reply.json", "sessions/s1/result.json"];
  const printed = ["sessions/s1/stdout-1", "sessions/s1/stderr-2", "output/F001-A-test.txt", "seen/a.json"];
  for (const run of ["old", "resting", "new"])
    for (const file of [...kept, ...printed]) put(`runs/${run}/${file}`, run === "new" ? days(2) : days(40));
  put("quarantine/q1.json", days(400));
  pruneVault(vault, (run) => run !== "resting", now);
  expect(printed.filter((file) => has(`runs/old/${file}`))).toEqual([]);
  expect(kept.filter((file) => !has(`runs/old/${file}`))).toEqual([]);
  for (const run of ["resting", "new"]) expect(printed.filter((file) => !has(`runs/${run}/${file}`))).toEqual([]);
  expect(has("quarantine/q1.json")).toBe(true);
});

test("the checkpoints of a run that ended long ago are removed, with their refs, and no others", () => {
  const paths = (run: string): string[] => [
    `checkpoints/${run}.origin.json`,
    `checkpoints/${run}.i1.json`,
    `store.git/refs/checkpoints/${run}.i1`,
  ];
  for (const run of ["old", "old2", "resting", "new"]) {
    put(`runs/${run}/events.jsonl`, run.startsWith("new") ? days(2) : days(40));
    for (const path of paths(run)) put(path, days(40));
  }
  pruneVault(vault, (run) => run === "old" || run === "new", now);
  expect(paths("old").filter(has)).toEqual([]);
  for (const run of ["old2", "resting", "new"]) expect(paths(run).filter(has)).toEqual(paths(run));
});

test("what agents wrote over ignored files is removed after 30 days", () => {
  for (const [task, at] of [["old", days(31)] as const, ["new", days(2)] as const]) {
    put(`layers/${task}/a/upper/file`, at);
    used(`layers/${task}`, at);
  }
  fs.chmodSync(join(vault, "layers/old/a/upper"), 0o000);
  pruneVault(vault, over, now);
  expect([has("layers/old"), has("layers/new/a/upper/file")]).toEqual([false, true]);
});

test("the vault of a worktree that landed long ago is removed, unless something of it can be recovered", () => {
  const place = (name: string, landedAt: number | null): void => {
    const landed = landedAt === null ? null : { commit: "c".repeat(40), at: landedAt };
    const note = { version: 1, run: name, branch: `loop/${name}`, onto: "main", base: "b".repeat(40), taken: {} };
    put(`places/${name}/vault/store.git/HEAD`, days(40), 10);
    fs.mkdirSync(join(vault, `places/${name}/vault/quarantine`));
    fs.writeFileSync(join(vault, `places/${name}/place.json`), JSON.stringify({ ...note, landed, left: null }));
  };
  place("old", days(31));
  place("recent", days(29));
  place("unlanded", null);
  place("set-aside", days(31));
  put("places/set-aside/vault/quarantine/q1.json", days(31));
  place("in-use", days(31));
  const note = { version: 1, root: vault };
  fs.writeFileSync(join(vault, "places/in-use/vault/workspace.json"), JSON.stringify(note));
  expect(pruneVault(vault, over, now)).toEqual({ removed: 1, bytes: 10 });
  expect(fs.readdirSync(join(vault, "places")).filter((name) => !has(`places/${name}/vault`))).toEqual(["old"]);
  expect(has("places/old/place.json")).toBe(true);
});

test("it is looked at once a day", () => {
  expect(pruneVault(vault, over, now)).toEqual({ removed: 0, bytes: 0 });
  layer("kept/node-old", days(40), 1);
  expect(pruneVault(vault, over, now + 3_600_000)).toBeNull();
  expect(pruneVault(vault, over, now + 90_000_000)).toMatchObject({ removed: 1 });
});
