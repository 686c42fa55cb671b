// The twin is within an agent's reach: whatever the agent does there, the vault stays intact and the run continues.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encodeLine, firstLink } from "../line.ts";
import { type FileJournal, type FileJournalOptions, openFileJournal } from "./open.ts";
import { verifyFileJournal } from "./verify.ts";

type Event = { type: string };
let dir = "";
let options: FileJournalOptions<Event>;
let vault = "";
let twin = "";

beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-twin-")));
  const workspaceDir = join(dir, "work");
  fs.mkdirSync(workspaceDir);
  options = {
    vaultDir: join(dir, "vault"),
    mirrorDir: join(workspaceDir, ".loop/runs/r1"),
    workspaceDir,
    run: "r1",
    parse: (json) => json as Event,
    stateVersion: 1,
  };
  vault = join(options.vaultDir, "events.jsonl");
  twin = join(options.mirrorDir, "events.jsonl");
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const open = (): FileJournal<Event, null> => openFileJournal(options);
const kinds = (journal: { notices: readonly { kind: string }[] }) => journal.notices.map((notice) => notice.kind);
const events = (...types: string[]): Event[] => types.map((type) => ({ type }));

function forge(...types: string[]): void {
  let link = firstLink("r1");
  const lines = types.map((type) => {
    const line = encodeLine({ type }, link);
    link = line.link;
    return line.bytes;
  });
  fs.mkdirSync(dirname(twin), { recursive: true });
  fs.writeFileSync(twin, Buffer.concat(lines));
}

/** What an agent may do to the twin, and the resulting notices. */
const misdeeds: { what: string; does: () => void; said: string[] }[] = [
  { what: "deletes the file", does: () => fs.rmSync(twin), said: ["copy-restored"] },
  {
    what: "deletes the folder",
    does: () => fs.rmSync(options.mirrorDir, { recursive: true }),
    said: ["copy-restored"],
  },
  {
    what: "deletes everything above it",
    does: () => fs.rmSync(join(dir, "work/.loop"), { recursive: true }),
    said: ["copy-restored"],
  },
  { what: "drops the last line", does: () => forge("a"), said: ["copy-restored"] },
  { what: "empties it", does: () => fs.truncateSync(twin, 0), said: ["copy-restored"] },
  {
    what: "cuts a line in half",
    does: () => fs.truncateSync(twin, fs.statSync(twin).size - 9),
    said: ["copy-restored"],
  },
  { what: "only touches it", does: () => fs.utimesSync(twin, 1, 1), said: [] },
  { what: "writes the same again", does: () => fs.writeFileSync(twin, fs.readFileSync(twin)), said: [] },
  { what: "appends a validly chained line", does: () => forge("a", "b", "proved"), said: ["copy-altered"] },
  { what: "rewrites it as a validly chained journal", does: () => forge("x", "y"), said: ["copy-altered"] },
  { what: "fills it with noise", does: () => fs.writeFileSync(twin, "noise\n".repeat(100)), said: ["copy-altered"] },
  {
    what: "makes it huge",
    does: () => fs.truncateSync(twin, 5_000_000_000),
    said: ["copy-altered"],
  },
  {
    what: "puts a link to a file of the user there",
    does: () => {
      fs.rmSync(twin);
      fs.symlinkSync(join(dir, "precious"), twin);
    },
    said: ["copy-altered"],
  },
  {
    what: "puts the vault's own file there",
    does: () => {
      fs.rmSync(twin);
      fs.linkSync(vault, twin);
    },
    said: ["copy-altered"],
  },
  {
    what: "puts a folder there",
    does: () => {
      fs.rmSync(twin);
      fs.mkdirSync(twin);
    },
    said: ["copy-altered"],
  },
  {
    what: "puts a pipe there",
    does: () => {
      fs.rmSync(twin);
      execFileSync("mkfifo", [twin]);
    },
    said: ["copy-altered"],
  },
];

describe.each(misdeeds)("an agent that $what", ({ does, said }) => {
  beforeEach(() => fs.writeFileSync(join(dir, "precious"), "precious"));
  const expectWhole = (...types: string[]) => {
    expect(fs.lstatSync(twin).isFile()).toBe(true);
    expect(fs.statSync(twin).ino).not.toBe(fs.statSync(vault).ino);
    expect(fs.readFileSync(twin)).toEqual(fs.readFileSync(vault));
    expect(fs.readFileSync(join(dir, "precious"), "utf8")).toBe("precious");
    const again = open();
    expect(again.past.events).toEqual(events(...types));
    expect(again.notices).toEqual([]);
  };

  test("between two appends is detected at the next, which restores the twin", async () => {
    const journal = open();
    await journal.append({ type: "a" });
    await journal.append({ type: "b" });
    does();
    expect(await journal.append({ type: "c" })).toBe(3);
    expect(await journal.append({ type: "d" })).toBe(4);
    expect(kinds(journal)).toEqual(said);
    await journal.close();
    expectWhole("a", "b", "c", "d");
  });

  test("between two runs is detected at opening, with or without a snapshot", async () => {
    for (const withSnapshot of [false, true]) {
      fs.rmSync(options.vaultDir, { recursive: true, force: true });
      fs.rmSync(options.mirrorDir, { recursive: true, force: true });
      const journal = open();
      await journal.append({ type: "a" });
      if (withSnapshot) await journal.snapshot(null);
      await journal.append({ type: "b" });
      await journal.close();
      does();
      expect(kinds(open())).toEqual(said);
      if (!withSnapshot) expectWhole("a", "b");
    }
  });
});

