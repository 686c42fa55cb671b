// Every wording of a usage limit that agents are known to print, with a fixed clock.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAboutMoney, readLimit } from "./limits.ts";
import { readEpoch, readResetTime, readRetryAfter, readRetryTime } from "./reset-time.ts";
import { instantOf, wallTimeAt, zoneNamed } from "./zoned-time.ts";

// A Wednesday in winter, 12:00 in London and 07:00 in New York.
const now = Date.parse("2026-01-14T12:00:00Z");
const zone = "Europe/Berlin";
const at = (iso: string): number => Date.parse(iso);

describe("a usage limit is recognized with the time it ends", () => {
  test.each([
    ["You've hit your session limit · resets 8pm (America/New_York)", null],
    ["You've hit your session limit · resets 8:30am (America/New_York)", "2026-01-14T13:30:00Z"],
    ["You’ve hit your limit · resets 4pm (Europe/Dublin)", "2026-01-14T16:00:00Z"],
    ["You've hit your 5-hour limit · resets 3:01pm (UTC)", "2026-01-14T15:01:00Z"],
    ["5-hour limit reached ∙ resets 3pm", "2026-01-14T14:00:00Z"],
    ["Session limit reached ∙ resets 5:20pm", "2026-01-14T16:20:00Z"],
    [
      "Weekly limit reached · resets 10am (Asia/Seoul) · /upgrade to Max or turn on /extra-usage",
      "2026-01-15T01:00:00Z",
    ],
    ["You've hit your weekly limit · resets Sep 15 at 7pm", "2025-09-15T17:00:00Z"],
    ["You've hit your weekly limit · resets Jan 19, 10:59am (America/New_York)", "2026-01-19T15:59:00Z"],
    ["You've hit your Opus limit · resets Jan 16, 2026 at 1pm (Asia/Tokyo)", "2026-01-16T04:00:00Z"],
    ["Opus weekly limit reached ∙ resets Jan 20, 1pm", "2026-01-20T12:00:00Z"],
    ["Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5).", "2026-01-14T18:00:00Z"],
    ["Claude Max usage limit reached. Your limit will reset at 12am.", "2026-01-14T23:00:00Z"],
    ["Claude AI usage limit reached|1768413600", "2026-01-14T18:00:00Z"],
    ["Claude AI usage limit reached|1768413600000", "2026-01-14T18:00:00Z"],
    ["You're out of extra usage · resets Jan 21, 10am (UTC)", "2026-01-21T10:00:00Z"],
    ["Session limit reached – resets in 2 hours", "2026-01-14T14:00:00Z"],
    [
      "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 3 days 4 hours 12 minutes.",
      "2026-01-17T16:12:00Z",
    ],
    ["You've hit your usage limit. Try again in 4 days 20 hours 9 minutes.", "2026-01-19T08:09:00Z"],
    ["You've hit your usage limit. Try again in less than a minute.", "2026-01-14T12:01:00Z"],
    ["You've hit your usage limit. Upgrade to Pro or try again at 3:14 PM.", "2026-01-14T14:14:00Z"],
    [
      "You've hit your usage limit. To get more access now, or try again at Feb 5th, 2026 3:14 PM.",
      "2026-02-05T14:14:00Z",
    ],
    [
      "You have reached your usage limit. Upgrade your plan or try again after July 3, 2026 at 2:45 PM.",
      "2026-07-03T12:45:00Z",
    ],
    ["The usage limit has been reached, resets_at=1768413600", "2026-01-14T18:00:00Z"],
    ["Your quota will reset after 3h20m15s.", "2026-01-14T15:20:15Z"],
    ["usage_limit_reached, retry-after: 3600", "2026-01-14T13:00:00Z"],
    ["Usage limit reached. Resets 2026-01-14T20:15:00+02:00", "2026-01-14T18:15:00Z"],
    ["You've hit your weekly limit · resets 16:30 (PST)", "2026-01-15T00:30:00Z"],
    ["You've hit your weekly limit · resets 6pm (UTC+5:30)", "2026-01-14T12:30:00Z"],
  ])("%s", (text, moment) => {
    // 8 pm in New York is 13 hours away: more than a session lasts, so that time has already passed.
    const expected = moment === null ? now + 5 * 60_000 : at(moment);
    expect(readLimit(text, now, zone)).toEqual({ retryAt: expected });
  });

  test.each([
    "You've hit your usage limit. Upgrade to Plus to continue using Codex.",
    "You've hit your usage limit. Try again later.",
    "This request would exceed your account's rate limit. Please try again later.",
    "You're out of Codex messages",
    "Error: quota exceeded",
    "Quota exceeded for quota metric 'Generate Content API requests per minute'",
    "You have exhausted your daily quota on this model.",
    '{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}',
    "You've hit your limit · resets 25pm (Nowhere/Nothing)",
    "You've hit your limit · resets 8 (UTC)",
  ])("without a readable end: %s", (text) => {
    expect(readLimit(text, now, zone)).toEqual({ retryAt: null });
  });

  test.each([
    "You have hit your configured tool call depth limit",
    "The file exceeds the 2000 line limit",
    "Error: process exited with code 1",
    "Prompt is too long",
    "write /home/me/.cache/x: disk quota exceeded",
    "OSError: [Errno 122] Disk quota exceeded: 'a.txt'",
    "EDQUOT: quota exceeded, write",
    "",
  ])("not recognized in other messages: %s", (text) => {
    expect(readLimit(text, now, zone)).toBeNull();
  });

  test("recognized beside trouble with the disk", () => {
    const text = "cp: disk quota exceeded\nYou've hit your usage limit. Try again later.";
    expect(readLimit(text, now, zone)).toEqual({ retryAt: null });
  });

  test.each([
    "Credit balance is too low",
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade.",
    "You've hit your individual spend limit · run /usage-credits to raise it, or visit claude.ai/admin-settings/usage",
    "You've hit your org's monthly spend limit · ask your admin to raise it at claude.ai/settings/usage",
    "Quota exceeded. Check your plan and billing details.",
    "You exceeded your current quota, please check your plan and billing details.",
    "insufficient_quota",
    "insufficient_quota: You've hit your usage limit.",
  ])("a limit that only money lifts is not waited for: %s", (text) => {
    expect(isAboutMoney(text)).toBe(true);
    expect(readLimit(text, now, zone)).toBeNull();
  });
});

