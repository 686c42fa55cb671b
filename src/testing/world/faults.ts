// The crashes of a simulated world: before or after any durable step, as often as the seed says.
import { MemoryCrash } from "../../journal/memory/memory-journal.ts";
import { type Choices, chance } from "./random.ts";

/** A process's memory is lost when it dies; steps that were made durable stay. */
export class Faults {
  readonly #choose: Choices;
  #perThousand: number;
  #dead = false;
  #onDeath: () => void = () => undefined;
  /** Where the process died, in order: for the message of a failed test. */
  readonly deaths: string[] = [];

  constructor(choose: Choices, perThousand: number) {
    this.#choose = choose;
    this.#perThousand = perThousand;
  }

  /** A new process: `onDeath` takes its journal away when it dies. */
  live(onDeath: () => void): void {
    this.#dead = false;
    this.#onDeath = onDeath;
  }

  /** No more crashes from now on. */
  stop(): void {
    this.#perThousand = 0;
  }

  /** The calling process must be alive, and may die right here. */
  step(name: string): void {
    this.mustLive();
    if (this.roll(name)) this.die();
  }

  /** Whether the process dies at this step. The caller decides what is durable by then, and calls `die`. */
  roll(name: string): boolean {
    if (!chance(this.#choose, this.#perThousand)) return false;
    this.deaths.push(name);
    return true;
  }

  /** Marks the process as dead when another part of the world ends it. */
  kill(): void {
    this.#dead = true;
  }

  /** Ends the process here. */
  die(): never {
    this.kill();
    this.#onDeath();
    throw new MemoryCrash("the simulated process died");
  }

  /** Throws if the process is dead. */
  mustLive(): void {
    if (this.#dead) throw new MemoryCrash("a dead process does nothing");
  }
}
