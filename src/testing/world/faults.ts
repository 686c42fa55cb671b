// The crashes of a simulated world: before or after any durable step, as often as the seed says.
import { MemoryCrash } from "../../journal/memory/memory-journal.ts";
import { type Choices, chance } from "./random.ts";

/** What is in memory dies with a life; what a step made durable before stays. */
export class Faults {
  readonly #choose: Choices;
  #perThousand: number;
  #dead = false;
  #onDeath: () => void = () => undefined;
  /** Where the process died, in order: for the message of a test that fails. */
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

  /** From now on nothing crashes any more. */
  stop(): void {
    this.#perThousand = 0;
  }

  /** Whoever calls this is a process, so it must be alive; and it may die right here. */
  step(name: string): void {
    this.mustLive();
    if (this.roll(name)) this.die();
  }

  /** Does the process die at this step? The caller says what is durable by then, and calls `die`. */
  roll(name: string): boolean {
    if (!chance(this.#choose, this.#perThousand)) return false;
    this.deaths.push(name);
    return true;
  }

  /** Marks the process dead where another part of the world ends it. */
  kill(): void {
    this.#dead = true;
  }

  die(): never {
    this.kill();
    this.#onDeath();
    throw new MemoryCrash("the simulated process died");
  }

  mustLive(): void {
    if (this.#dead) throw new MemoryCrash("a dead process does nothing");
  }
}
