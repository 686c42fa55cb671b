// The story of a run in progress: the only way in which a run changes. Every engine uses it.
import type { Contract } from "../core/contract.ts";
import type { RunEvent } from "../core/event.ts";
import type { NoteKind } from "../core/note-kinds.ts";
import type { Run } from "../core/run.ts";
import type { Journal } from "../journal/journal.ts";
import { follow, newStory, type Story } from "../report/story.ts";
import type { Clock, Fact } from "./ports.ts";

/** One step: the original fact, the event with its number in the journal, and the story before and after it. */
export type Step = {
  readonly fact: Fact;
  readonly seq: number;
  readonly event: RunEvent;
  readonly before: Story;
  readonly after: Story;
};

export type StepPorts = {
  readonly journal: Pick<Journal<RunEvent, Story>, "past" | "append">;
  readonly clock: Pick<Clock, "now" | "steady">;
  /** Called once the event is on disk and applied, for records, mirrors and people who watch. */
  publish(step: Step): void | Promise<void>;
};

export class LiveStory {
  readonly #ports: StepPorts;
  #story: Story;
  #seq: number;
  #lastAt: number;
  #stepping: Promise<unknown> = Promise.resolve();
  #noted: Promise<unknown> = Promise.resolve();

  constructor(contract: Contract, ports: StepPorts) {
    const { snapshot, events, seq } = ports.journal.past;
    this.#ports = ports;
    this.#story = events.reduce(follow, snapshot ?? newStory(contract));
    this.#seq = seq;
    this.#lastAt = ports.clock.steady();
  }

  get story(): Story {
    return this.#story;
  }

  /** Events so far. */
  get seq(): number {
    return this.#seq;
  }

  /** Time counts from here on. No process drove the run before. */
  wake(): void {
    this.#lastAt = this.#ports.clock.steady();
  }

  /**
   * Stamps, folds, writes, applies and publishes an event. An event that the core refuses is never written. One at a time,
   * in the order of the calls, so that `publish` must not wait for a step.
   */
  step(fact: Fact): Promise<Run> {
    const stepped = this.#stepping.then(() => this.#take(fact));
    // A step that failed is its caller's business, and not the next one's.
    this.#stepping = stepped.catch(() => {});
    return stepped;
  }

  /** For the run log. It is recorded after what is being recorded now, also when no one takes signals any more. */
  note(about: NoteKind, text: string): void {
    this.#noted = Promise.all([this.#noted, this.step({ type: "noted", about, text })]);
    // The error comes where the notes are waited for.
    this.#noted.catch(() => {});
  }

  /** Resolves once every note is on record; rejects if one could not be recorded. */
  async noted(): Promise<void> {
    for (let seen: Promise<unknown> | null = null; seen !== this.#noted; ) {
      seen = this.#noted;
      await seen;
    }
  }

  async #take(fact: Fact): Promise<Run> {
    const { clock, journal } = this.#ports;
    const steady = clock.steady();
    const event: RunEvent = { ...fact, at: clock.now(), sinceMs: Math.round(steady - this.#lastAt) };
    this.#lastAt = steady;
    const before = this.#story;
    const after = follow(before, event);
    this.#seq = await journal.append(event);
    this.#story = after;
    await this.#ports.publish({ fact, seq: this.#seq, event, before, after });
    return this.#story.run;
  }
}
