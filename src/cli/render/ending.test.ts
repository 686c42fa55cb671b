// The short ending after an answer says what has become of the run and of its commits.
import { expect, test } from "vitest";
import type { Overview } from "../../report/overview.ts";
import { shortEnding } from "./ending.ts";
import type { Paint } from "./paint.ts";

const paint = { bold: (text: string) => text } as unknown as Paint;
const worktree = {
  branch: "loop/a",
  onto: "main",
  landed: "8b01dd3db5aa",
  kept: [],
  isAhead: false,
  isDropped: false,
  left: null,
  inTheWay: [],
  landsBy: "land" as const,
  records: null,
};
const run = { title: "Done: 1 of 1 feature complete", why: "The contract is met.", left: null, worktree, inbox: [] };

test("an answer that ends the run says that it landed, and the next command", () => {
  const ended = { ...run, state: "over", next: "loop report" } as unknown as Overview;
  expect(shortEnding(ended, [], paint)).toBe(
    "Done: 1 of 1 feature complete\nThe contract is met.\nLanded on main, at 8b01dd3db5\nNext: loop report\n",
  );
});

test("a run that still waits says only that", () => {
  const waits = { ...run, state: "waits-for-you", why: "It waits.", next: "loop approve" } as unknown as Overview;
  expect(shortEnding(waits, [], paint)).toBe("It waits.\nNext: loop approve\n");
});
