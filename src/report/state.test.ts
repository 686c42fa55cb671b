// The next command of a run, and its sum, as they change between two events.
import { expect, test } from "vitest";
import type { InboxItem } from "../core/inbox.ts";
import type { Run } from "../core/run.ts";
import { noUsage } from "../core/session.ts";
import { rest } from "../core/stop.ts";
import { at, F1 } from "../testing/world/by-hand.ts";
import { emptyChronicle } from "./chronicle.ts";
import { overview } from "./overview.ts";
import { standingOf } from "./state.ts";

test("a run whose held work is decided waits for loop continue, and no longer for its inbox", () => {
  const item: InboxItem = { kind: "unproved", feature: F1, tests: [], missing: [] };
  const resting = (inbox: Run["inbox"]): Run =>
    rest({ ...at("between"), inbox }, { kind: "inbox", features: [F1] }, { is: "between" });
  expect(standingOf(resting([item]), false).next).toBe("loop inbox");
  expect(standingOf(resting([]), false)).toMatchObject({ next: "loop continue", state: "waits-for-you" });
});

test("what the session in hand has used is in the sum", () => {
  const story = { run: at("paid"), chronicle: emptyChronicle };
  const open = { ...noUsage, inputTokens: 7, costUsd: 0.2 };
  const { spent, caps } = overview(story, { isDriven: false, open });
  expect(spent).toMatchObject({ costUsd: 0.2, tokens: 7, estimated: false });
  expect(caps.find(({ cap }) => cap === "cost")?.used).toBe(0.2);
  expect(overview(story, { isDriven: false, open: { ...open, costUsd: null } }).spent.estimated).toBe(true);
});
