import { describe, expect, test } from "vitest";
import { dueIn } from "./cron.ts";

const at = (text: string): number => Date.parse(text);
const every = (schedule: string, more: object = {}) => ({
  at: schedule,
  timezone: "UTC",
  jitterS: 0,
  catchUp: "once" as const,
  ...more,
});

describe("a schedule", () => {
  test.each([
    ["is not due before its time", "0 3 * * *", "2026-01-01T02:00:00Z", "2026-01-01T02:59:59Z", null],
    ["is due at its time", "0 3 * * *", "2026-01-01T02:00:00Z", "2026-01-01T03:00:00Z", "2026-01-01T03:00:00Z"],
    ["is due once", "0 3 * * *", "2026-01-01T03:00:00Z", "2026-01-01T03:00:30Z", null],
    [
      "is due once for all times while asleep",
      "0 * * * *",
      "2026-01-01T03:00:00Z",
      "2026-01-03T07:30:00Z",
      "2026-01-03T07:00:00Z",
    ],
    ["is not due again when the clock goes back", "0 3 * * *", "2026-01-02T03:00:00Z", "2026-01-01T03:00:00Z", null],
  ])("%s", (_title, schedule, since, now, due) => {
    const found = dueIn(every(schedule), "t", at(since), at(now));
    expect(found).toEqual(due === null ? null : { is: "due", at: at(due) });
  });

  const berlin = { timezone: "Europe/Berlin" };
  /** Every time at which it fires, if it is looked at every ten minutes. */
  function firings(schedule: string, from: string, to: string): string[] {
    const found: string[] = [];
    let since = at(from);
    for (let now = since; now <= at(to); now += 600_000) {
      const due = dueIn(every(schedule, berlin), "t", since, now);
      if (due === null) continue;
      found.push(new Date(due.at).toISOString());
      since = due.at;
    }
    return found;
  }

  test("in the hour that a change of the clock skips is due once, after it", () => {
    expect(firings("30 2 * * *", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z")).toEqual(["2026-03-29T01:00:00.000Z"]);
  });

  test("in the hour that a change of the clock repeats is due once", () => {
    expect(firings("30 2 * * *", "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z")).toEqual(["2026-10-25T00:30:00.000Z"]);
  });

  test("that does not catch up skips what it slept through, and keeps the next time", () => {
    const schedule = every("0 3 * * *", { catchUp: "none" });
    const missed = dueIn(schedule, "t", at("2026-01-01T04:00:00Z"), at("2026-01-02T12:00:00Z"));
    expect(missed).toEqual({ is: "missed", at: at("2026-01-02T03:00:00Z") });
    expect(dueIn(schedule, "t", missed?.at ?? 0, at("2026-01-03T03:00:01Z"))).toEqual({
      is: "due",
      at: at("2026-01-03T03:00:00Z"),
    });
  });

  test("with jitter is due later, within its bound, and at the same moment when asked again", () => {
    const schedule = every("0 3 * * *", { jitterS: 600 });
    const [since, due] = [at("2026-01-01T00:00:00Z"), at("2026-01-01T03:00:00Z")];
    const first = Array.from({ length: 601 }, (_, s) => s).find(
      (s) => dueIn(schedule, "t", since, due + s * 1000) !== null,
    );
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(600);
    expect(dueIn(schedule, "t", since, due + ((first ?? 0) - 1) * 1000)).toBeNull();
  });

  test("every minute with a jitter of an hour fires all the same", () => {
    const schedule = every("* * * * *", { jitterS: 3600 });
    expect(dueIn(schedule, "t", at("2026-01-01T00:00:00Z"), at("2026-01-01T02:00:00Z"))?.is).toBe("due");
  });
});
