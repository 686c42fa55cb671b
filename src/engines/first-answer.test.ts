// Of two answers, the first counts, and the second is refused with what the first was.
import { expect, test } from "vitest";
import { update } from "../core/attempt.ts";
import type { RunEvent } from "../core/event.ts";
import type { FeatureId, TreeId } from "../core/ids.ts";
import type { Held } from "../core/run.ts";
import { begin } from "../core/run.ts";
import { featureOverview } from "../report/overview-feature.ts";
import type { SignalFact } from "../runtime/ports.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import type { Item, Reading, Subscription } from "./engine.ts";
import { refuseSecond } from "./first-answer.ts";
import { decisionOn } from "./held-work.ts";

const [F1, tree] = ["F1" as FeatureId, "a".repeat(40) as TreeId];
const gate = { gate: "G2", number: 3, tree } as const;
const work = { feature: F1, tree, by: "Pat" } as const;
const say = {
  approved: { type: "approved", ...gate },
  rejected: { type: "rejected", ...gate, reason: "No." },
  laterGate: { type: "approved", ...gate, number: 4 },
  loud: { type: "answered", feature: F1, answer: "Loud", source: "person" },
  quiet: { type: "answered", feature: F1, answer: "Quiet", source: "person" },
  accepted: { type: "accepted", ...work },
  allowed: { type: "allowed", ...work },
  turnedDown: { type: "turned-down", ...work, reason: "No." },
  otherWork: { type: "accepted", ...work, tree: "b".repeat(40) as TreeId },
} as const satisfies Record<string, SignalFact>;

/** A journal with these answers, in this order. */
const recorded = (...facts: readonly SignalFact[]) => ({
  subscribe(): Subscription {
    const items = facts.map((fact, at): Item => {
      return { type: "event", event: { ...fact, at: 0, sinceMs: 0 } as RunEvent, seq: at + 1 };
    });
    return (async function* () {
      yield* items;
      yield { type: "rest" } as const;
    })() as Subscription;
  },
  read: () => Promise.resolve({ seq: facts.length } as Reading),
});

test.each([
  ["approved", "rejected", "The gate was approved from elsewhere first."],
  ["rejected", "approved", "The gate was rejected from elsewhere first: No."],
  ["loud", "quiet", "Another answer came first: Loud"],
  ["accepted", "turnedDown", "The work on F1 was accepted from elsewhere first."],
  ["turnedDown", "allowed", "The work on F1 was rejected from elsewhere first: No."],
  ["approved", "approved", null],
  ["accepted", "accepted", null],
  ["accepted", "loud", null],
  ["laterGate", "rejected", null],
  ["otherWork", "turnedDown", null],
] as const)("after %s, %s is answered with: %s", async (first, second, why) => {
  const refused = refuseSecond(recorded(say[first], say[second]), "r1", 0, say[second], { taken: true });
  if (why === null) await expect(refused).resolves.toBeUndefined();
  else await expect(refused).rejects.toMatchObject({ code: "answered-already", why });
});

test.each([
  ["recorded", [say.loud], []],
  ["left before it", [], [say.loud]],
] as const)("an answer that is not taken yet is refused if another one is %s", async (_title, facts, ahead) => {
  const untaken = { taken: false, ahead };
  await expect(refuseSecond(recorded(...facts), "r1", 0, say.quiet, untaken)).rejects.toMatchObject({
    why: "Another answer came first: Loud",
  });
  await expect(refuseSecond(recorded(...facts), "r1", 0, say.approved, untaken)).resolves.toBeUndefined();
});

test("held work that was accepted does not wait for a person, and takes no second decision", () => {
  const contract = contractOf([feature("F1")]);
  const held: Held = {
    ...{ tree, base: { head: null, tree } as never, proof: null, why: "unproved", missing: [], tests: [] },
    decided: { how: "accept", by: "Pat <pat@example.org>" },
  };
  const run = update(begin(contract), F1, { status: "blocked", held });
  const [about] = contract.features;
  if (about === undefined) throw new Error("it has a feature");
  expect(featureOverview(run, about, [], {}).standing).toBe("accepted by Pat, not committed yet");
  expect(() => decisionOn(run, "F1", "Sam", { how: "reject", reason: "No." })).toThrow(
    "F1 was accepted by Pat <pat@example.org>.",
  );
});
