// Finds the run that holds work on a feature, and makes the signal for a decision about it.
import { UserError } from "../core/errors.ts";
import { featureId, isPlainName } from "../core/ids.ts";
import { progressIn } from "../core/progresses.ts";
import type { Held, Run } from "../core/run.ts";
import { heldBranch } from "../report/words/held-branch.ts";
import { inboxWords } from "../report/words/inbox-words.ts";
import type { SignalFact } from "../runtime/ports.ts";
import type { Engine } from "./engine.ts";
import { answeredAlready } from "./first-answer.ts";
import { findRunThat } from "./watch.ts";

export type Decision = { readonly how: "accept" | "allow" } | { readonly how: "reject"; readonly reason: string };

/** The given run, or the latest one that holds work on the feature: older held work still needs a decision. */
export const runHolding = (
  engine: Pick<Engine, "runs" | "read">,
  feature: string,
  named: string | undefined,
): Promise<string> => findRunThat(engine, named, (run) => run.now.is !== "stopped" && heldIn(run, feature) !== null);

/** Null: no work on it waits. */
export const heldIn = (run: Run, feature: string): Held | null =>
  isPlainName(feature) ? (progressIn(run.progress, featureId(feature))?.held ?? null) : null;

/** The signal for the decision. Refused if nothing is held, or if the held work needs a different decision. */
export function decisionOn(run: Run, feature: string, by: string, decision: Decision): SignalFact {
  const held = heldIn(run, feature);
  if (held === null) throw nothingHeld(run, feature);
  if (run.now.is === "stopped")
    throw new UserError("run-is-over", {
      what: "Nothing was decided.",
      why: `The run that holds ${feature} is over.`,
      next: `git show ${heldBranch(held, feature)}`,
    });
  if (held.decided !== null)
    throw answeredAlready(
      `${feature} was ${held.decided.how === "accept" ? "accepted" : "allowed"} by ${held.decided.by}.`,
    );
  const about = { feature: featureId(feature), tree: held.tree, by };
  if (decision.how === "reject") return { type: "turned-down", ...about, reason: decision.reason };
  const wanted = held.why === "unproved" ? "accept" : "allow";
  if (decision.how !== wanted) throw otherWord(feature, held, wanted);
  return { type: wanted === "accept" ? "accepted" : "allowed", ...about };
}

function nothingHeld(run: Run, feature: string): UserError {
  const others = run.progress.ids.filter((id) => heldIn(run, id) !== null);
  const isKnown = run.progress.ids.some((id) => id === feature);
  const item = inboxWords(run).find(({ about }) => about === feature);
  return new UserError("nothing-held", {
    what: "Nothing was decided.",
    why: isKnown
      ? `No work on ${feature} waits for a decision.`
      : `${JSON.stringify(feature.slice(0, 64))} is not a feature of this run.`,
    next: item?.next ?? (others.length === 0 ? "loop inbox" : `Work waits on ${others.join(", ")}. See: loop inbox`),
  });
}

function otherWord(feature: string, { why, tests }: Held, wanted: "accept" | "allow"): UserError {
  const waits =
    why === "unproved"
      ? `${feature} could not be proved; no protected test is in question.`
      : `${feature} is about protected tests that would change: ${tests.join(", ")}.`;
  return new UserError("other-word", {
    what: "Nothing was decided.",
    why: waits,
    next: `loop ${wanted} ${feature}, or: loop reject ${feature} --reason "…"`,
  });
}
