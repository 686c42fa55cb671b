// Shows a run in the words of the hope loop, with --format seed.
import type { Item } from "../engines/engine.ts";
import { hopeLines, hopeStart } from "../report/hope.ts";
import type { Story } from "../report/story.ts";

export class SeedScreen {
  readonly #out: NodeJS.WritableStream;
  readonly #leavesState: boolean;
  #last: Story | null = null;

  /** `leavesState`: another loop's state file is there, and this run writes none. */
  constructor(out: NodeJS.WritableStream, { leavesState }: { leavesState: boolean }) {
    this.#out = out;
    this.#leavesState = leavesState;
  }

  show(item: Item, story: Story): void {
    // A run that is resumed has been announced.
    if (item.type === "story" && story.run.now.is === "opening")
      this.#say(hopeStart(story.run, { leavesState: this.#leavesState }));
    if (item.type === "event" && this.#last !== null) this.#say(...hopeLines(this.#last, story));
    this.#last = story;
  }

  #say(...lines: readonly string[]): void {
    if (lines.length > 0) this.#out.write(`${lines.join("\n")}\n`);
  }
}