describe("a time of day is the next one, unless it has just passed", () => {
  test.each([
    { said: "resets 8pm (UTC)", when: "2026-01-14T19:59:00Z", moment: "2026-01-14T20:00:00Z" },
    { said: "resets 8pm (UTC)", when: "2026-01-14T20:01:00Z", moment: "2026-01-14T20:06:00Z" },
    { said: "resets 8pm (UTC)", when: "2026-01-14T22:00:00Z", moment: "2026-01-15T20:00:00Z" },
    { said: "session limit, resets 8pm (UTC)", when: "2026-01-14T22:00:00Z", moment: "2026-01-14T22:05:00Z" },
    { said: "resets 12am (UTC)", when: "2026-01-14T22:00:00Z", moment: "2026-01-15T00:00:00Z" },
    { said: "resets 12pm (UTC)", when: "2026-01-14T09:00:00Z", moment: "2026-01-14T12:00:00Z" },
    { said: "resets Jan 2, 5pm (UTC)", when: "2026-12-30T09:00:00Z", moment: "2027-01-02T17:00:00Z" },
  ])("$said, said at $when, is $moment", ({ said, when, moment }) => {
    expect(readResetTime(said, at(when), zone)).toBe(at(moment));
  });

  // New York: clocks go forward on 8 March 2026 at 2:00 and back on 1 November 2026 at 2:00.
  test.each([
    { said: "resets 3am (America/New_York)", when: "2026-03-08T04:00:00Z", moment: "2026-03-08T07:00:00Z" },
    { said: "resets 2:30am (America/New_York)", when: "2026-03-08T04:00:00Z", moment: "2026-03-08T07:30:00Z" },
    { said: "resets 1:30am (America/New_York)", when: "2026-11-01T03:00:00Z", moment: "2026-11-01T06:30:00Z" },
    { said: "resets 3am (America/New_York)", when: "2026-11-01T03:00:00Z", moment: "2026-11-01T08:00:00Z" },
    { said: "resets 10pm (Australia/Lord_Howe)", when: "2026-10-03T20:00:00Z", moment: "2026-10-04T11:00:00Z" },
  ])("$said, said at $when, is $moment when the clocks change", ({ said, when, moment }) => {
    expect(readResetTime(said, at(when), zone)).toBe(at(moment));
  });
});

test.each([
  ["UTC+2", "+02:00"],
  ["GMT-05:30", "-05:30"],
  ["PST", "America/Los_Angeles"],
  ["Asia/Seoul", "Asia/Seoul"],
  ["Nowhere/Nothing", null],
  ["", null],
])("the zone %j is %s", (text, expected) => {
  expect(zoneNamed(text)).toBe(expected);
});

test.each([
  ["120", now + 120_000],
  ["1.5", now + 1500],
  ["Wed, 14 Jan 2026 13:00:00 GMT", at("2026-01-14T13:00:00Z")],
  ["soon", null],
  ["-5", null],
])("retry-after: %s", (value, expected) => {
  expect(readRetryAfter(value, now)).toBe(expected);
});

test.each([
  ["2026-01-14T11:59:58Z ERROR stream error: 503", null],
  ["2026-01-14T11:59:58Z ERROR 429, retry after 20s", "2026-01-14T12:00:20Z"],
  ["2026-01-14T11:59:58Z WARN at capacity until 2026-01-14T12:10:00Z", "2026-01-14T12:10:00Z"],
  ["at capacity, try again at Sep 15, 2025 7pm", null],
])("a time that has passed is no time to retry at: %s", (text, moment) => {
  expect(readRetryTime(text, now, zone)).toBe(moment === null ? null : at(moment));
});

test.each([
  [1768413600, 1768413600000],
  [1768413600000, 1768413600000],
  [0, null],
  [-1, null],
  [Number.NaN, null],
  ["1768413600", null],
  [1e15, null],
])("the epoch %s is %s", (value, expected) => {
  expect(readEpoch(value)).toBe(expected);
});

const zones = ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "America/Sao_Paulo"];

test("an instant on the minute survives conversion to any wall clock, except in the repeated hour", () => {
  const minutes = fc.integer({ min: 29_000_000, max: 31_000_000 });
  fc.assert(
    fc.property(minutes, fc.constantFrom(...zones), (minute, where) => {
      const instant = minute * 60_000;
      const back = instantOf(wallTimeAt(instant, where), where);
      expect(back === instant || back - instant === 3_600_000 || back - instant === 1_800_000).toBe(true);
      expect(wallTimeAt(back, where)).toEqual(wallTimeAt(instant, where));
    }),
  );
});

test("any message gives a time or nothing, quickly", () => {
  const words = fc.constantFrom(
    "resets",
    "limit",
    "reached",
    "8pm",
    "in",
    "(",
    ")",
    "Jan",
    "5",
    ":",
    "|",
    "at",
    "try again",
    "0",
    "and",
    ",",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 60 }), (parts) => {
      const moment = readResetTime(parts.join(" "), now, zone);
      expect(moment === null || Number.isFinite(moment)).toBe(true);
    }),
  );
});
