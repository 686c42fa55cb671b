// Shows a run in the words of the hope loop, with --format seed.
import type { Item } from "../engines/engine.ts";
import { hopeLines, hopeStart } from "../report/hope.ts";
import type { Story } from "../report/story.ts";

export class SeedScreen {
  readonly #out: NodeJS.WritableStream;
  #last: Story | null = null;

  constructor(out: NodeJS.WritableStream) {
    this.#out = out;
  }

  show(item: Item, story: Story): void {
    // A run that is resumed has been announced.
    if (item.type === "story" && story.run.now.is === "opening") this.#say(hopeStart(story.run));
    if (item.type === "event" && this.#last !== null) this.#say(...hopeLines(this.#last, story));
    this.#last = story;
  }

  #say(...lines: readonly string[]): void {
    if (lines.length > 0) this.#out.write(`${lines.join("\n")}\n`);
  }
}
