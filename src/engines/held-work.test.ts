// Which run a decision about held work is for.
import { expect, test } from "vitest";
import { update } from "../core/attempt.ts";
import { UserError } from "../core/errors.ts";
import { begin, type Run } from "../core/run.ts";
import { newStory } from "../report/story.ts";
import { F1, mark, tree } from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import type { Reading } from "./engine.ts";
import { runHolding } from "./held-work.ts";

const contract = contractOf([feature("F1")]);
const held = { tree, base: mark("i1"), proof: null, why: "unproved", missing: [], tests: [], decided: null } as const;
const holding = update(begin(contract), F1, { status: "blocked", held });

/** Newest first; null: it can no longer be read. */
const over = (runs: Readonly<Record<string, Run | null>>) => ({
  runs: async () => Object.keys(runs),
  read: async (id: string) => {
    const run = runs[id] ?? null;
    if (run === null) throw new UserError("journal-damaged", { what: "", why: "", next: "" });
    return { story: { ...newStory(contract), run }, isDriven: false } as Reading;
  },
});

test.each<[string, Readonly<Record<string, Run | null>>, string]>([
  ["of a run that is older than one that cannot be read", { broken: null, older: holding }, "older"],
  ["of the latest run that holds work on it", { idle: begin(contract), later: holding, earlier: holding }, "later"],
  ["of no run: then the latest says so", { idle: begin(contract), broken: null }, "idle"],
])("held work is found %s", async (_, runs, found) => {
  expect(await runHolding(over(runs), "F1", undefined)).toBe(found);
});