test("an agent's content in place of the twin is kept in the vault", async () => {
  const journal = open();
  await journal.append({ type: "a" });
  forge("x");
  const altered = fs.readFileSync(twin);
  await journal.append({ type: "b" });
  expect(fs.readFileSync(join(options.vaultDir, "copy-altered-1.jsonl"))).toEqual(altered);
  forge("y");
  await journal.append({ type: "c" });
  expect(fs.existsSync(join(options.vaultDir, "copy-altered-2.jsonl"))).toBe(true);
});

test("an agent that alters the twin before each append cannot fill the vault with copies", async () => {
  const journal = open();
  for (let n = 0; n < 40; n++) {
    await journal.append({ type: "a" });
    fs.writeFileSync(twin, `noise ${n}\n`);
  }
  expect(fs.readdirSync(options.vaultDir).filter((name) => name.startsWith("copy-altered")).length).toBe(20);
});

test.each([".loop", ".loop/runs", ".loop/runs/r1"])("a link at %s is not followed out of the workspace", async (at) => {
  const outside = join(dir, "outside");
  fs.mkdirSync(join(outside, "runs/r1"), { recursive: true });
  const journal = open();
  await journal.append({ type: "a" });
  fs.rmSync(join(dir, "work", at), { recursive: true });
  fs.symlinkSync(outside, join(dir, "work", at));
  await journal.append({ type: "b" });
  await journal.append({ type: "c" });
  expect(kinds(journal)).toEqual(["copy-not-written"]);
  expect(fs.readdirSync(outside, { recursive: true }).sort()).toEqual(["runs", "runs/r1"]);
  await journal.close();
  expect(kinds(open())).toEqual(["copy-not-written"]);
  fs.unlinkSync(join(dir, "work", at));
  const again = open();
  expect(again.past.events).toEqual(events("a", "b", "c"));
  expect(kinds(again)).toEqual(["copy-restored"]);
});

test("a twin that cannot be written is reported once, and again when it is restored", async () => {
  const journal = open();
  await journal.append({ type: "a" });
  fs.rmSync(options.mirrorDir, { recursive: true });
  fs.writeFileSync(options.mirrorDir, "a file where the folder was");
  await journal.append({ type: "b" });
  await journal.append({ type: "c" });
  expect(kinds(journal)).toEqual(["copy-not-written"]);
  fs.rmSync(options.mirrorDir);
  await journal.append({ type: "d" });
  expect(kinds(journal)).toEqual(["copy-not-written", "copy-restored"]);
  expect(fs.readFileSync(twin)).toEqual(fs.readFileSync(vault));
});

test("a vault that an agent deletes during a run is restored completely", async () => {
  const journal = open();
  await journal.append({ type: "a" });
  fs.rmSync(options.vaultDir, { recursive: true });
  await journal.append({ type: "b" });
  expect(kinds(journal)).toEqual(["vault-restored"]);
  await journal.close();
  expect(open().past.events).toEqual(events("a", "b"));
});

test("a vault that another process writes to during a run is refused, now and later", async () => {
  const journal = open();
  await journal.append({ type: "a" });
  fs.appendFileSync(vault, "more\n");
  await expect(journal.append({ type: "b" })).rejects.toMatchObject({ code: "journal-not-written" });
  await expect(journal.append({ type: "c" })).rejects.toMatchObject({ code: "journal-not-written" });
  // A failed write may be partial: only an opening checks everything.
  fs.truncateSync(vault, fs.statSync(vault).size - "more\n".length);
  await expect(journal.append({ type: "d" })).rejects.toMatchObject({ code: "journal-not-written" });
  await journal.close();
  expect(open().past.events).toEqual(events("a"));
});

test("an alteration of the twin long before a snapshot is found by verifying, not at opening", async () => {
  const journal = open();
  for (let n = 0; n < 40; n++) await journal.append({ type: `event number ${n}` });
  await journal.snapshot(null);
  await journal.append({ type: "last" });
  await journal.close();
  const altered = fs.readFileSync(twin);
  altered[10] = 0x58;
  fs.writeFileSync(twin, altered);
  const again = open();
  expect(kinds(again)).toEqual([]);
  expect(verifyFileJournal(options)).toMatchObject({ same: false, difference: "it differs from line 1 on" });
  await again.append({ type: "after" });
  expect(kinds(again)).toEqual([]);
  fs.rmSync(join(options.vaultDir, "snapshot.json"));
  expect(kinds(open())).toEqual(["copy-altered"]);
});
