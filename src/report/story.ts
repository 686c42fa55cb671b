// A run together with its chronicle: the sum of the journal's events.
import { apply } from "../core/apply.ts";
import type { Contract } from "../core/contract.ts";
import type { RunEvent } from "../core/event.ts";
import { begin, type Run, stateVersion } from "../core/run.ts";
import { type Chronicle, emptyChronicle, tell } from "./chronicle.ts";

export type Story = { readonly run: Run; readonly chronicle: Chronicle };

/** Snapshots of another version are replayed instead. */
export const storyVersion = stateVersion * 100 + 7;

export const newStory = (contract: Contract): Story => ({ run: begin(contract), chronicle: emptyChronicle });

export function follow(story: Story, event: RunEvent): Story {
  const { run, chronicle } = story;
  const after = apply(run, event);
  // A duplicate or late result is in the journal, and not in the chronicle.
  if (after === run && "key" in event) return story;
  return { run: after, chronicle: tell(chronicle, run, event, after) };
}
