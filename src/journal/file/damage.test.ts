// Torn, corrupted, forged or lost files: opening repairs them with a notice, or refuses.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Bug, UserError } from "../../core/errors.ts";
import { encodeLine, firstLink, sha256 } from "../line.ts";
import { type FileJournal, type FileJournalOptions, openFileJournal } from "./open.ts";
import { readFileJournal } from "./read.ts";
import { verifyFileJournal } from "./verify.ts";

type Event = { type: string; n?: number };
type State = { count: number };
/** Every byte, or for a quick run every nth: BYTE_STEP=17. */
const step = Number(process.env["BYTE_STEP"] ?? 1);
let dir = "";
let options: FileJournalOptions<Event>;
let vault = "";
let twin = "";

beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-damage-"));
  const parse = (json: unknown) => json as Event;
  options = { vaultDir: join(dir, "vault"), mirrorDir: join(dir, "work/run"), run: "r1", parse, stateVersion: 1 };
  vault = join(options.vaultDir, "events.jsonl");
  twin = join(options.mirrorDir, "events.jsonl");
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const open = (given: Partial<FileJournalOptions<Event>> = {}): FileJournal<Event, State> =>
  openFileJournal({ ...options, ...given });
const kinds = (journal: { notices: readonly { kind: string }[] }) => journal.notices.map((notice) => notice.kind);
const five: Event[] = [1, 2, 3, 4, 5].map((n) => ({ type: "e", n }));

async function fill(events: Event[] = five): Promise<void> {
  const journal = open();
  for (const event of events) await journal.append(event);
  await journal.close();
}

