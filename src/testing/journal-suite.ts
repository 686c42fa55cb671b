// What every journal must do, run for each adapter: a new one must pass this suite first.
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { Bug, UserError } from "../core/errors.ts";
import type { Journal } from "../journal/journal.ts";

/** An event of the journal suite. */
export type SuiteEvent = { type: string; data?: unknown };
/** The suite's state is the list of all events so far, so that folding is appending. */
export type SuiteState = SuiteEvent[];

/** How the suite opens the journal that it tests. */
export type SuiteOpening = { parse?: (json: unknown) => SuiteEvent; stateVersion?: number };
/** One disk. `open` opens the journal on it, `crash` kills the process that has it open. */
export type JournalRig = {
  open(options?: SuiteOpening): Journal<SuiteEvent, SuiteState>;
  crash(): void;
  remove?(): void;
};

/** The tests that every journal passes. */
export function describeJournal(name: string, make: () => JournalRig): void {
  describe(`${name} journal`, () => {
    const rigs: JournalRig[] = [];
    const rig = (): JournalRig => {
      const made = make();
      rigs.push(made);
      return made;
    };
    afterEach(() => {
      for (const made of rigs.splice(0)) made.remove?.();
    });
    describeAppending(rig);
    describeSnapshots(rig);
    describeEndings(rig);
    describeModel(rig);
  });
}

const event = (type: string, data?: unknown): SuiteEvent => (data === undefined ? { type } : { type, data });

async function written(rig: JournalRig, events: readonly SuiteEvent[]): Promise<Journal<SuiteEvent, SuiteState>> {
  const journal = rig.open();
  for (const each of events) await journal.append(each);
  return journal;
}

function describeAppending(make: () => JournalRig): void {
  test("a new journal has no past", () => {
    const { past, notices } = make().open();
    expect(past).toEqual({ snapshot: null, events: [], seq: 0 });
    expect(notices).toEqual([]);
  });

  test("events are numbered from one, and numbering goes on after reopening", async () => {
    const rig = make();
    const first = rig.open();
    expect([await first.append(event("a")), await first.append(event("b"))]).toEqual([1, 2]);
    await first.close();
    const second = rig.open();
    expect(second.past.seq).toBe(2);
    expect(await second.append(event("c"))).toBe(3);
  });

  test("appends that do not wait for each other keep their order", async () => {
    const rig = make();
    const journal = rig.open();
    const all = Array.from({ length: 20 }, (_, at) => event("e", at));
    expect(await Promise.all(all.map((each) => journal.append(each)))).toEqual(all.map((_, at) => at + 1));
    await journal.close();
    expect(rig.open().past.events).toEqual(all);
  });

  test.each([
    { what: "line breaks", data: "a\nb\r\nc\u2028d" },
    { what: "other scripts", data: "żółw 🐢 漢字" },
    { what: "half a surrogate pair", data: "\ud83d" },
    { what: "text that looks like a line", data: '","sum":"0000"}\n{"v":1' },
    { what: "nesting", data: { a: [1, { b: null }], c: "" } },
    { what: "as much as a line holds", data: "x".repeat(60_000) },
  ])("an event with $what comes back as it was", async ({ data }) => {
    const rig = make();
    await (await written(rig, [event("e", data)])).close();
    expect(rig.open().past.events).toEqual([event("e", data)]);
  });

  test("what is done to an event after appending it changes nothing", async () => {
    const rig = make();
    const journal = rig.open();
    const mine = { type: "e", data: { n: 1 } };
    const done = journal.append(mine);
    mine.data.n = 2;
    await done;
    await journal.close();
    expect(rig.open().past.events).toEqual([event("e", { n: 1 })]);
  });

  test("an event too large for a line is a bug, and the journal goes on without it", async () => {
    const rig = make();
    const journal = rig.open();
    await expect(journal.append(event("e", "x".repeat(70_000)))).rejects.toBeInstanceOf(Bug);
    expect(await journal.append(event("small"))).toBe(1);
    await journal.close();
    expect(rig.open().past.events).toEqual([event("small")]);
  });
}

function describeSnapshots(make: () => JournalRig): void {
  const three = [event("a"), event("b"), event("c")];

  test("opening starts at the last snapshot, with the events since", async () => {
    const rig = make();
    const journal = await written(rig, three);
    await journal.snapshot([event("old")]);
    await journal.snapshot(three);
    await journal.append(event("d"));
    await journal.close();
    expect(rig.open().past).toEqual({ snapshot: three, events: [event("d")], seq: 4 });
  });

  test("a snapshot before the first event is one like any other", async () => {
    const rig = make();
    await rig.open().snapshot([]);
    expect(rig.open().past).toEqual({ snapshot: [], events: [], seq: 0 });
  });

  test("a snapshot of another state version is ignored, and said to be", async () => {
    const rig = make();
    const journal = await written(rig, three);
    await journal.snapshot(three);
    await journal.close();
    const other = rig.open({ stateVersion: 2 });
    expect(other.past).toEqual({ snapshot: null, events: three, seq: 3 });
    expect(other.notices.map((notice) => notice.kind)).toEqual(["snapshot-ignored"]);
  });
}

function describeEndings(make: () => JournalRig): void {
  test("a closed journal takes nothing more, and may be closed again", async () => {
    const journal = make().open();
    await journal.close();
    await journal.close();
    await expect(journal.append(event("late"))).rejects.toBeInstanceOf(Bug);
    await expect(journal.snapshot([])).rejects.toBeInstanceOf(Bug);
  });

  test("what was acknowledged is there after a crash", async () => {
    const rig = make();
    await written(rig, [event("a"), event("b")]);
    rig.crash();
    expect(rig.open().past.events).toEqual([event("a"), event("b")]);
  });

  test("an event that the reader refuses is the reader's error, and opening again with one that knows it works", async () => {
    const rig = make();
    await (await written(rig, [event("known"), event("from-the-future")])).close();
    const refusal = new UserError("journal-from-the-future", { what: "w", why: "y", next: "n" });
    const parse = (json: unknown): SuiteEvent => {
      const read = json as SuiteEvent;
      if (read.type === "from-the-future") throw refusal;
      return read;
    };
    expect(() => rig.open({ parse })).toThrow(refusal);
    expect(rig.open().past.events).toHaveLength(2);
  });
}

type Step = "append" | "snapshot" | "reopen" | "crash";

function describeModel(make: () => JournalRig): void {
  test("whatever is done in whatever order, snapshot and events together are everything that was acknowledged", async () => {
    const steps = fc.array(fc.constantFrom<Step>("append", "append", "append", "snapshot", "reopen", "crash"), {
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const rig = make();
        const model: SuiteEvent[] = [];
        let journal = rig.open();
        for (const step of [...sequence, "reopen" as const]) {
          if (step === "append") {
            model.push(event("e", model.length));
            expect(await journal.append(event("e", model.length - 1))).toBe(model.length);
          } else if (step === "snapshot") {
            await journal.snapshot(model);
          } else {
            if (step === "crash") rig.crash();
            else await journal.close();
            journal = rig.open();
            expect([...(journal.past.snapshot ?? []), ...journal.past.events]).toEqual(model);
            expect(journal.past.seq).toBe(model.length);
          }
        }
        rig.remove?.();
      }),
      { numRuns: Number(process.env["FC_RUNS"] ?? 40) },
    );
  });
}
