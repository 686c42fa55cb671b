// The end of what a session has printed, with what it means. Its lines are counted from the first, so that they have the
// same numbers for every reader and after every restart.

import { type SessionId, sessionId } from "../../core/ids.ts";
import type { Role } from "../../core/run.ts";
import type { OutputPlace, Reading } from "../../engines/engine.ts";
import { shortened } from "../../formats/text/shortened.ts";
import { visibleText } from "../../formats/text/visible-text.ts";
import { tailMax } from "../../report/page/tail.ts";
import type { Tail, TailKind, TailLine } from "../../report/page/view.ts";
import { type Activity, type Deed, deedOf, saw } from "../../runtime/activity.ts";

const textMax = 2_000;

export class SessionTail {
  readonly session: SessionId;
  readonly #role: Role;
  #place: OutputPlace | null = null;
  #count = 0;
  #lines: TailLine[] = [];
  #activity: Activity | null = null;

  constructor(session: string, role: Role) {
    this.session = sessionId(session);
    this.#role = role;
  }

  get activity(): Activity | null {
    return this.#activity;
  }

  /** True: there is something new. Readers of one session have to come from one reading. */
  async read({ output }: Pick<Reading, "output">): Promise<boolean> {
    let isNew = false;
    for (;;) {
      const { lines, next } = await output(this.session, this.#place);
      const isSame = this.#place?.part === next.part && this.#place.stdout === next.stdout;
      this.#place = next;
      // Only one of the two streams has an order that does not depend on when it is read.
      for (const { signs } of lines.filter(({ stream }) => stream === "stdout"))
        for (const sign of signs) {
          isNew = true;
          const deed = this.#activity === null ? deedOf({ tool: null }, sign) : deedOf(this.#activity, sign);
          if (deed !== null) this.#add(deed);
          this.#activity = saw(this.#activity, { session: this.session, role: this.#role, sign });
        }
      if (lines.length === 0 || isSame) return isNew;
    }
  }

  #add(deed: Deed): void {
    const [is, text] = wordsOf(deed);
    this.#lines.push({ n: ++this.#count, is, text: shortened(visibleText(text).trimEnd(), textMax) });
    if (this.#lines.length > tailMax * 2) this.#lines = this.#lines.slice(-tailMax);
  }

  shown(title: string, isOver: boolean): Tail {
    return { session: this.session, title, isOver, lines: this.#lines.slice(-tailMax) };
  }
}

function wordsOf(deed: Deed): readonly [TailKind, string] {
  switch (deed.is) {
    case "tool":
      return ["tool", `${deed.name} ${deed.argument}`];
    case "failed":
      return ["failed", `${deed.name} failed`];
    case "edit":
      return ["edit", deed.path];
    case "refused":
      return ["failed", `refused: ${deed.command}`];
    case "compacted":
      return ["note", "the agent compacted its conversation"];
    default:
      return [deed.is, deed.text];
  }
}
