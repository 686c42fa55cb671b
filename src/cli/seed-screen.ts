// Shows a run in the words of the hope loop, with --format seed.
import type { Item } from "../engines/engine.ts";
import { hopeLines, hopeStart, type StateFile } from "../report/hope.ts";
import type { Story } from "../report/story.ts";

export class SeedScreen {
  readonly #out: NodeJS.WritableStream;
  readonly #state: StateFile;
  #last: Story | null = null;

  constructor(out: NodeJS.WritableStream, state: StateFile) {
    this.#out = out;
    this.#state = state;
  }

  show(item: Item, story: Story): void {
    // A run that is resumed has been announced.
    if (item.type === "story" && story.run.now.is === "opening") this.#say(hopeStart(story.run, this.#state));
    if (item.type === "event" && this.#last !== null) this.#say(...hopeLines(this.#last, story));
    this.#last = story;
  }

  #say(...lines: readonly string[]): void {
    if (lines.length > 0) this.#out.write(`${lines.join("\n")}\n`);
  }
}
