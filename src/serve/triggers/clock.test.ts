// The keeper over days of a clock that jumps: changes of the clock in named time zones, and a machine that slept.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { register } from "../registry.ts";
import { Workspaces } from "../workspaces.ts";
import { confirmable } from "./confirmed.ts";
import { FiringLog } from "./firing-log.ts";
import { Keeper } from "./keeper.ts";

const folders: string[] = [];
afterEach(() => {
  for (const dir of folders.splice(0)) fs.rmSync(dir, { recursive: true, force: true });
});

const minute = 60_000;
const at = (text: string): number => Date.parse(text);

/** A server's keeper that is looked at every minute while the machine is awake. Its runs end at once. */
class Days {
  readonly #dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-clock-")));
  readonly #registry = join(this.#dir, "workspaces.json");
  #now: number;
  #keeper: Keeper;
  #log: FiringLog;

  constructor(from: string, cron: string) {
    folders.push(this.#dir);
    const root = join(this.#dir, "project");
    fs.mkdirSync(root);
    const yaml = `version: 1\ntriggers:\n  - { name: t, cron: { ${cron} }, overlap: queue }\n`;
    fs.writeFileSync(join(root, "loop.yaml"), yaml);
    register(this.#registry, root, confirmable(root));
    this.#now = at(from);
    [this.#log, this.#keeper] = this.#opened();
  }

  #opened(): [FiringLog, Keeper] {
    const log = new FiringLog(join(this.#dir, "firings.jsonl"), this.#now);
    const workspaces = new Workspaces(this.#registry);
    const drive = (): Promise<string> => Promise.resolve("begun");
    return [log, new Keeper({ log, workspaces, drive, now: () => this.#now })];
  }

  async awake(until: string): Promise<void> {
    for (; this.#now <= at(until); this.#now += minute) await this.#keeper.tick();
  }

  asleep(until: string): void {
    this.#now = at(until);
  }

  restart(): void {
    this.#log.close();
    [this.#log, this.#keeper] = this.#opened();
  }

  get fired(): string[] {
    const marks = fs.readFileSync(join(this.#dir, "firings.jsonl"), "utf8").trim().split("\n");
    return marks
      .map((line) => JSON.parse(line) as { type: string; mark?: string })
      .flatMap(({ type, mark = "" }) => (type === "fired" ? [new Date(Number.parseInt(mark, 10)).toISOString()] : []));
  }

  get missed(): number {
    return this.#keeper.state.refusals.length;
  }
}

const policies = ["once", "none"] as const;
const half2 = (zone: string) => `at: "30 2 * * *", timezone: ${zone}`;

describe.each(policies)("with catch_up %s", (policy) => {
  test.each([
    {
      change: "skips 02:30 in Berlin",
      cron: half2("Europe/Berlin"),
      from: "2026-03-29T00:50:00Z",
      to: "2026-03-29T01:40:00Z",
      fires: "2026-03-29T01:00:00.000Z",
    },
    {
      change: "repeats 02:30 in Berlin",
      cron: half2("Europe/Berlin"),
      from: "2026-10-25T00:25:00Z",
      to: "2026-10-25T01:40:00Z",
      fires: "2026-10-25T00:30:00.000Z",
    },
    {
      change: "skips 02:30 in New York",
      cron: half2("America/New_York"),
      from: "2026-03-08T06:50:00Z",
      to: "2026-03-08T07:40:00Z",
      fires: "2026-03-08T07:00:00.000Z",
    },
    {
      change: "repeats 01:45 by half an hour on Lord Howe Island",
      cron: 'at: "45 1 * * *", timezone: Australia/Lord_Howe',
      from: "2026-04-04T14:40:00Z",
      to: "2026-04-04T15:25:00Z",
      fires: "2026-04-04T14:45:00.000Z",
    },
  ])("a change of the clock that $change fires once, also with a restart in the hour", async (each) => {
    const days = new Days(each.from, `${each.cron}, catch_up: ${policy}`);
    await days.awake(new Date(at(each.fires) + 10 * minute).toISOString());
    days.restart();
    await days.awake(each.to);
    expect([days.fired, days.missed]).toEqual([[each.fires], 0]);
  });

  test.each([
    ["an ordinary day", "2026-01-10T12:00:00Z", "2026-01-11T12:00:00Z", "2026-01-11T01:30:00.000Z"],
    ["the day that skips the hour", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", "2026-03-29T01:00:00.000Z"],
    ["the day that repeats the hour", "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z", "2026-10-25T00:30:00.000Z"],
  ])("%s asleep follows the policy, and the next night is as ever", async (_day, from, to, passed) => {
    const days = new Days(from, `${half2("Europe/Berlin")}, catch_up: ${policy}`);
    await days.awake(new Date(at(from) + minute).toISOString());
    days.asleep(to);
    await days.awake(new Date(at(to) + 2 * minute).toISOString());
    expect([days.fired, days.missed]).toEqual(policy === "once" ? [[passed], 0] : [[], 1]);
    const next = at(passed.replace(/T.*/, "T00:00:00Z")) + 24 * 60 * minute;
    days.asleep(new Date(next + 25 * minute).toISOString());
    await days.awake(new Date(next + 95 * minute).toISOString());
    expect(days.fired).toHaveLength(policy === "once" ? 2 : 1);
  });
});

test("a clock that is set back does not fire the same time again", async () => {
  const days = new Days("2026-01-10T01:00:00Z", half2("Europe/Berlin"));
  await days.awake("2026-01-10T01:40:00Z");
  days.asleep("2026-01-10T01:00:00Z");
  await days.awake("2026-01-10T02:00:00Z");
  expect(days.fired).toEqual(["2026-01-10T01:30:00.000Z"]);
});

test("a clock that was years ahead for a while silences no schedule", async () => {
  const days = new Days("2026-01-10T01:00:00Z", half2("Europe/Berlin"));
  await days.awake("2026-01-10T01:10:00Z");
  days.asleep("2029-01-01T12:00:00Z");
  await days.awake("2029-01-01T12:02:00Z");
  const bogus = days.fired;
  days.asleep("2026-01-10T01:15:00Z");
  await days.awake("2026-01-10T01:40:00Z");
  expect(days.fired).toEqual([...bogus, "2026-01-10T01:30:00.000Z"]);
});