/** Opens, and returns the events and notices, or the error. */
function outcome(): { events: Event[]; kinds: string[] } | UserError {
  try {
    const journal = open();
    void journal.close();
    return { events: [...journal.past.events], kinds: kinds(journal) };
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

/** A validly chained journal, which anyone who knows the run's name can write. */
function forged(events: Event[]): Buffer {
  let link = firstLink("r1");
  const lines = events.map((event) => {
    const line = encodeLine(event, link);
    link = line.link;
    return line.bytes;
  });
  return Buffer.concat(lines);
}

describe("a vault that was truncated or corrupted", () => {
  test("at any byte of its last line loses only that line, and keeps the cut bytes", async () => {
    await fill();
    const whole = fs.readFileSync(vault);
    const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
    for (let length = lastLine + 1; length < whole.length; length += step) {
      fs.rmSync(options.vaultDir, { recursive: true });
      fs.mkdirSync(options.vaultDir);
      fs.writeFileSync(vault, whole.subarray(0, length));
      fs.writeFileSync(twin, whole.subarray(0, lastLine)); // The twin is written second, so a crash leaves it shorter.
      expect(outcome(), `cut at ${length}`).toEqual({ events: five.slice(0, 4), kinds: ["torn-tail-dropped"] });
      expect(fs.readFileSync(join(options.vaultDir, "events.jsonl.torn-1"))).toEqual(whole.subarray(lastLine, length));
      expect(fs.readFileSync(vault)).toEqual(whole.subarray(0, lastLine));
    }
  });

  test("continues after a torn tail as if the line had never been started", async () => {
    await fill();
    fs.truncateSync(vault, fs.statSync(vault).size - 10);
    const journal = open();
    expect(await journal.append({ type: "again" })).toBe(5);
    await journal.close();
    expect(open().past.events).toEqual([...five.slice(0, 4), { type: "again" }]);
  });

  test("at any single byte is repaired from the twin, and never gives other events", { timeout: 240_000 }, async () => {
    await fill();
    const whole = fs.readFileSync(vault);
    for (let at = 0; at < whole.length; at += step) {
      for (const spoiled of [(whole[at] ?? 0) ^ 1, at % 2 === 0 ? 0x0a : 0x00]) {
        if (spoiled === whole[at]) continue;
        fs.writeFileSync(vault, whole);
        spoil(vault, spoiled, at);
        const repaired = outcome();
        expect(repaired, `byte ${at} as ${spoiled}`).toEqual({ events: five, kinds: ["vault-restored"] });
        expect(fs.readFileSync(vault).equals(whole)).toBe(true);
        expect(fs.existsSync(join(options.vaultDir, "events.jsonl.damaged-1"))).toBe(true);
        for (const name of fs.readdirSync(options.vaultDir).filter((each) => each.includes("damaged"))) {
          fs.rmSync(join(options.vaultDir, name));
        }
      }
    }
  });

  test("at any single byte, without a twin, is refused with the position, or loses only its last line", async () => {
    await fill();
    const whole = fs.readFileSync(vault);
    const lastLine = whole.lastIndexOf(0x0a, whole.length - 2);
    for (let at = 0; at < whole.length; at += step) {
      fs.writeFileSync(vault, whole);
      spoil(vault, (whole[at] ?? 0) ^ 1, at);
      fs.rmSync(options.mirrorDir, { recursive: true, force: true });
      const found = outcome();
      if (at < lastLine) {
        expect(found, `byte ${at}`).toMatchObject({ code: "journal-damaged" });
        expect((found as UserError).what).toMatch(/line [1-5], byte \d+ of .*vault\/events\.jsonl/);
        expect(fs.readFileSync(vault)).not.toEqual(whole);
      } else {
        // Without the newline of the fourth line it joins the fifth, and the joined line does not decode.
        const left = at === lastLine ? five.slice(0, 3) : five.slice(0, 4);
        expect(found, `byte ${at}`).toEqual({ events: left, kinds: ["torn-tail-dropped", "copy-restored"] });
      }
    }
  });

  test("and whose twin has other events is refused, and neither file is touched", async () => {
    await fill();
    spoil(vault, 0x58, 120);
    const other = forged(five.map((event) => ({ ...event, type: "forged" })));
    fs.writeFileSync(twin, other);
    const before = fs.readFileSync(vault);
    expect(outcome()).toMatchObject({ code: "journal-damaged" });
    expect(fs.readFileSync(vault)).toEqual(before);
    expect(fs.readFileSync(twin)).toEqual(other);
  });

  test("in the middle takes from a twin with forged lines at its end only lines that the vault confirms", async () => {
    await fill();
    spoil(vault, 0x58, 120);
    fs.writeFileSync(twin, forged([...five, { type: "forged" }]));
    expect(outcome()).toEqual({ events: five, kinds: ["vault-restored", "copy-altered"] });
  });

  test("with a block of zeros at its end loses only what the zeros replaced", async () => {
    await fill();
    fs.appendFileSync(vault, Buffer.alloc(4096));
    expect(outcome()).toEqual({ events: five, kinds: ["torn-tail-dropped"] });
  });

  test.each(["gone", "empty"])("and is now %s is restored from the twin", async (how) => {
    await fill();
    if (how === "gone") fs.rmSync(options.vaultDir, { recursive: true });
    else fs.truncateSync(vault, 0);
    expect(outcome()).toEqual({ events: five, kinds: ["vault-restored"] });
    expect(fs.readFileSync(vault)).toEqual(fs.readFileSync(twin));
  });

  test("with both copies damaged is refused", async () => {
    await fill();
    spoil(vault, 0x58, 120);
    spoil(twin, 0x58, 120);
    expect(outcome()).toMatchObject({ code: "journal-damaged" });
  });

  test("shorter than its own snapshot gets the lost lines back from the twin", async () => {
    const journal = open();
    for (const event of five) await journal.append(event);
    await journal.snapshot({ count: 5 });
    await journal.close();
    fs.writeFileSync(vault, forged(five.slice(0, 3)));
    expect(outcome()).toMatchObject({ events: five, kinds: ["snapshot-ignored", "vault-restored"] });
    fs.writeFileSync(vault, forged(five.slice(0, 3)));
    expect(open({ stateVersion: 2 }).past).toEqual({ snapshot: null, events: five, seq: 5 });
  });
});

describe("a journal of another kind", () => {
  test("written by a newer release is refused with advice", () => {
    const head = `{"v":2,"seq":1`;
    fs.mkdirSync(options.vaultDir, { recursive: true });
    fs.writeFileSync(vault, `${head},"sum":"${sha256(head)}"}\n`);
    expect(outcome()).toMatchObject({ code: "journal-too-new", next: expect.stringContaining("Update") });
  });

  test("of another run does not open under this run's name", async () => {
    await fill();
    expect(() => open({ run: "r2" })).toThrow(expect.objectContaining({ code: "journal-damaged" }));
  });

  test("that this release cannot parse is left unchanged, including a torn tail", async () => {
    await fill();
    fs.truncateSync(vault, fs.statSync(vault).size - 3);
    const before = fs.readFileSync(vault);
    const refusal = new UserError("journal-from-the-future", { what: "", why: "", next: "" });
    const parse = () => {
      throw refusal;
    };
    expect(() => open({ parse })).toThrow(refusal);
    expect(fs.readFileSync(vault)).toEqual(before);
    expect(fs.readdirSync(options.vaultDir).filter((name) => name.includes("torn"))).toEqual([]);
  });

  test("planted before a run starts is set aside by a fresh opening", () => {
    fs.mkdirSync(options.mirrorDir, { recursive: true });
    fs.writeFileSync(twin, forged([{ type: "proved" }]));
    const journal = open({ fresh: true });
    expect(journal.past.events).toEqual([]);
    expect(kinds(journal)).toEqual(["copy-altered"]);
  });
});

describe("a snapshot", () => {
  const withSnapshot = async () => {
    const journal = open();
    for (const event of five) await journal.append(event);
    await journal.snapshot({ count: 5 });
    await journal.append({ type: "after" });
    await journal.close();
  };
  const path = () => join(options.vaultDir, "snapshot.json");

  test("that is corrupted at any byte is ignored, and everything is replayed", async () => {
    await withSnapshot();
    const whole = fs.readFileSync(path());
    for (let at = 0; at < whole.length; at += step) {
      fs.writeFileSync(path(), whole);
      spoil(path(), (whole[at] ?? 0) ^ 1, at);
      expect(outcome()).toEqual({ events: [...five, { type: "after" }], kinds: ["snapshot-ignored"] });
    }
  });

  test("of another journal is ignored", async () => {
    await withSnapshot();
    const mine = fs.readFileSync(path());
    fs.rmSync(dir, { recursive: true });
    await fill([{ type: "x" }, ...five, ...five]);
    fs.writeFileSync(path(), mine);
    const found = open();
    expect(found.past).toMatchObject({ snapshot: null, seq: 11 });
    expect(kinds(found)).toEqual(["snapshot-ignored"]);
  });

  test("of a journal with other lines of the same length is ignored", async () => {
    await withSnapshot();
    const mine = fs.readFileSync(path());
    fs.rmSync(dir, { recursive: true });
    await fill(five.map((event) => ({ ...event, type: "f" })));
    fs.writeFileSync(path(), mine);
    const found = open();
    expect(found.past).toMatchObject({ snapshot: null, seq: 5 });
    expect(kinds(found)).toEqual(["snapshot-ignored"]);
  });

  test("is used even if lines before it are damaged, because it needs none of them", async () => {
    await withSnapshot();
    spoil(vault, 0x58, 10);
    spoil(twin, 0x58, 10);
    expect(open().past).toEqual({ snapshot: { count: 5 }, events: [{ type: "after" }], seq: 6 });
    expect(verifyFileJournal(options).vault).toMatchObject({ is: "damaged", lines: 0 });
  });

  test("is not used past a damaged tail, which is repaired first", async () => {
    await withSnapshot();
    spoil(vault, 0x58, fs.statSync(vault).size - 30);
    expect(outcome()).toEqual({ events: [...five, { type: "after" }], kinds: ["vault-restored"] });
  });
});

describe("reading without opening", () => {
  test("returns what opening would, omits a torn tail, and changes nothing", async () => {
    await fill();
    fs.truncateSync(vault, fs.statSync(vault).size - 3);
    const before = listing();
    expect(readFileJournal<Event, State>(options)).toEqual({ snapshot: null, events: five.slice(0, 4), seq: 4 });
    expect(listing()).toEqual(before);
  });

  test("a missing journal returns nothing, and creates nothing", () => {
    expect(readFileJournal(options)).toEqual({ snapshot: null, events: [], seq: 0 });
    expect(fs.readdirSync(dir)).toEqual([]);
  });

  const listing = () =>
    [options.vaultDir, options.mirrorDir].map((at) =>
      fs.readdirSync(at).map((name) => [name, fs.readFileSync(join(at, name), "latin1")]),
    );
});

describe("verifying", () => {
  test("finds both copies complete and equal after an ordinary run", async () => {
    await fill();
    expect(verifyFileJournal(options)).toMatchObject({
      same: true,
      vault: { is: "whole", lines: 5 },
      copy: { is: "whole", lines: 5 },
    });
  });

  test.each([
    { done: "nothing", to: () => undefined, expected: { same: true, difference: null, copy: { flaw: null } } },
    {
      done: "the copy removed",
      to: () => fs.rmSync(twin),
      expected: { same: false, difference: "it is missing", copy: { is: "missing", lines: 0, bytes: 0, flaw: null } },
    },
    {
      done: "the copy torn",
      to: () => fs.truncateSync(twin, 100),
      expected: { same: false, difference: "lines are missing at its end: 5", copy: { is: "torn", bytes: 100 } },
    },
    {
      done: "the copy's last line cut off",
      to: () => fs.writeFileSync(twin, forged(five.slice(0, 4))),
      expected: { same: false, difference: "lines are missing at its end: 1", copy: { is: "whole", lines: 4 } },
    },
    {
      done: "the copy spoiled",
      to: () => spoil(twin, 0x58, 100),
      expected: {
        same: false,
        difference: "it differs from line 1 on",
        copy: { is: "damaged", flaw: expect.stringContaining("line 1, byte 0") },
      },
    },
  ])("reports $done, and changes nothing", async ({ to, expected }) => {
    await fill();
    to();
    expect(verifyFileJournal(options)).toMatchObject({ vault: { is: "whole" }, ...expected });
    expect(verifyFileJournal(options)).toMatchObject({ vault: { is: "whole" }, ...expected });
  });
});

test("verifying a missing journal says so, and creates nothing", () => {
  expect(verifyFileJournal(options)).toMatchObject({
    same: false,
    difference: "the vault has none",
    vault: { is: "missing" },
    copy: { is: "missing" },
  });
  expect(fs.readdirSync(dir)).toEqual([]);
});

describe("opening", () => {
  test("a journal and its twin in one folder is a bug", () => {
    expect(() => open({ mirrorDir: `${options.vaultDir}/../vault` })).toThrow(Bug);
  });

  test("a run as new that already has a journal is a bug, and changes nothing", async () => {
    await fill();
    const before = fs.readFileSync(vault);
    expect(() => open({ fresh: true })).toThrow(Bug);
    expect(fs.readFileSync(vault)).toEqual(before);
    fs.truncateSync(vault, 0);
    expect(open({ fresh: true }).past.seq).toBe(0);
  });

  test("an unreadable vault needs a person, and says what to do", () => {
    fs.mkdirSync(vault, { recursive: true });
    const refused = outcome();
    expect(refused).toMatchObject({ code: "journal-not-read", why: expect.stringContaining("EISDIR") });
    expect(refused).toMatchObject({ cause: expect.objectContaining({ code: "EISDIR" }) });
  });

  test("a vault that cannot be created needs a person", () => {
    fs.writeFileSync(options.vaultDir, "a file");
    const refused = outcome();
    expect(refused).toMatchObject({ code: "journal-not-written", why: expect.stringContaining(vault) });
    expect(refused).toMatchObject({ cause: expect.objectContaining({ code: expect.any(String) }) });
  });
});

describe("the notice", () => {
  const texts = (): string[] => open().notices.map((notice) => notice.text);

  test("about a torn tail names where it was kept", async () => {
    await fill();
    fs.truncateSync(vault, fs.statSync(vault).size - 10);
    expect(texts()[0]).toContain(join(options.vaultDir, "events.jsonl.torn-1"));
  });

  test("about a restored vault names the error, and where the old bytes were kept, if any", async () => {
    await fill();
    spoil(vault, 0x58, 120);
    expect(texts()[0]).toMatch(/checksum.*events\.jsonl\.damaged-1$/);
    for (const gone of [() => fs.truncateSync(vault, 0), () => fs.rmSync(vault)]) {
      gone();
      expect(texts()).toEqual(["The journal was restored from its copy: the vault's journal was gone."]);
    }
    expect(fs.existsSync(join(options.vaultDir, "events.jsonl.damaged-2"))).toBe(false);
  });
});

describe("an open journal", () => {
  test("that could not be written takes no snapshot either", async () => {
    const journal = open();
    await journal.append({ type: "a" });
    fs.appendFileSync(vault, "more\n");
    await expect(journal.append({ type: "b" })).rejects.toMatchObject({ code: "journal-not-written" });
    await expect(journal.snapshot({ count: 1 })).rejects.toMatchObject({ code: "journal-not-written" });
    expect(fs.existsSync(join(options.vaultDir, "snapshot.json"))).toBe(false);
  });

  test("whose snapshot cannot be written says so, and continues", async () => {
    const journal = open();
    await journal.append({ type: "a" });
    fs.mkdirSync(join(options.vaultDir, "snapshot.json", "x"), { recursive: true });
    await journal.snapshot({ count: 1 });
    expect(kinds(journal)).toEqual(["snapshot-ignored"]);
    expect(await journal.append({ type: "b" })).toBe(2);
  });

  test("has its reserve until the disk was full", () => {
    expect(open().reserveSpent).toBe(false);
    fs.rmSync(join(options.vaultDir, "reserve"));
    fs.mkdirSync(join(options.vaultDir, "reserve"));
    expect(open().reserveSpent).toBe(true);
  });

  test("closes its files", async ({ skip }) => {
    if (!fs.existsSync("/proc/self/fd")) return skip("this system does not say which files are open");
    const journal = open();
    await journal.append({ type: "a" });
    await journal.snapshot({ count: 1 });
    expect(openFiles().sort()).toEqual([twin, vault].sort());
    await journal.close();
    expect(openFiles()).toEqual([]);
    const again = open();
    expect(openFiles().sort()).toEqual([twin, vault].sort());
    await again.close();
    fs.rmSync(join(options.vaultDir, "snapshot.json"));
    const whole = open();
    expect(openFiles().sort()).toEqual([twin, vault].sort());
    await whole.close();
    expect(openFiles()).toEqual([]);
  });

  /** Files of this test that the process has open. */
  const openFiles = (): string[] =>
    fs.readdirSync("/proc/self/fd").flatMap((fd) => {
      try {
        const path = fs.readlinkSync(join("/proc/self/fd", fd));
        return path.startsWith(dir) ? [path] : [];
      } catch {
        return [];
      }
    });
});

test("a copy of more than a megabyte is read to its end", async () => {
  await fill(Array.from({ length: 18 }, (_, n) => ({ type: "x".repeat(64_000), n })));
  expect(verifyFileJournal(options)).toMatchObject({ same: true, copy: { is: "whole", lines: 18 } });
});

describe("reading with a snapshot", () => {
  test("returns the snapshot and the events after it", async () => {
    const journal = open();
    await journal.append({ type: "a" });
    await journal.snapshot({ count: 1 });
    await journal.append({ type: "b" });
    expect(readFileJournal(options)).toEqual({ snapshot: { count: 1 }, events: [{ type: "b" }], seq: 2 });
  });

  test("without its journal returns the twin's events", async () => {
    const journal = open();
    await journal.append({ type: "a" });
    await journal.snapshot({ count: 1 });
    await journal.close();
    fs.rmSync(vault);
    expect(readFileJournal(options)).toEqual({ snapshot: null, events: [{ type: "a" }], seq: 1 });
    expect(outcome()).toEqual({ events: [{ type: "a" }], kinds: ["snapshot-ignored", "vault-restored"] });
  });
});

function spoil(path: string, byte: number, at: number): void {
  const fd = fs.openSync(path, "r+");
  fs.writeSync(fd, Buffer.from([byte]), 0, 1, at);
  fs.closeSync(fd);
}
